//! The ports of a scheduler's module, driven and read as the contract has them.

use super::{group_ports, ports, priority_ports};
use blockyard_rtl::dependent::DependentPorts;
use blockyard_rtl::dtbl::{GroupMemoryPorts, GroupPorts};
use blockyard_rtl::gate::SamplePorts;
use blockyard_rtl::kmu::ManagementPorts;
use blockyard_rtl::laperm::{ParentPorts, QueuePorts};
use blockyard_rtl::mask::Mask;
use blockyard_rtl::port::{CancelPorts, LaunchPorts, LookupPorts};
use blockyard_rtl::schedulers::{
    CompletionInputs, DispatchOutputs, InputPorts, OutputPorts, SchedulerModule,
};
use blockyard_rtl::value::Value;
use blockyard_rtl::wire::Signal;
use blockyard_rtl::word::U;
use blockyard_sim::port::{
    DeviceInputs, Dispatch, GroupInputs, GroupMemoryInputs, Inputs, KernelEntry, ManagementInputs,
    Outputs, ParentInputs, QueueInputs, RecordFetch,
};
use rust_hdl::prelude::In;

/// Drives the ports of `module` with what the contract says of a cycle.
pub(super) fn drive(module: &mut dyn SchedulerModule, inputs: &Inputs) {
    let Inputs {
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
    } = inputs;
    module.drive_reset(*reset);
    let InputPorts {
        launch: LaunchPorts { launch: launch_port, launch_ready: _, launch_entry: _ },
        lookup: LookupPorts { lookup: lookup_port, context_valid: _, kernel_context: _ },
        completions,
        samples: sample_ports,
        clock: clock_port,
        relation,
        cluster,
        urgency,
        partition,
        dependents,
        cancels,
        management,
        record: record_port,
        groups,
        group_memory,
        parents,
        queues,
    } = module.inputs();
    launch_port.next = ports::launch(launch.as_ref());
    lookup_port.next = ports::tagged(*lookup);
    drive_completions(completions, finished, finished_slots);
    if let Some(SamplePorts { sample, idle, memory, running_limit: _ }) = sample_ports {
        sample.next = samples.is_some();
        for (smx, sample) in samples.iter().flatten().enumerate() {
            (idle[smx].next, memory[smx].next) = ports::counts(*sample);
        }
    }
    if let Some(port) = clock_port {
        port.next = U::wrap(clock.unwrap_or_default());
    }
    // Of the kernel that may enter: a record that arrives goes before the host's.
    let enters = device.management.record.as_ref().or(launch.as_ref());
    if let Some(port) = relation {
        port.next = ports::relation(enters);
    }
    if let Some(port) = cluster {
        port.next = ports::cluster(enters);
    }
    if let Some(port) = urgency {
        port.next = ports::urgency(enters);
    }
    if let Some(port) = partition {
        port.next = ports::partition(enters);
    }
    if let Some(dependents) = dependents {
        let DependentPorts { follows, triggered: port, triggered_kernel: kernel } = dependents;
        follows.next = ports::follows(enters);
        drive_blocks(port, kernel, triggered);
    }
    if let Some(CancelPorts { cancel: port, cancelled: _, cancel_held: _ }) = cancels {
        port.next = ports::tagged(*cancel);
    }
    let smx = finished.len();
    let DeviceInputs {
        management: ManagementInputs { work_queue, device_launch, suspend, record },
        groups: GroupInputs { lookup_group, command, group, keep },
        group_memory: GroupMemoryInputs { fetched },
        parents: ParentInputs { launch_parent, record_place },
        queues: QueueInputs { group_parent, refill },
    } = device;
    if let Some(ports) = management {
        let ManagementPorts {
            work_queue: queue_port,
            device_launch: launch_port,
            suspend: suspend_port,
            inspect: _,
            fetch_record: _,
            fetch_suspended: _,
            fetch_index: _,
        } = ports;
        queue_port.next = U::new((*work_queue).into());
        launch_port.next = *device_launch;
        suspend_port.next = *suspend;
    }
    if let Some(port) = record_port {
        port.next = ports::launch(record.as_ref());
    }
    if let Some(ports) = groups {
        let GroupPorts {
            lookup_group: lookup,
            command: port,
            group: next,
            keep: keep_port,
            command_ready: _,
            outcome: _,
        } = ports;
        lookup.next = ports::reference(*lookup_group);
        port.next = ports::command(command.as_ref());
        next.next = group_ports::group(group.as_ref());
        keep_port.next = U::new((*keep).into());
    }
    if let Some(ports) = group_memory {
        let GroupMemoryPorts { fetched: port, fetch_group: _, link_write: _ } = ports;
        port.next = group_ports::fetched(fetched.as_ref());
    }
    if let Some(ports) = parents {
        let ParentPorts {
            launch_parent: parent,
            record_place: place,
            launch_place: _,
            fetch_place: _,
        } = ports;
        parent.next = priority_ports::parent(*launch_parent, smx);
        place.next = priority_ports::place(*record_place, smx);
    }
    if let Some(ports) = queues {
        let QueuePorts {
            group_parent: parent,
            refill: port,
            record_taken: _,
            level: _,
            spill: _,
            fetch_entry: _,
            refill_taken: _,
        } = ports;
        parent.next = priority_ports::parent(*group_parent, smx);
        port.next = priority_ports::refill(refill.as_ref(), smx);
    }
}

