//! Instruction traces of real programs, in the format of Accel-Sim's tracer (versions 3 to 6).
//!
//! ```text
//!   kernelslist.g -- list --> copies, files --+
//!                                             +--> TraceProgram (launches, streams)
//!   kernel-N.traceg[.xz] -- header -----------+         |
//!   kernel-N.tracez      `- block, instruction --> code (records) --> warps
//! ```
//!
//! Nothing is read before it is needed: headers when the trace is opened, the instructions of a
//! block when it is dispatched. `docs/traces.md` describes the format.
//!
//! Warps mostly say what the one before said, so that a line is read in the first of these ways
//! that takes it:
//!
//! | | |
//! | --- | --- |
//! | `template` | compares lines with those of the warp before, several at a time, apart from addresses |
//! | `repeats`, `known` | compare one line, or its begin |
//! | `quick` | reads addresses as tracers print them |
//! | `fields` | knows all that a line may have, and says what is wrong with any other |

mod addresses;
mod block;
mod blocks;
mod bulk;
mod cluster;
mod code;
mod fault;
mod fields;
mod footprint;
mod gather;
mod header;
mod hex;
mod info;
mod instruction;
mod kernel;
mod known;
mod lines;
mod list;
mod opcode;
mod program;
mod quick;
mod record;
mod repeats;
mod routine;
mod source;
mod spool;
mod store;
mod tail;
mod template;
mod tracez;
mod warp;

#[cfg(test)]
mod tests;

pub use footprint::{Footprint, LINE};
pub use header::Header;
pub use info::{info, kernel_info, Counts, KernelInfo, TraceInfo};
pub use list::files;
pub use opcode::Architecture;
pub use program::{open, TraceProgram};
pub use record::{Record, Recording};
