//! The primitives against naive expectations, exhaustively where the space is small.

mod ahead_memory;
mod bit_planes;
mod budget_arbiter;
mod bundle;
mod claim_arbiter;
mod constant_divider;
mod counter_bank;
mod crossbar;
mod enough;
mod enough_in_all;
mod fifo;
mod popcount;
mod priority_encoder;
mod quotient;
mod register;
mod register_file;
mod remembered;
mod rotation;
mod round_robin_arbiter;
mod row;
mod sram;
mod tally_bank;
mod visit_order;
