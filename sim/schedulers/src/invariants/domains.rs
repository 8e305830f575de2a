//! Each domain runs its own share of each kernel, in order, by the rules of `docs/domains.md`.

use std::collections::VecDeque;

use super::issue::Issued;
use crate::domains::DomainsConfig;
use crate::port::{FloorPlan, KernelEntry, KernelLaunch};

/// A kernel of which a domain has blocks left.
#[derive(Clone, PartialEq)]
struct Waiting {
    kernel: KernelEntry,
    /// The next block that is for this domain.
    next: u64,
}

/// See the module.
#[derive(Clone, PartialEq)]
pub(super) struct DomainRules {
    config: DomainsConfig,
    /// The domain of each SMX.
    domain_of: Vec<usize>,
    /// Of each domain the kernels of which it has blocks left, the oldest first.
    queues: Vec<VecDeque<Waiting>>,
}

impl DomainRules {
    /// Nothing is marked in the domains of `plan`.
    pub(super) fn new(config: DomainsConfig, plan: &FloorPlan) -> Self {
        let of = |(domain, smxs): (usize, std::ops::Range<usize>)| smxs.map(move |_| domain);
        let domain_of = plan.domain_ranges().enumerate().flat_map(of).collect();
        Self { config, domain_of, queues: vec![VecDeque::new(); plan.domains().len()] }
    }

    /// The same in the domains of `plan`.
    pub(super) fn on(&self, plan: &FloorPlan) -> Self {
        Self::new(self.config, plan)
    }

    /// The first block at or after `from`, of `blocks`, that is for `domain` (rules 4 and 5).
    fn own(&self, domain: usize, from: u64, blocks: u64) -> Option<u64> {
        let (domain, domains) = (domain as u64, self.queues.len() as u64);
        let own = match self.config {
            DomainsConfig::Interleave { chunk } => {
                let chunk = u64::from(chunk);
                let round = chunk * domains;
                let first = from / round * round + domain * chunk;
                match from {
                    _ if from < first => first,
                    _ if from < first + chunk => from,
                    _ => first + round,
                }
            }
            DomainsConfig::Contiguous => {
                let begin =
                    |domain: u64| domain * (blocks / domains) + domain.min(blocks % domains);
                let own = from.max(begin(domain));
                return (own < begin(domain + 1)).then_some(own);
            }
        };
        (own < blocks).then_some(own)
    }

    /// The blocks of one cycle: at most one of each domain, the next one of its oldest kernel.
    pub(super) fn check(&mut self, issued: &[Issued]) -> Result<(), String> {
        let mut served = vec![false; self.queues.len()];
        for &Issued { smx, kernel, id, blocks, .. } in issued {
            let (domain, entry) = (self.domain_of[smx], kernel.0);
            if std::mem::replace(&mut served[domain], true) {
                return Err(format!("domain {domain} dispatches two blocks in one cycle"));
            }
            if self.own(domain, id, blocks) != Some(id) {
                return Err(format!(
                    "SMX {smx} of domain {domain} receives block {id} of entry {entry}, which is another domain's"
                ));
            }
            let queue = &mut self.queues[domain];
            let Some(head) = queue.front_mut() else {
                return Err(format!("domain {domain} has nothing left of entry {entry}"));
            };
            if head.kernel != kernel {
                let oldest = head.kernel.0;
                return Err(format!(
                    "entry {entry} dispatches in domain {domain} before entry {oldest}, which is older"
                ));
            }
            if head.next != id {
                let next = head.next;
                return Err(format!(
                    "domain {domain} dispatches block {id} of entry {entry} out of order: {next} was to come first"
                ));
            }
            let next = self.own(domain, id + 1, blocks);
            match (next, self.queues[domain].front_mut()) {
                (Some(next), Some(head)) => head.next = next,
                _ => drop(self.queues[domain].pop_front()),
            }
        }
        Ok(())
    }

    /// The clock edge: `entering` are the kernels that are accepted.
    pub(super) fn clock(&mut self, entering: impl Iterator<Item = (KernelLaunch, KernelEntry)>) {
        for (launch, kernel) in entering {
            let blocks = u64::from(launch.blocks);
            for domain in 0..self.queues.len() {
                if let Some(next) = self.own(domain, 0, blocks) {
                    self.queues[domain].push_back(Waiting { kernel, next });
                }
            }
        }
    }
}
