//! When inputs are equal, and outputs: in all fields, as a derived `==` has it, but for rows of
//! bytes that are empty.
//!
//! A derived `==` lets the C library compare rows of bytes, also where a scheduler has none. With
//! AVX-512 it loads no byte of an address that is none, for which a processor took 170 ns: once in
//! each cycle of lockstep that was a twelfth of what it cost beside the golden engine.

use super::{Inputs, Outputs};

impl PartialEq for Inputs {
    fn eq(&self, other: &Self) -> bool {
        // By name, so that none is forgotten.
        let Self {
            reset,
            launch,
            finished,
            finished_slots,
            triggered,
            cancel,
            lookup,
            clock,
            samples,
            device,
        } = self;
        *reset == other.reset
            && *finished == other.finished
            && *clock == other.clock
            && *lookup == other.lookup
            && *launch == other.launch
            && same(finished_slots, &other.finished_slots)
            && *triggered == other.triggered
            && *cancel == other.cancel
            && *samples == other.samples
            && *device == other.device
    }
}

impl PartialEq for Outputs {
    fn eq(&self, other: &Self) -> bool {
        let Self {
            launch_ready,
            dispatch,
            finished_kernels,
            context,
            cancelled,
            cancel_held,
            running_limits,
            device,
        } = self;
        *launch_ready == other.launch_ready
            && *dispatch == other.dispatch
            && *finished_kernels == other.finished_kernels
            && *context == other.context
            && *cancelled == other.cancelled
            && *cancel_held == other.cancel_held
            && same(running_limits, &other.running_limits)
            && *device == other.device
    }
}

fn same(row: &[u8], other: &[u8]) -> bool {
    row.len() == other.len() && (row.is_empty() || row == other)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::port::{CoreSample, Dim3, KernelContext, KernelEntry, KernelLaunch};

    /// Each of `changes` makes another one of a default `T`.
    fn each_is_another<T: Default + PartialEq>(changes: &[fn(&mut T)]) {
        assert!(T::default() == T::default());
        for (place, change) in changes.iter().enumerate() {
            let mut changed = T::default();
            change(&mut changed);
            assert!(changed != T::default() && T::default() != changed, "change {place}");
        }
    }

    #[test]
    fn inputs_differ_if_any_field_does() {
        each_is_another::<Inputs>(&[
            |inputs| inputs.reset = true,
            |inputs| inputs.launch = Some(KernelLaunch::default()),
            |inputs| inputs.finished = vec![None],
            |inputs| inputs.finished_slots = vec![0],
            |inputs| inputs.triggered = vec![None],
            |inputs| inputs.cancel = Some(KernelEntry(0)),
            |inputs| inputs.lookup = Some(KernelEntry(0)),
            |inputs| inputs.clock = Some(0),
            |inputs| inputs.samples = Some(vec![CoreSample::default()]),
            |inputs| inputs.device.management.device_launch = true,
        ]);
        let of = |slot| Inputs { finished_slots: vec![0, slot], ..Inputs::default() };
        assert!(of(1) == of(1) && of(1) != of(2));
    }

    #[test]
    fn outputs_differ_if_any_field_does() {
        each_is_another::<Outputs>(&[
            |outputs| outputs.launch_ready = Some(KernelEntry(0)),
            |outputs| outputs.dispatch = vec![None],
            |outputs| outputs.finished_kernels = 1,
            |outputs| outputs.context = Some(KernelContext::default()),
            |outputs| outputs.cancelled = Some(Dim3::default()),
            |outputs| outputs.cancel_held = true,
            |outputs| outputs.running_limits = vec![0],
            |outputs| outputs.device.management.inspect = 1,
        ]);
        let of = |limit| Outputs { running_limits: vec![1, limit], ..Outputs::default() };
        assert!(of(1) == of(1) && of(1) != of(2));
    }
}
