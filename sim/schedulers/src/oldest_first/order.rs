//! Twin of `oldest_first/order`: the SMXs in the order in which they were served, longest ago
//! first.

use crate::port::{Activity, KernelEntry, KernelLaunch};
use crate::{AdmissionGate, SmxMask};

/// Lets one of those go that ask, as the last of the gates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Order(Vec<usize>);

impl Order {
    /// Of `smx` SMXs after reset: by number.
    pub fn new(smx: usize) -> Self {
        Self((0..smx).collect())
    }
}

impl AdmissionGate for Order {
    fn allow(&self, _: KernelEntry, request: SmxMask, _: usize) -> SmxMask {
        let mut allow = SmxMask::ZERO;
        if let Some(&oldest) = self.0.iter().find(|&&smx| request[smx]) {
            allow.set(oldest, true);
        }
        allow
    }

    fn taken(&mut self, _: KernelEntry, taken: SmxMask) -> Activity {
        let before = self.0.clone();
        self.0.sort_by_key(|&smx| taken[smx]);
        Activity::from(before != self.0)
    }

    fn launch(&mut self, _: KernelEntry, _: &KernelLaunch) -> Activity {
        Activity::Quiet
    }

    fn reset(&mut self) -> Activity {
        let before = std::mem::take(&mut self.0);
        *self = Self::new(before.len());
        Activity::from(before != self.0)
    }

    fn explain(&self, _: KernelEntry) -> String {
        let order: Vec<_> = self.0.iter().map(usize::to_string).collect();
        format!("SMXs by how long they have waited: {}", order.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::mask::of;
    use super::*;

    const ANY: KernelEntry = KernelEntry(0);

    #[test]
    fn who_was_served_waits_behind_all_others_and_keeps_its_place_behind_who_was_served_before() {
        let mut order = Order::new(3);
        assert_eq!(order.allow(ANY, of([1, 2]), 0), of([1]));
        assert_eq!(order.taken(ANY, of([1])), Activity::Busy);
        assert_eq!(order.allow(ANY, of([1, 2]), 0), of([2]));
        assert_eq!(order.taken(ANY, of([0])), Activity::Busy);
        assert_eq!(order.allow(ANY, of([0, 1]), 0), of([1]));
        assert_eq!(order.taken(ANY, of([0])), Activity::Quiet);
        assert_eq!(order.allow(ANY, SmxMask::ZERO, 0), SmxMask::ZERO);
        assert_eq!(order.reset(), Activity::Busy);
        assert_eq!(order, Order::new(3));
    }
}
