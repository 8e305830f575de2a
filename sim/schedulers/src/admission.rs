//! The third question of a scheduler, "may this block go now?", as a trait.

use super::SmxMask;
use crate::port::{Activity, CoreSample, KernelEntry, KernelLaunch};
use std::any::Any;
use std::fmt::Debug;

/// A gate between the SMXs that have room and the round robin.
///
/// A dispatcher with several gates chains them in the order in which the scheduler's name lists
/// them: the first one is asked by the SMXs that have room, each later one by those that the gate
/// before it allows. A gate with a scarce resource then never reserves it for an SMX that an
/// earlier gate refuses. `Any` lets fault injection reach the state of a particular gate.
pub trait AdmissionGate: Any + Debug + GateState {
    /// Which of the SMXs in `request` may receive a block of `kernel` in this cycle: a subset of
    /// `request`. `first` is the round-robin pointer. Combinational.
    fn allow(&self, kernel: KernelEntry, request: SmxMask, first: usize) -> SmxMask;

    /// As [`Self::allow`], in a cycle in which blocks end on the SMXs in `finished`: what a
    /// dispatcher asks. A gate that does not count resident blocks need not know.
    fn allow_beside(
        &self,
        kernel: KernelEntry,
        request: SmxMask,
        first: usize,
        finished: SmxMask,
    ) -> SmxMask {
        let _ = finished;
        self.allow(kernel, request, first)
    }

    /// Clock edge of a cycle in which blocks of `kernel` were dispatched to the SMXs in `taken`.
    fn taken(&mut self, kernel: KernelEntry, taken: SmxMask) -> Activity;

    /// Clock edge of a cycle in which `launch` was accepted into `entry`. In a cycle that also
    /// dispatches, it comes after [`Self::taken`]; the two never name the same entry.
    fn launch(&mut self, entry: KernelEntry, launch: &KernelLaunch) -> Activity;

    /// Clock edge of a cycle in which a group of `blocks` blocks was coalesced to `kernel`. It
    /// comes after [`Self::taken`], which may name the same entry; [`Self::launch`] does not come
    /// in such a cycle. A gate that counts no blocks in advance stores nothing.
    fn coalesced(&mut self, kernel: KernelEntry, blocks: u32) -> Activity {
        let _ = (kernel, blocks);
        Activity::Quiet
    }

    /// Clock edge of every cycle that is not a reset cycle, after [`Self::taken`], [`Self::launch`]
    /// and [`Self::coalesced`]: blocks ended on the SMXs in `finished`, and each SMX sent its
    /// sample, if any. A gate that counts neither stores nothing.
    fn observe(&mut self, finished: SmxMask, samples: Option<&[CoreSample]>) -> Activity {
        let _ = (finished, samples);
        Activity::Quiet
    }

    /// Clock edge of a reset cycle.
    fn reset(&mut self) -> Activity;

    /// How many of its resident blocks each SMX may run; nothing of a gate that pauses none. From
    /// the state alone.
    fn running_limits(&self) -> Option<Vec<u8>> {
        None
    }

    /// What a report of a stuck run should say of the state that decides on blocks of `kernel`.
    fn explain(&self, kernel: KernelEntry) -> String;
}

/// Copies and compares a gate that is known by its trait alone; every gate that can be cloned and
/// compared has it.
pub trait GateState {
    /// Another one in the same state.
    fn copy(&self) -> Box<dyn AdmissionGate>;

    /// Whether `other` is of the same kind and in the same state.
    fn is_like(&self, other: &dyn AdmissionGate) -> bool;
}

impl<G: AdmissionGate + Clone + PartialEq> GateState for G {
    fn copy(&self) -> Box<dyn AdmissionGate> {
        Box::new(self.clone())
    }

    fn is_like(&self, other: &dyn AdmissionGate) -> bool {
        let other: &dyn Any = other;
        other.downcast_ref() == Some(self)
    }
}

/// What a dispatcher names that may serve several kernels in one cycle. It has only gates that look
/// at SMXs alone.
pub(super) const ANY_KERNEL: KernelEntry = KernelEntry(0);

/// What a cycle that is not a reset cycle brings to the gates of a dispatcher.
#[derive(Debug)]
pub struct GateEvents<'a> {
    /// The kernel of which blocks were dispatched, and the SMXs that received them, if any did.
    pub taken: (KernelEntry, SmxMask),
    /// The launch that was accepted, and its entry.
    pub entered: Option<(&'a KernelLaunch, KernelEntry)>,
    /// The kernel to which a group was coalesced, and the group's blocks.
    pub coalesced: Option<(KernelEntry, u32)>,
    /// The SMXs on which blocks ended.
    pub finished: SmxMask,
    /// The samples of all SMXs, in a cycle that has them.
    pub samples: Option<&'a [CoreSample]>,
}

/// The gates of a dispatcher in the order in which they are asked; without any, everything goes.
#[derive(Debug)]
pub struct Gates(Vec<Box<dyn AdmissionGate>>);

impl Clone for Gates {
    fn clone(&self) -> Self {
        Self(self.0.iter().map(|gate| gate.copy()).collect())
    }
}

impl PartialEq for Gates {
    fn eq(&self, other: &Self) -> bool {
        let each = || self.0.iter().zip(&other.0);
        self.0.len() == other.0.len() && each().all(|(one, other)| one.is_like(&**other))
    }
}

impl Gates {
    /// These, the first one first.
    pub fn new(gates: Vec<Box<dyn AdmissionGate>>) -> Self {
        Self(gates)
    }

    /// Which of the SMXs in `request` all gates allow, as [`AdmissionGate::allow_beside`].
    pub fn allow(
        &self,
        kernel: KernelEntry,
        request: SmxMask,
        first: usize,
        finished: SmxMask,
    ) -> SmxMask {
        let gates = self.0.iter();
        gates.fold(request, |request, gate| gate.allow_beside(kernel, request, first, finished))
    }

    /// The clock edge of a cycle that is not a reset cycle: all gates learn of `events` in the
    /// order that [`AdmissionGate`] states.
    pub fn clock(&mut self, events: &GateEvents<'_>) -> Activity {
        let (kernel, taken) = events.taken;
        let mut activity = Activity::Quiet;
        for gate in &mut self.0 {
            if taken.any() {
                activity |= gate.taken(kernel, taken);
            }
            if let Some((launch, entry)) = events.entered {
                activity |= gate.launch(entry, launch);
            }
            if let Some((kernel, blocks)) = events.coalesced {
                activity |= gate.coalesced(kernel, blocks);
            }
            activity |= gate.observe(events.finished, events.samples);
        }
        activity
    }

    /// The clock edge of a reset cycle.
    pub fn reset(&mut self) -> Activity {
        let mut activity = Activity::Quiet;
        for gate in &mut self.0 {
            activity |= gate.reset();
        }
        activity
    }

    /// [`AdmissionGate::running_limits`] of the gate that has them.
    pub fn running_limits(&self) -> Option<Vec<u8>> {
        self.0.iter().find_map(|gate| gate.running_limits())
    }

    /// A line of each gate, as [`AdmissionGate::explain`].
    pub fn explain(&self, kernel: KernelEntry) -> impl Iterator<Item = String> + '_ {
        self.0.iter().map(move |gate| gate.explain(kernel))
    }

    /// The gate of that kind, if there is one.
    pub(super) fn find<G: AdmissionGate>(&mut self) -> Option<&mut G> {
        self.0.iter_mut().find_map(|gate| {
            let gate: &mut dyn Any = gate.as_mut();
            gate.downcast_mut()
        })
    }
}
