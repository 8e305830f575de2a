//! The behavioural reference GPU, event-driven: host streams, SMXs, caches and memory.
//!
//! In cycle `c` the run loop calls, in this order, [`Gpu::advance`] (what happens inside: memory
//! replies, transactions, instructions), [`Gpu::inputs`], the scheduler, and [`Gpu::apply`].
//! Nothing that happens inside in `c` changes the inputs of `c`, except blocks whose end was
//! already known.

mod advance;
mod bad_value;
pub mod barriers;
pub mod block;
pub mod cache;
pub mod channel;
pub mod clock;
pub mod cluster_barrier;
pub mod clusters;
pub mod coalescer;
pub mod config;
pub mod contention;
mod dependence;
pub mod device;
pub mod divisor;
pub mod event;
pub mod failure;
pub mod fifo;
pub mod host;
pub mod intervals;
mod issue;
pub mod kernel;
pub mod l1;
mod lane_addresses;
mod launch;
pub mod load_store;
pub mod memory;
pub mod overlap;
mod persistence;
mod ports;
pub mod prefetch;
pub mod program;
mod sampling;
pub mod scoreboard;
pub mod sharing;
pub mod smx;
mod start;
pub mod store_buffer;
pub mod stream;
mod synchronize;
pub mod warp_scheduler;
mod warp_set;

use std::collections::BTreeMap;
use std::rc::Rc;

// Known here as `crate::diagnostic` and so on.
use blockyard_contract::{diagnostic, input, key, mask, plain, port};

use config::{GpuConfig, Protocol};
use device::Device;
use diagnostic::InputError;
use event::Calendar;
use host::HostProgram;
use kernel::Kernel;
use memory::load::RunApart;
use memory::Memory;
use port::{GroupReference, KernelEntry, LaunchMode, SchedulerPorts, KERNEL_ENTRIES};
use sampling::Sampling;
use sharing::{Footprint, RelativeHits, Sharing};
use smx::Smx;
use stream::Streams;

/// Most threads of a block on all of these GPUs.
pub const MAX_BLOCK_THREADS: u128 = 1024;

/// See the module.
pub struct Gpu {
    config: GpuConfig,
    calendar: Calendar,
    smxs: Vec<Smx>,
    issued: issue::Issued,
    memory: Memory,
    program: Box<dyn HostProgram>,
    streams: Streams,
    kernels: Vec<Kernel>,
    /// The kernel in each entry of the Kernel Distributor.
    entries: [Option<usize>; KERNEL_ENTRIES],
    /// For each kernel name its number and how often it was launched.
    names: BTreeMap<Rc<str>, (u32, u32)>,
    /// Kernel of the lowest-numbered SMX dispatched to in the cycle before.
    lookup: Option<KernelEntry>,
    /// Whether an SMX forgets what it does not own at its first block of every kernel.
    coherent: bool,
    device: Device,
    /// Whether the scheduler places the blocks of a cluster together.
    places_clusters: bool,
    /// Clusters whose blocks have something to do with each other and have not all started.
    open_clusters: clusters::Open,
    /// Whether the scheduler cancels whole clusters.
    cancels_clusters: bool,
    /// Running blocks that ask when their work is done.
    clusters: persistence::Clusters,
    /// Resident kernels of the host that have not finished, under `--launch dtbl`.
    residents: Vec<usize>,
    /// Whether a block has ended, or a warp has launched, since [`Gpu::run_ahead`] was called.
    ports_may_change: bool,
    sampling: Sampling,
    /// Only on request.
    sharing: Option<Box<Sharing>>,
}

impl Gpu {
    /// A GPU of the given configuration whose host runs `program`, of which no block launches
    /// anything.
    ///
    /// # Errors
    /// When the configuration is not sound, or a launch of the program can never run.
    pub fn new(config: GpuConfig, program: Box<dyn HostProgram>) -> Result<Self, InputError> {
        Self::launching(config, LaunchMode::Flat, program)
    }

