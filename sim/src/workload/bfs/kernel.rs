//! The instructions of the kernel, warp by warp.
//!
//! ```text
//! bounds    v = block * threads + thread            IMAD   r0
//!           v < vertices ?  branch, else exit       ISETP  r1 <- r0      BRA <- r1
//! frontier  address of level[v]                     IADD   r2 <- r0
//!           load level[v]                           LDG    r3 <- r2
//!           level[v] == depth ?  branch, else exit  ISETP  r4 <- r3      BRA <- r4
//! row       address of offset[v]                    IADD   r5 <- r0
//!           load offset[v], offset[v + 1]           LDG    r6, r7 <- r5
//! test      e < end ?  branch, else exit            ISETP  r8 <- r6, r7  BRA <- r8
//! edge      address of column[e]                    IADD   r9 <- r6
//!           load u = column[e]                      LDG    r10 <- r9
//!           address of level[u]                     IADD   r11 <- r10
//!           load level[u]                           LDG    r12 <- r11
//!           level[u] == UNVISITED ?  branch         ISETP  r13 <- r12    BRA <- r13
//!           store level[u], changed (if any)        STG    <- r11        STG
//!           e = e + 1                               IADD   r6 <- r6      back to test
//! ```
//!
//! Lanes leave one by one: the warp repeats `edge` while any lane has edges left, and `active` holds
//! those lanes. `depth + 1`, `1`, the bases and the address of the flag are constants of the launch
//! (the constant bank), so no register stands for them, and a store waits for its address alone.

use std::rc::Rc;

use super::{state::State, warp::BfsWarp};
use crate::diagnostic::InputError;
use crate::port::Dim3;
use crate::workload::program::{KernelCode, WarpProgram, WARP_LANES};

/// One launch of the kernel: the search of one level.
pub(super) struct BfsCode {
    pub state: Rc<State>,
    /// Threads of a block.
    pub block: u32,
    /// The level whose vertices are the frontier.
    pub depth: u32,
}

impl KernelCode for BfsCode {
    fn block(
        &self,
        block: Dim3,
        warps: u32,
        programs: &mut Vec<Box<dyn WarpProgram>>,
    ) -> Result<(), InputError> {
        for warp in 0..warps {
            let lane0 = warp.saturating_mul(WARP_LANES as u32);
            let threads = self.block.saturating_sub(lane0).min(WARP_LANES as u32);
            let first = u64::from(block.x) * u64::from(self.block) + u64::from(lane0);
            let warp = BfsWarp::new(Rc::clone(&self.state), self.depth, first, threads);
            programs.push(Box::new(warp));
        }
        Ok(())
    }
}
