//! Legal traffic with launches from the device, on the ports of a whole scheduler.

use super::super::ports::{Direction, Port};
use super::driver::packed;
use super::kernel::{self, Kernel};
use super::{Driver, Stimulus, RESET_CYCLES};
use crate::traffic::{Intensity, Traffic};
use blockyard_rtl::word::id_bits;
use blockyard_sim::port::{
    Cluster, DevicePorts, Dim3, Dispatch, EntryFetch, GroupOutcome, GroupReference, Inputs,
    KernelEntry, KernelLaunch, LaunchMode, LinkWrite, Outputs, Parent, ParentInputs, ParentOutputs,
    QueueEntry, QueueInputs, QueueOutputs, QueuePlace, RecordFetch, RingPlace, SmxLimits, Spill,
};
use rand::RngExt;

/// The limits of the configurations of the catalog.
const K20C: SmxLimits =
    SmxLimits { threads: 2048, registers: 65_536, shared_memory: 49_152, thread_block_slots: 16 };

/// The traffic of [`Traffic`], as values of ports.
pub struct Launches {
    mode: LaunchMode,
    ports: DevicePorts,
    traffic: Option<Traffic>,
    inputs: Inputs,
    idle: usize,
}

impl Launches {
    /// Traffic in one of the modes in which blocks launch.
    pub fn new(mode: LaunchMode) -> Self {
        Self { mode, ports: mode.into(), traffic: None, inputs: Inputs::default(), idle: 0 }
    }

    /// Traffic with groups, for a scheduler with priority queues.
    pub fn prioritized() -> Self {
        Self { ports: DevicePorts::Priority, ..Self::new(LaunchMode::Dtbl) }
    }

    /// Traffic with device kernels, for a scheduler with nesting levels.
    pub fn nested() -> Self {
        Self { ports: DevicePorts::Nested, ..Self::new(LaunchMode::Cdp) }
    }

    fn set(&self, driver: &mut Driver) {
        let Inputs { launch, finished, finished_slots, triggered, cancel, lookup, device, .. } =
            &self.inputs;
        let entry = |entry: &Option<KernelEntry>| entry.map_or(0, |entry| entry.0.into());
        let ended: Vec<bool> = finished.iter().map(Option::is_some).collect();
        let mut set = |name: &str, values: &[u64]| {
            if driver.has(name) {
                driver.set(name, values);
            }
        };
        set(kernel::PORT, &words(launch));
        set("work_queue", &[device.management.work_queue.into()]);
        set("device_launch", &[device.management.device_launch.into()]);
        set("suspend", &[device.management.suspend.into()]);
        set("record", &words(&device.management.record));
        set("finished", &packed(&ended));
        set("finished_kernel", &finished.iter().map(entry).collect::<Vec<u64>>());
        set("finished_slot", &finished_slots.iter().map(|&slot| slot.into()).collect::<Vec<u64>>());
        let triggers: Vec<bool> = triggered.iter().map(Option::is_some).collect();
        set("triggered", &packed(&triggers));
        set("triggered_kernel", &triggered.iter().map(entry).collect::<Vec<u64>>());
        set("cancel", &[cancel.is_some().into(), entry(cancel)]);
        if let Some(kernel) = device.management.record.as_ref().or(launch.as_ref()) {
            set("urgency", &[kernel.priority.into()]);
            set("partition", &[kernel.partition.into()]);
            let Cluster { x, y, z } = kernel.cluster;
            set("cluster", &[x, y, z].map(u64::from));
            set("follows", &[kernel.follows.is_some().into(), entry(&kernel.follows)]);
        }
        set("lookup", &[lookup.is_some().into(), entry(lookup)]);
        set("lookup_group", &[reference(device.groups.lookup_group)]);
        let command = device.groups.command.map_or_else(Vec::new, |command| {
            let [x, y, z] = sides(command.block);
            vec![1, command.entry_pc.into(), x, y, z, command.groups.into(), command.wait.into()]
        });
        set("command", &command);
        let group = device.groups.group.map_or_else(Vec::new, |group| {
            let [x, y, z] = sides(group.grid);
            let (thread, pointer) = (group.hardware_thread.into(), group.pointer.into());
            vec![1, thread, pointer, group.parameter_address.into(), x, y, z, group.blocks.into()]
        });
        set("group", &group);
        let fetched = device.group_memory.fetched.map_or_else(Vec::new, |group| {
            let [x, y, z] = sides(group.grid);
            vec![1, x, y, z, reference(group.next)]
        });
        set("fetched", &fetched);
        set("keep", &[device.groups.keep.into()]);
        let ParentInputs { launch_parent, record_place } = &device.parents;
        let QueueInputs { group_parent, refill } = &device.queues;
        let parent = |parent: &Parent| [parent.smx.into(), parent.level.into()];
        let place = |place: &QueuePlace| [place.queue.into(), place.level.into()];
        set("launch_parent", &parent(launch_parent));
        set("record_place", &place(record_place));
        set("group_parent", &parent(group_parent));
        let refill = refill.map_or_else(Vec::new, |refill| {
            let [queue, level] = place(&refill.place);
            let [x, y, z] = sides(refill.entry.grid);
            let kernel = refill.entry.kernel.0.into();
            vec![1, queue, level, kernel, reference(refill.entry.group), x, y, z]
        });
        set("refill", &refill);
    }
}

