//! What all SMXs issue in a cycle: each of them chooses, and what its warps do next is pulled while
//! those behind it choose.

use std::collections::VecDeque;

use super::smx::{Near, Request};
use super::synchronize::Runtime;
use super::Gpu;

/// By how many pulls what one needs is asked for ahead of it, in each of the later steps.
const AHEAD: usize = 2;

/// Most pulls, and most SMXs, that wait: enough to ask for what they need, and few enough that the
/// processor's first cache still has what these SMXs have looked at.
const LAG: usize = 8;

/// The SMXs that have issued in this cycle and have not done the rest of it.
#[derive(Debug, Default)]
pub(crate) struct Issued {
    smxs: VecDeque<u8>,
    /// SMX and slot of the warps for which is to be pulled, in order.
    pulls: VecDeque<(u8, u8)>,
}

impl Gpu {
    /// Lets the SMXs issue that may do so in `cycle`.
    #[inline(always)]
    pub(crate) fn issue(&mut self, cycle: u64) {
        let awake = self.calendar.take_issue();
        let [mut soon, mut next] = [2, 1].map(|ahead| awake.iter_ones().skip(ahead));
        for smx in awake.iter_ones() {
            if let Some(soon) = soon.next() {
                self.smxs[soon].announce_issue(cycle);
            }
            if let Some(next) = next.next() {
                self.smxs[next].announce_warps(cycle);
            }
            let Self { smxs, calendar, issued, .. } = self;
            let issuing = &mut smxs[smx];
            issuing.issue(calendar);
            for slot in issuing.pulls() {
                issuing.announce_pull(usize::from(slot), Near::Nothing);
                issued.pulls.push_back((smx as u8, slot));
            }
            if issued.pulls.is_empty() {
                self.finish_smx(smx);
                continue;
            }
            // What its warps have asked is answered before others issue.
            let left = if issuing.has_asked() { 0 } else { LAG };
            issued.smxs.push_back(smx as u8);
            self.finish_until(left);
        }
        self.finish_until(0);
    }

    /// The SMXs that have issued do the rest of the cycle, in their order, until there are no more
    /// than `left`, nor pulls.
    #[inline]
    fn finish_until(&mut self, left: usize) {
        while self.issued.smxs.len() > left || self.issued.pulls.len() > left {
            let Self { smxs, issued, .. } = self;
            let Some(smx) = issued.smxs.pop_front().map(usize::from) else { return };
            for _ in smxs[smx].pulls() {
                issued.pulls.pop_front();
                for (near, ahead) in [(Near::Operands, AHEAD), (Near::Program, 2 * AHEAD)] {
                    if let Some((smx, slot)) = issued.pulls.get(ahead - 1) {
                        smxs[usize::from(*smx)].announce_pull(usize::from(*slot), near);
                    }
                }
            }
            self.finish_smx(smx);
        }
    }

    /// The SMX, which has issued, does the rest of the cycle, and others do what its warps ask.
    #[inline]
    fn finish_smx(&mut self, smx: usize) {
        let coherent = self.coherent;
        let Self { calendar, smxs, memory, ports_may_change, device, kernels, .. } = self;
        smxs[smx].finish_issue(memory, calendar);
        while let Some(request) = smxs[smx].take_request() {
            if let Request::GoOn(warps) = request {
                for (smx, slot) in warps {
                    smxs[usize::from(smx)].cluster_has_arrived(slot, calendar);
                }
                continue;
            }
            *ports_may_change = true;
            Runtime { device, memory, coherent }.answer(&mut smxs[smx], request, calendar);
        }
        if let Some(failure) = smxs[smx].take_failure() {
            *ports_may_change = true;
            let name = &kernels[failure.kernel].name;
            device.fail(failure.into_error(name));
        }
    }
}
