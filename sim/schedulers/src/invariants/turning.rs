//! What of the rules' state goes round while a scheduler only turns.

use super::clusters::ClusterRules;
use super::device::Management;
use super::domains::DomainRules;
use super::issue::Turn;
use super::limits::Limits;
use super::partitions::PartitionRules;
use super::priority::Selection;
use super::triggers::TriggerRules;
use super::Invariants;

/// Everything in [`Invariants`] that may change although nothing crosses the ports, but for what
/// comes to an end by itself. The rest may be much: there may be a hundred thousand groups.
#[derive(Clone, PartialEq)]
pub struct Turning {
    turn: Turn,
    throttle: Option<Limits>,
    management: Option<Management>,
    selection: Option<Selection>,
    clusters: Option<ClusterRules>,
    partitions: Option<PartitionRules>,
    triggers: Option<TriggerRules>,
    domains: Option<DomainRules>,
}

impl Invariants {
    /// Where the rules are in their turns. As long as nothing crosses the ports they are back in
    /// the state of an earlier cycle when this is what it was then. None as long as blocks are to
    /// be counted, a unit is on its way to its place in a queue or a kernel is about to end.
    pub fn turning(&self) -> Option<Turning> {
        let counting = self.groups.as_ref().is_some_and(|groups| groups.is_counting());
        let inserting = self.priority.as_ref().is_some_and(|priority| priority.is_inserting());
        let ending = self.ends.as_ref().is_some_and(|ends| ends.are_awaited());
        (!counting && !inserting && !ending).then(|| Turning {
            turn: self.turn.clone(),
            throttle: self.throttle.clone(),
            management: self.management.clone(),
            selection: self.priority.as_ref().map(|priority| priority.selection().clone()),
            clusters: self.clusters.clone(),
            partitions: self.partitions.clone(),
            triggers: self.triggers.clone(),
            domains: self.domains.clone(),
        })
    }
}