fn sides(extent: Dim3) -> [u64; 3] {
    [extent.x.into(), extent.y.into(), extent.z.into()]
}

fn reference(group: Option<GroupReference>) -> u64 {
    group.map_or(GroupReference::NONE, GroupReference::word).into()
}

/// The values of a port that carries a kernel.
fn words(launch: &Option<KernelLaunch>) -> Vec<u64> {
    let Some(kernel) = launch else { return Vec::new() };
    let [bx, by, bz] = sides(kernel.block);
    let [gx, gy, gz] = sides(kernel.grid);
    let needs = &kernel.needs;
    let (pc, address) = (kernel.entry_pc.into(), kernel.parameter_address.into());
    let needs = [needs.threads, needs.registers, needs.shared_memory].map(u64::from);
    let words: Kernel =
        [pc, address, bx, by, bz, gx, gy, gz, kernel.blocks.into(), needs[0], needs[1], needs[2]];
    kernel::launch(true, &words)
}

impl Stimulus for Launches {
    fn drive(&mut self, driver: &mut Driver, cycle: usize) -> bool {
        let smx = driver.width("finished");
        let (mode, ports) = (self.mode, self.ports);
        let traffic = self.traffic.get_or_insert_with(|| {
            let seed = driver.random().random();
            let mut traffic = Traffic::new(smx, K20C, Intensity::RESTARTED, seed);
            if driver.has("urgency") {
                traffic = traffic.urgent();
            }
            if driver.has("partition") {
                traffic = traffic.partitioned();
            }
            if driver.has("cluster") {
                traffic = traffic.clustered(&smx.into(), seed);
            }
            if driver.has("follows") {
                traffic = traffic.dependent(seed);
            }
            if driver.has("cancel") {
                traffic = traffic.cancelling(seed);
            }
            match ports {
                DevicePorts::Priority => traffic.prioritized(mode, seed),
                DevicePorts::Nested => traffic.nested(mode, seed),
                _ => traffic.launching(mode, 8, seed),
            }
        });
        let (launch, finish) = match cycle / 300 % 4 {
            0 => (900, 2),
            1 => (5, 700),
            2 => (300, 60),
            _ => (100, 120),
        };
        traffic.hurry(Intensity { launch, finish, ..Intensity::RESTARTED });
        // Now and then everything stands still.
        if self.idle == 0 && driver.chance(4) {
            self.idle = 12;
        }
        self.idle = self.idle.saturating_sub(1);
        if self.idle > 0 {
            self.inputs = Inputs::idle(smx);
            self.inputs.finished_slots = vec![0; smx];
            self.inputs.triggered = vec![None; smx];
        } else {
            traffic.next(&mut self.inputs);
        }
        self.inputs.reset |= cycle < RESET_CYCLES;
        driver.reset(self.inputs.reset);
        self.set(driver);
        if driver.has("sample") {
            let sample = driver.chance(30);
            driver.set("sample", &[u64::from(sample)]);
            if sample {
                driver.scramble("idle", 500);
                driver.scramble("memory", 500);
            }
        }
        if driver.has("allow") {
            let open: Vec<bool> = (0..smx).map(|_| driver.chance(800)).collect();
            let request = driver.settled_bits("request");
            let allow: Vec<bool> =
                request.iter().zip(open).map(|(asks, open)| asks & open).collect();
            driver.set("allow", &packed(&allow));
        }
        true
    }

    fn observe(&mut self, ports: &[Port], _inputs: &[u32], outputs: &[u32]) {
        let seen = Seen { ports, row: outputs };
        let traffic = self.traffic.as_mut().expect("it was driven");
        traffic.observe(&self.inputs, &seen.outputs(&self.inputs));
    }
}

/// The outputs of a cycle.
struct Seen<'a> {
    ports: &'a [Port],
    row: &'a [u32],
}

