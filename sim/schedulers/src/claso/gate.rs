//! Twin of `claso/gate`: the decisions of all cores and the arbitration of the global credits.
//!
//! Undefined, and not to be compared: what follows a `taken` of a core that was not allowed, or a
//! `taken` of the entry that is launched in the same cycle.

use super::super::mask::round;
use super::super::{AdmissionGate, SmxMask};
use super::cover;
use super::{
    Allocator, AllocatorInputs, AllocatorOutputs, Consumer, ConsumerInputs, ConsumerOutputs,
    GlobalCredits, GlobalCreditsInputs, Levels, Load,
};
use crate::cover::{met, when};
use crate::port::{Activity, KernelEntry, KernelLaunch};

/// The `launch` port: a kernel has been accepted; or `coalesced`: a group has been coalesced to
/// one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GateLaunch {
    /// The kernel's entry.
    pub entry: KernelEntry,
    /// Thread blocks of the kernel or group; 31 bits.
    pub blocks: u32,
}

/// Input ports of [`Gate`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GateInputs {
    /// Synchronous reset.
    pub reset: bool,
    /// A kernel that is accepted in this cycle.
    pub launch: Option<GateLaunch>,
    /// A group that is coalesced to a kernel in this cycle; its block count comes on the hardware's
    /// one `blocks` port, so that it never comes with `launch`.
    pub coalesced: Option<GateLaunch>,
    /// The head's entry.
    pub kernel: KernelEntry,
    /// The SMXs that ask for a block of `kernel`.
    pub request: SmxMask,
    /// The round-robin pointer.
    pub first: usize,
    /// The SMXs that received one.
    pub taken: SmxMask,
}

/// Output ports of [`Gate`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GateOutputs {
    /// Those of `request` that may receive a block.
    pub allow: SmxMask,
}

/// The credits of every kernel: local ones for each core, and the shared ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gate {
    allocator: Allocator,
    consumers: Vec<Consumer>,
    global: GlobalCredits,
}

impl Gate {
    /// A gate for `cores` SMXs (at least one) that no kernel has passed yet.
    pub fn new(cores: usize, levels: Levels) -> Self {
        Self {
            allocator: Allocator::new(cores, levels),
            consumers: vec![Consumer::new(levels); cores],
            global: GlobalCredits::new(),
        }
    }

    /// The outputs of this cycle.
    pub fn evaluate(&self, inputs: &GateInputs) -> GateOutputs {
        let global = GlobalCreditsInputs { kernel: inputs.kernel, ..Default::default() };
        let mut available = self.global.evaluate(&global).available;
        let mut allow = SmxMask::ZERO;
        for core in round(inputs.first, self.consumers.len()) {
            if !inputs.request[core] {
                continue;
            }
            let decision = self.decision(core, inputs.kernel);
            if decision.free {
                met(&cover::FREE);
                allow.set(core, true);
            } else if decision.needs_global && available > 0 {
                met(&cover::GLOBAL);
                available -= 1;
                allow.set(core, true);
            } else {
                met(if decision.needs_global { &cover::NO_GLOBAL } else { &cover::NO_LOCAL });
            }
        }
        GateOutputs { allow }
    }

    /// The clock edge.
    pub fn clock(&mut self, inputs: &GateInputs) -> Activity {
        let GateInputs { reset, kernel, .. } = *inputs;
        let of = |launch: GateLaunch| {
            let inputs = AllocatorInputs { blocks: launch.blocks };
            (launch.entry, self.allocator.evaluate(&inputs))
        };
        let load = inputs.launch.map(of);
        let add = inputs.coalesced.map(of);
        let local = |of: &Option<(KernelEntry, AllocatorOutputs)>| {
            of.as_ref().map(|(entry, c)| Load { entry: *entry, credits: c.local_credits })
        };
        let global = |of: &Option<(KernelEntry, AllocatorOutputs)>| {
            of.as_ref().map(|(entry, c)| Load { entry: *entry, credits: c.global_credits })
        };
        when(inputs.coalesced.is_some() && !reset, &cover::ADDED);
        let mut spend = 0;
        for core in inputs.taken.iter_ones() {
            spend += u64::from(self.decision(core, kernel).needs_global);
        }
        let mut activity = Activity::Quiet;
        for (core, consumer) in self.consumers.iter_mut().enumerate() {
            let take = inputs.taken[core];
            let (load, add) = (local(&load), local(&add));
            activity |= consumer.clock(&ConsumerInputs { reset, load, add, kernel, take });
        }
        let (load, add) = (global(&load), global(&add));
        activity |= self.global.clock(&GlobalCreditsInputs { reset, load, add, kernel, spend });
        activity
    }

    fn decision(&self, core: usize, kernel: KernelEntry) -> ConsumerOutputs {
        self.consumers[core].evaluate(&ConsumerInputs { kernel, ..Default::default() })
    }

    /// Fault injection: core `core` has one local credit of `kernel` less, or one too many when
    /// it had none.
    pub(crate) fn disturb(&mut self, kernel: KernelEntry, core: usize) {
        self.consumers[core].disturb(kernel);
    }
}

impl AdmissionGate for Gate {
    fn allow(&self, kernel: KernelEntry, request: SmxMask, first: usize) -> SmxMask {
        self.evaluate(&GateInputs { kernel, request, first, ..Default::default() }).allow
    }

    fn taken(&mut self, kernel: KernelEntry, taken: SmxMask) -> Activity {
        self.clock(&GateInputs { kernel, taken, ..Default::default() })
    }

    fn launch(&mut self, entry: KernelEntry, launch: &KernelLaunch) -> Activity {
        let launch = Some(GateLaunch { entry, blocks: launch.blocks });
        self.clock(&GateInputs { launch, ..Default::default() })
    }

    fn coalesced(&mut self, entry: KernelEntry, blocks: u32) -> Activity {
        let coalesced = Some(GateLaunch { entry, blocks });
        self.clock(&GateInputs { coalesced, ..Default::default() })
    }

    fn reset(&mut self) -> Activity {
        self.clock(&GateInputs { reset: true, ..Default::default() })
    }

    fn explain(&self, kernel: KernelEntry) -> String {
        let of_kernel = GlobalCreditsInputs { kernel, ..Default::default() };
        let global = self.global.evaluate(&of_kernel).available;
        let mut text = format!("CLASO credits of entry {}: {global} global", kernel.0);
        for (core, consumer) in self.consumers.iter().enumerate() {
            let decision = self.decision(core, kernel);
            let lacks = match (decision.free, decision.needs_global) {
                (true, _) => "",
                (false, true) if global > 0 => ", takes a global credit",
                (false, true) => ", lacks a global credit",
                (false, false) => ", lacks a local credit",
            };
            text += &format!("; SMX {core}: {} local{lacks}", consumer.credits(kernel));
        }
        text
    }
}

#[cfg(test)]
mod tests;