    /// As [`Gpu::new`]; `mode` says how what blocks launch reaches the scheduler, which has no more
    /// ports for it than that needs (but see [`Gpu::drive`]).
    ///
    /// # Errors
    /// As [`Gpu::new`].
    pub fn launching(
        config: GpuConfig,
        mode: LaunchMode,
        program: Box<dyn HostProgram>,
    ) -> Result<Self, InputError> {
        config.validate()?;
        let mut gpu = Self {
            calendar: Calendar::new(config.smx.count as usize),
            smxs: (0..config.smx.count as u8).map(|id| Smx::new(id, mode, &config)).collect(),
            issued: issue::Issued::default(),
            memory: Memory::new(&config),
            program,
            streams: Streams::new(config.launch.host),
            kernels: Vec::new(),
            entries: [None; KERNEL_ENTRIES],
            names: BTreeMap::new(),
            lookup: None,
            coherent: config.coherence.protocol != Protocol::None,
            device: Device::new(mode, &config.launch),
            places_clusters: false,
            open_clusters: clusters::Open::new(),
            cancels_clusters: false,
            clusters: persistence::Clusters::new(),
            residents: Vec::new(),
            ports_may_change: false,
            sampling: Sampling::default(),
            sharing: None,
            config,
        };
        let launches = gpu.program.start();
        let any = !launches.is_empty();
        gpu.submit(launches, 0)?;
        if any && gpu.done() {
            gpu.go_on(0)?;
        }
        Ok(gpu)
    }

    /// Its configuration.
    #[inline]
    pub fn config(&self) -> &GpuConfig {
        &self.config
    }

    /// Every kernel launched so far, in order of launch.
    #[inline]
    pub fn kernels(&self) -> &[Kernel] {
        &self.kernels
    }

    /// The kernel in `entry` of the Kernel Distributor.
    pub fn kernel_in(&self, entry: KernelEntry) -> Option<&Kernel> {
        Some(&self.kernels[self.entries[entry.index()]?])
    }

    /// The SMXs.
    #[inline]
    pub fn smxs(&self) -> &[Smx] {
        &self.smxs
    }

    /// What blocks launch.
    #[inline]
    pub fn device(&self) -> &Device {
        &self.device
    }

    /// The place of the group that the scheduler calls `reference` among the groups of its kernel,
    /// from 1; 0 stands for the native blocks.
    pub fn group_ordinal(&self, reference: Option<GroupReference>) -> u32 {
        let group = reference.and_then(|reference| self.device.group(reference));
        group.map_or(0, |group| group.ordinal)
    }

    /// L2 and DRAM.
    #[inline]
    pub fn memory(&self) -> &Memory {
        &self.memory
    }

    /// From now on the scheduler has these ports; at first those that its launch mode needs. To be
    /// called before the first cycle.
    pub fn drive(&mut self, ports: SchedulerPorts) {
        self.device.drive(ports);
        self.streams.overlap(ports.sees_triggers());
    }

    /// The scheduler keeps what blocks launch in a queue for each `cluster` SMXs in a row, at least
    /// 1; at first one for each SMX. Nothing but a count hangs on it.
    pub fn share_queues(&mut self, cluster: usize) {
        self.device.share_queues(cluster);
    }

    /// From now on what blocks share is looked for: see [`sharing`]. To be called before the first
    /// cycle.
    pub fn look_for_sharing(&mut self) {
        self.sharing = Some(Box::default());
        self.smxs.iter_mut().for_each(Smx::look_for_sharing);
    }

    /// What blocks share so far, and on what their hits in L1s were, if that is looked for.
    pub fn shared(&self) -> Option<(Footprint, RelativeHits)> {
        let sharing = self.sharing.as_ref()?;
        let smxs = || self.smxs.iter().filter_map(Smx::sharing);
        let none = RelativeHits::default();
        let hits = smxs().fold(none, |hits, smx| hits.and(smx.hits()));
        Some((sharing.footprint(smxs()), hits))
    }

    /// From now on counts what SMXs issue and what DRAM does for them in intervals of `length`
    /// cycles: see [`Smx::issued`] and [`Memory::services`]. To be called before the first cycle.
    ///
    /// # Panics
    /// When `length` is 0.
    pub fn count_in_intervals(&mut self, length: u64) {
        self.smxs.iter_mut().for_each(|smx| smx.count_in_intervals(length));
        self.memory.count_services(self.smxs.len(), length);
    }