impl Seen<'_> {
    /// `bits` bits from `offset` on of the output `name`, or of each element of an array; nothing
    /// where there is no such port.
    fn all(&self, name: &str, offset: usize, bits: usize) -> Vec<u64> {
        let outputs = self.ports.iter().filter(|port| port.direction == Direction::Output);
        let named = outputs.filter(|port| port.is(name));
        named.map(|port| slice(port.value(self.row), offset, bits)).collect()
    }

    fn one(&self, name: &str, offset: usize, bits: usize) -> u64 {
        self.all(name, offset, bits).first().copied().unwrap_or(0)
    }

    fn outputs(&self, inputs: &Inputs) -> Outputs {
        let entry = |word: u64| KernelEntry(word as u8);
        let taken = KernelEntry(self.one("launch_entry", 0, 5) as u8);
        let mut outputs = Outputs {
            launch_ready: (self.one("launch_ready", 0, 1) == 1).then_some(taken),
            finished_kernels: self.one("finished_kernels", 0, 32) as u32,
            ..Outputs::default()
        };
        let groups = match self.mode_has_groups() {
            true => self.all("dispatch", 6, 32),
            false => vec![GroupReference::NONE.into(); inputs.finished.len()],
        };
        let slots = self.all("slot", 0, 5);
        for (smx, word) in self.all("dispatch", 0, 6).into_iter().enumerate() {
            outputs.dispatch.push((word & 1 == 1).then(|| Dispatch {
                kernel: entry(word >> 1),
                block: Dim3::default(),
                group: GroupReference::from_word(groups[smx] as u32),
                slot: slots.get(smx).copied().unwrap_or(0) as u8,
            }));
        }
        let device = &mut outputs.device;
        let prioritized = self.ports.iter().any(|port| port.is("record_taken"));
        let accepted = !prioritized || self.one("record_taken", 0, 1) == 1;
        device.management.record_entry =
            inputs.device.management.record.filter(|_| accepted).map(|_| taken);
        (device.parents, device.queues) = self.priorities();
        device.management.fetch_record =
            (self.one("fetch_record", 0, 1) == 1).then(|| RecordFetch {
                suspended: self.one("fetch_suspended", 0, 1) == 1,
                index: self.one("fetch_index", 0, 32) as u32,
            });
        device.groups.command_ready = self.one("command_ready", 0, 1) == 1;
        device.groups.group_taken = match self.one("outcome", 0, 7) {
            word if word & 1 == 0 => None,
            word if word & 2 == 0 => Some(GroupOutcome::NoEligibleKernel),
            word => GroupReference::from_word(self.one("outcome", 7, 32) as u32)
                .map(|reference| GroupOutcome::Coalesced { kernel: entry(word >> 2), reference }),
        };
        device.group_memory.fetch_group = (self.one("fetch_group", 0, 1) == 1).then(|| RingPlace {
            kernel: entry(self.one("fetch_group", 1, 5)),
            index: self.one("fetch_group", 6, 32) as u32,
        });
        if self.one("link_write", 0, 1) == 1 {
            let next = GroupReference::from_word(self.one("link_write", 32, 32) as u32);
            let pointer = self.one("link_write", 1, 31) as u32;
            device.group_memory.link_write = next.map(|next| LinkWrite { pointer, next });
        }
        outputs
    }

    /// What concerns priority queues; at rest where there are none.
    fn priorities(&self) -> (ParentOutputs, QueueOutputs) {
        let id = id_bits(self.all("dispatch", 0, 1).len());
        let place = |name: &str, at: usize| QueuePlace {
            queue: self.one(name, at, id) as u8,
            level: self.one(name, at + id, 4) as u8,
        };
        // What follows the valid bit and the place.
        let behind = 1 + id + 4;
        let spill = (self.one("spill", 0, 1) == 1).then(|| Spill {
            place: place("spill", 1),
            index: self.one("spill", behind, 32) as u32,
            entry: QueueEntry {
                kernel: KernelEntry(self.one("spill", behind + 32, 5) as u8),
                group: GroupReference::from_word(self.one("spill", behind + 37, 32) as u32),
                grid: Dim3::new(
                    self.one("spill", behind + 69, 31) as u32,
                    self.one("spill", behind + 100, 16) as u32,
                    self.one("spill", behind + 116, 16) as u32,
                ),
            },
        });
        let fetch_entry = (self.one("fetch_entry", 0, 1) == 1).then(|| EntryFetch {
            place: place("fetch_entry", 1),
            index: self.one("fetch_entry", behind, 32) as u32,
        });
        let parents = ParentOutputs {
            launch_place: place("launch_place", 0),
            fetch_place: place("fetch_place", 0),
        };
        let queues = QueueOutputs {
            level: self.one("level", 0, 4) as u8,
            spill,
            fetch_entry,
            refill_taken: self.one("refill_taken", 0, 1) == 1,
        };
        (parents, queues)
    }

    fn mode_has_groups(&self) -> bool {
        self.ports.iter().any(|port| port.is("outcome"))
    }
}

/// `bits` bits, at most 64, from `offset` on of a value in words of 32 bits.
pub(super) fn slice(value: &[u32], offset: usize, bits: usize) -> u64 {
    let word = |at: usize| u128::from(value.get(at).copied().unwrap_or(0));
    let from = offset / 32;
    let wide = word(from) | word(from + 1) << 32 | word(from + 2) << 64;
    (wide >> (offset % 32) & ((1u128 << bits) - 1)) as u64
}
