//! The blocks that everything else is built of.
//!
//! Their logic is written twice, in Rust for the simulation and in Verilog for synthesis, so each
//! is replayed exhaustively or on long random traces against its own Verilog. Every block with
//! state has a synchronous reset and starts from it; no block relies on initial values.

mod ahead_memory;
mod bit_planes;
mod bit_set;
mod budget_arbiter;
mod bundle;
mod claim_arbiter;
mod constant_divider;
mod counter_bank;
mod counts;
mod crossbar;
mod enough;
mod enough_in_all;
mod fifo;
mod fifo_state;
mod flag_file;
mod optional_register;
mod popcount;
mod priority_encoder;
mod quotient;
mod register;
mod register_file;
mod residents;
mod rotation;
mod round_robin_arbiter;
mod row;
mod sram;
mod tagged;
mod tally_bank;
pub(crate) mod verilog;
mod visit_order;

pub use ahead_memory::AheadMemory;
pub use bit_planes::BitPlanes;
pub use bit_set::BitSet;
pub use budget_arbiter::BudgetArbiter;
pub use bundle::Bundle;
pub use claim_arbiter::ClaimArbiter;
pub use constant_divider::{remainder_bits, ConstantDivider, MAX_DIVISOR};
pub use counter_bank::CounterBank;
pub use crossbar::Crossbar;
pub use enough::Enough;
pub(crate) use enough_in_all::ranges;
pub use enough_in_all::EnoughInAll;
pub use fifo::Fifo;
pub use fifo_state::FifoState;
pub use flag_file::FlagFile;
pub use optional_register::OptionalRegister;
pub use popcount::Popcount;
pub use priority_encoder::PriorityEncoder;
pub use quotient::Quotient;
pub use register::Register;
pub use register_file::RegisterFile;
pub use residents::Residents;
pub use rotation::Rotation;
pub use round_robin_arbiter::RoundRobinArbiter;
pub use row::{Pack, Unpack};
pub use sram::{SramOnePort, SramTwoPort};
pub use tagged::{Tagged, TaggedSmx};
pub use tally_bank::TallyBank;
pub use visit_order::VisitOrder;