/// Reads what the settled `module` answers to `inputs`.
pub(super) fn read(module: &dyn SchedulerModule, inputs: &Inputs, outputs: &mut Outputs) {
    let OutputPorts {
        launch: LaunchPorts { launch: _, launch_ready, launch_entry },
        lookup: LookupPorts { lookup: _, context_valid, kernel_context },
        finished_kernels,
        dispatch,
        samples,
        cancels,
        management,
        groups,
        group_memory,
        parents,
        queues,
    } = module.outputs();
    let entry = ports::entry(launch_entry.val());
    outputs.launch_ready = launch_ready.val().then_some(entry);
    outputs.finished_kernels = finished_kernels.val().raw() as u32;
    outputs.context = ports::context(context_valid.val(), kernel_context.val());
    read_dispatch(dispatch, module.smx(), &mut outputs.dispatch);
    outputs.running_limits = samples.map(ports::running_limits).unwrap_or_default();
    if let Some(CancelPorts { cancel: _, cancelled, cancel_held }) = cancels {
        outputs.cancelled = ports::cancelled(cancelled.val());
        outputs.cancel_held = cancel_held.val();
    }

    let device = &mut outputs.device;
    let mut record = inputs.device.management.record.is_some();
    if let Some(ports) = parents {
        let ParentPorts { launch_parent: _, record_place: _, launch_place, fetch_place } = ports;
        device.parents.launch_place = priority_ports::read_place(launch_place.val());
        device.parents.fetch_place = priority_ports::read_place(fetch_place.val());
    }
    if let Some(ports) = queues {
        let QueuePorts {
            group_parent: _,
            refill: _,
            record_taken,
            level,
            spill,
            fetch_entry,
            refill_taken,
        } = ports;
        record = record_taken.val();
        device.queues.level = level.val().raw() as u8;
        device.queues.spill = priority_ports::spill(spill.val());
        device.queues.fetch_entry = priority_ports::fetch(fetch_entry.val());
        device.queues.refill_taken = refill_taken.val();
    }
    if let Some(ports) = management {
        let ManagementPorts {
            work_queue: _,
            device_launch: _,
            suspend: _,
            inspect,
            fetch_record,
            fetch_suspended,
            fetch_index,
        } = ports;
        device.management.inspect = inspect.val().raw() as u32;
        device.management.record_entry = record.then_some(entry);
        device.management.fetch_record = fetch_record.val().then(|| RecordFetch {
            suspended: fetch_suspended.val(),
            index: fetch_index.val().raw() as u32,
        });
    }
    if let Some(ports) = groups {
        let GroupPorts { lookup_group: _, command: _, group: _, keep: _, command_ready, outcome } =
            ports;
        device.groups.command_ready = command_ready.val();
        device.groups.group_taken = group_ports::outcome(outcome.val());
    }
    if let Some(ports) = group_memory {
        let GroupMemoryPorts { fetched: _, fetch_group, link_write } = ports;
        device.group_memory.fetch_group = group_ports::ring_place(fetch_group.val());
        device.group_memory.link_write = group_ports::link_write(link_write.val());
    }
}

/// The ports of blocks that end: their valid bits, and whose each is. Kernels and slots without
/// their valid bit mean nothing and are left as they are.
fn drive_completions(
    completions: CompletionInputs<'_>,
    finished: &[Option<KernelEntry>],
    slots: &[u8],
) {
    let CompletionInputs { finished: port, kernel, slot } = completions;
    drive_blocks(port, kernel, finished);
    for (smx, entry) in finished.iter().enumerate() {
        if let (Some(_), Some(port), Some(&slot)) = (entry, slot.get_mut(smx), slots.get(smx)) {
            port.next = U::new(slot.into());
        }
    }
}

/// Which SMXs tell something of a block, and of whose.
fn drive_blocks(
    port: &mut Signal<In, Mask>,
    kernel: &mut [Signal<In, U<5>>],
    blocks: &[Option<KernelEntry>],
) {
    let mut mask = port.next.zeros();
    for (smx, entry) in blocks.iter().enumerate() {
        let Some(entry) = entry else { continue };
        mask.set(smx, true);
        if let Some(kernel) = kernel.get_mut(smx) {
            kernel.next = U::new(entry.0.into());
        }
    }
    port.next = mask;
}

/// What each of `smx` SMXs receives.
fn read_dispatch(ports: DispatchOutputs<'_>, smx: usize, dispatch: &mut Vec<Option<Dispatch>>) {
    let DispatchOutputs { native, grouped, slot } = ports;
    dispatch.resize(smx, None);
    for (smx, block) in dispatch.iter_mut().enumerate() {
        let slot = slot.get(smx).map_or(U::new(0), |port| port.val());
        *block = match (native.get(smx), grouped.get(smx)) {
            (Some(port), _) => ports::dispatch(port.val(), slot),
            (None, Some(port)) => group_ports::dispatch(port.val(), slot),
            (None, None) => None,
        };
    }
}