    /// From now on the inputs of every cycle `k * period`, `k >= 1`, carry a sample of each SMX, as
    /// long as the GPU is not done; a period of 0 means none.
    pub fn sample_every(&mut self, period: u16) {
        self.sampling = Sampling::new(period);
    }

    /// From now on up to `threads` threads share the work, this one included, when `apart` says.
    /// The results are the same. To be called before the first cycle.
    pub fn use_threads(&mut self, threads: usize, apart: RunApart) {
        self.memory.use_threads(threads, apart);
    }

    /// Waits for what other threads do, so that the counts are whole: for a run that ends before it
    /// is done.
    pub fn halt(&mut self) {
        self.memory.join(&mut self.calendar);
    }

    /// Whether every kernel has finished, and neither the host nor a block launches more.
    pub fn done(&self) -> bool {
        self.streams.is_empty() && self.device.is_idle()
    }

    /// What the user should know of the host program, beside its results.
    pub fn remark(&self) -> Option<String> {
        self.program.remark()
    }

    /// Takes what the host program leaves for the user.
    pub fn products(&mut self) -> host::Products {
        self.program.products()
    }

    /// Asks the host program whether its results are right.
    ///
    /// # Errors
    /// The program's message when they are not.
    pub fn verify(&mut self) -> Result<(), String> {
        self.program.verify()
    }

    /// The next cycle in which something happens inside or at the ports, if ever.
    pub fn next_event(&self) -> Option<u64> {
        self.calendar.next().into_iter().chain(self.next_port_event()).min()
    }

    /// The next cycle, apart from events inside, in which the ports change, if ever.
    fn next_port_event(&self) -> Option<u64> {
        let sampling = self.sampling.next_change(self.calendar.now()).filter(|_| !self.done());
        self.next_arrival().into_iter().chain(sampling).chain(self.next_device_change()).min()
    }

    /// As [`Gpu::next_event`], samples apart: `None` means that only the scheduler can go on.
    pub fn next_own_event(&self) -> Option<u64> {
        let ports = self.next_arrival().into_iter().chain(self.next_device_change());
        self.calendar.next().into_iter().chain(ports).min()
    }

    fn next_device_change(&self) -> Option<u64> {
        let now = self.calendar.now();
        self.device.next_change(now).map(|cycle| cycle.max(now))
    }

    fn next_arrival(&self) -> Option<u64> {
        self.streams.next_arrival().map(|cycle| cycle.max(self.calendar.now()))
    }

    /// Everything has finished, the last of it in `cycle`: the host goes on, past launches that are
    /// left out.
    fn go_on(&mut self, cycle: u64) -> Result<(), InputError> {
        while self.done() {
            let launches = self.program.all_finished(cycle);
            if launches.is_empty() {
                break;
            }
            self.submit(launches, cycle + 1)?;
        }
        Ok(())
    }

    fn finish(&mut self, entry: usize, cycle: u64) -> Result<(), InputError> {
        let index = self.entries[entry].take().expect("an occupied entry");
        self.device.suspended.left(entry);
        self.kernels[index].entries -= 1;
        if self.kernels[index].entries > 0 || self.kernels[index].suspended > 0 {
            return Ok(());
        }
        self.kernels[index].finish = Some(cycle);
        self.kernels[index].body = None;
        self.let_go(index, cycle);
        self.streams.finished(index, cycle);
        self.residents.retain(|&kernel| kernel != index);
        #[cfg(test)]
        self.memory.shadow.kernel_ended();
        let Kernel { name, instance, parent, member, .. } = &self.kernels[index];
        if parent.is_some() {
            self.device.kernel_finished();
        }
        if let Some(member) = *member {
            self.device.families.ended(member);
        }
        let launches = self.program.kernel_finished(name, *instance, cycle);
        self.submit(launches, cycle + 1)?;
        if self.done() {
            self.go_on(cycle)?;
            if self.done() {
                self.memory.run_ahead(&mut self.calendar);
            }
        }
        Ok(())
    }
}

/// The numbers of the bits that are set.
fn bits(mut set: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = (set != 0).then(|| set.trailing_zeros() as usize)?;
        set &= set - 1;
        Some(bit)
    })
}

#[cfg(test)]
mod tests;
