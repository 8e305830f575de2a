//! Twin of `domains/scheduler` (`docs/domains.md`): the whole. What is known of a kernel is there
//! once; everything else is its domain's.
//!
//! Latency: as on the page.

use super::cover;
use super::domain::{Domain, DomainInputs};
use super::DomainsConfig;
use crate::admission::Gates;
use crate::cover::{counting, when};
use crate::dispatch::Entry;
use crate::port::{
    Activity, Dispatch, FloorPlan, Inputs, KernelEntry, Outputs, Scheduler, SmxLimits,
    KERNEL_ENTRIES, MAX_SMX,
};
use crate::Twin;

/// Dispatchers of several domains that take the same kernels.
#[derive(Clone, Debug, PartialEq)]
pub struct DomainsScheduler {
    smx: usize,
    kernels: Vec<Option<Entry>>,
    domains: Vec<Domain>,
}

impl DomainsScheduler {
    /// The domains of `plan` after reset; `gates` makes the gates of so many SMXs.
    ///
    /// # Panics
    /// When `plan` has not 1 to [`MAX_SMX`] SMXs.
    pub fn new(
        plan: &FloorPlan,
        limits: SmxLimits,
        config: DomainsConfig,
        gates: impl Fn(usize) -> Gates,
    ) -> Self {
        let smx = plan.smx();
        assert!((1..=MAX_SMX).contains(&smx), "{smx} SMXs: expected 1 to {MAX_SMX}");
        let count = plan.domains().len();
        let domain = |(number, smxs): (usize, std::ops::Range<usize>)| {
            let gates = gates(smxs.len());
            Domain::new((number, count), smxs, config, limits, gates)
        };
        let domains = plan.domain_ranges().enumerate().map(domain).collect();
        Self { smx, kernels: vec![None; KERNEL_ENTRIES], domains }
    }

    fn marked(&self) -> u32 {
        self.domains.iter().fold(0, |marked, domain| marked | domain.marked())
    }

    /// Rule 7.
    fn finished_kernels(&self) -> u32 {
        let marked = self.marked();
        let ended = |&entry: &usize| {
            let nothing_runs = self.kernels[entry].is_some_and(|kernel| kernel.executing == 0);
            nothing_runs && marked >> entry & 1 == 0
        };
        (0..KERNEL_ENTRIES).filter(ended).fold(0, |bits, entry| bits | 1 << entry)
    }

    fn cover(&self, outputs: &Outputs) {
        if !counting() {
            return;
        }
        let went: Vec<_> = outputs.dispatch.iter().flatten().map(|block| block.kernel).collect();
        when(went.len() > 1, &cover::TOGETHER);
        when(went.iter().any(|kernel| *kernel != went[0]), &cover::TWO_KERNELS);
        let heads: Vec<_> = self.domains.iter().map(Domain::head).collect();
        let behind = |kernel: &KernelEntry| {
            self.domains.iter().zip(&heads).any(|(domain, head)| {
                *head != Some(*kernel) && domain.marked() >> kernel.index() & 1 == 1
            })
        };
        when(went.iter().any(behind), &cover::AHEAD);
        let begun = |head: &KernelEntry| {
            let everywhere = self.domains.iter().all(|d| d.marked() >> head.index() & 1 == 1);
            let runs = self.kernels[head.index()].is_some_and(|kernel| kernel.executing > 0);
            !everywhere && !runs
        };
        when(heads.iter().flatten().any(begun), &cover::WAITS);
    }
}

impl Scheduler for DomainsScheduler {
    fn smx(&self) -> usize {
        self.smx
    }

    fn cycle(&mut self, inputs: &Inputs, outputs: &mut Outputs) -> Activity {
        assert_eq!(inputs.finished.len(), self.smx, "one `finished` for each SMX");
        *outputs = Outputs::idle(self.smx);
        if inputs.reset {
            let mut activity = Activity::from(self.kernels.iter().any(Option::is_some));
            self.kernels.fill(None);
            for domain in &mut self.domains {
                activity |= domain.reset();
            }
            return activity;
        }

        // From the state alone.
        let free = self.kernels.iter().position(Option::is_none);
        outputs.launch_ready = free.map(|entry| KernelEntry(entry as u8));
        outputs.finished_kernels = self.finished_kernels();
        let asked = inputs.lookup.and_then(|entry| self.kernels[entry.index()].as_ref());
        outputs.context = asked.map(Entry::context);

        // Each domain for itself.
        let entered = inputs.launch.as_ref().zip(outputs.launch_ready);
        let before = self.clone_for_cover();
        let mut activity = Activity::Quiet;
        for domain in &mut self.domains {
            let smxs = domain.smxs();
            let gives_back = |entry: &Option<KernelEntry>| {
                let kernel = self.kernels[(*entry)?.index()].as_ref()?;
                Some(kernel.needs)
            };
            let seen = DomainInputs {
                kernels: &self.kernels,
                ended: inputs.finished[smxs.clone()].iter().map(gives_back).collect(),
                entered,
                samples: inputs.samples.as_ref().map(|samples| &samples[smxs]),
            };
            let (issue, edge) = domain.cycle(&seen);
            activity |= edge;
            if let Some(issue) = issue {
                let (kernel, block) = (issue.kernel, issue.block);
                outputs.dispatch[issue.smx] =
                    Some(Dispatch { kernel, block, ..Default::default() });
            }
        }
        if let Some(before) = before {
            before.cover(outputs);
        }

        // The kernels' clock edge.
        let executing = |kernels: &[Option<Entry>]| -> Vec<_> {
            kernels.iter().map(|kernel| kernel.map(|kernel| kernel.executing)).collect()
        };
        let were = executing(&self.kernels);
        for dispatch in outputs.dispatch.iter().flatten() {
            if let Some(kernel) = &mut self.kernels[dispatch.kernel.index()] {
                kernel.executing += 1;
            }
        }
        for finished in inputs.finished.iter().flatten() {
            if let Some(kernel) = &mut self.kernels[finished.index()] {
                kernel.executing = kernel.executing.saturating_sub(1);
            }
        }
        for entry in 0..KERNEL_ENTRIES {
            if outputs.finished_kernels >> entry & 1 == 1 {
                self.kernels[entry] = None;
            }
        }
        activity |= executing(&self.kernels) != were;
        if let Some((launch, entry)) = entered {
            self.kernels[entry.index()] = Some(Entry::of(launch));
            activity = Activity::Busy;
        }
        activity
    }

    fn explain(&self) -> String {
        let mut lines = Vec::new();
        for (number, domain) in self.domains.iter().enumerate() {
            lines.push(match domain.head() {
                Some(head) => {
                    format!("domain {number} distributes the kernel in entry {}", head.0)
                }
                None => format!("domain {number} has no kernel to distribute"),
            });
            let first = domain.smxs().start;
            lines.extend(domain.explain().map(|line| format!("  from SMX {first} on: {line}")));
        }
        lines.join("\n")
    }
}

impl DomainsScheduler {
    /// The state at the beginning of a cycle, if this thread counts what it meets.
    fn clone_for_cover(&self) -> Option<Self> {
        counting().then(|| self.clone())
    }
}

impl Twin for DomainsScheduler {
    /// Those of the first domain; none of them has anything that a fault could change.
    fn gates_mut(&mut self) -> &mut Gates {
        &mut self.domains[0].gates
    }

    /// Those of one domain after another.
    fn running_limits(&mut self) -> Vec<u8> {
        let of_domains = self.domains.iter().filter_map(|domain| domain.gates.running_limits());
        of_domains.flatten().collect()
    }
}
