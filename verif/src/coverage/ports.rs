//! Which ports a situation needs, and which a family has.

use crate::family::takes;
use blockyard_sim::port::{DevicePorts, LaunchMode, SchedulerPorts};
use blockyard_sim::sched::composition::Gate;
use blockyard_sim::sched::family::{Family, FAMILIES};
use blockyard_sim::sched::Composition;
use std::collections::HashMap;
use std::sync::LazyLock;

/// What has to be there beside the schedulers themselves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ports {
    /// Nothing.
    All,
    /// Samples of the SMXs.
    Samples,
    /// The number of the cycle.
    Clock,
    /// Those of the Kernel Management Unit.
    Kernels,
    /// Those of aggregated groups.
    Groups,
    /// Those of groups in memory.
    Memory,
    /// Those of priority queues.
    Queues,
    /// Those of kernels that follow others.
    Triggers,
    /// Those of blocks that ask for others.
    Cancels,
}

/// All of them.
const ALL: [Ports; 9] = [
    Ports::All,
    Ports::Samples,
    Ports::Clock,
    Ports::Kernels,
    Ports::Groups,
    Ports::Memory,
    Ports::Queues,
    Ports::Triggers,
    Ports::Cancels,
];

/// Whether any scheduler that the regression runs of the family, in any launch mode, has those
/// ports.
pub(super) fn has(family: &Family, ports: Ports) -> bool {
    // Made once: it asks for twins.
    static OF_FAMILIES: LazyLock<HashMap<&str, Vec<Ports>>> =
        LazyLock::new(|| FAMILIES.iter().map(|family| (family.name, of_suite(family))).collect());
    OF_FAMILIES[family.name].contains(&ports)
}

/// The ports of all that the regression runs of the family.
fn of_suite(family: &Family) -> Vec<Ports> {
    let mut found = Vec::new();
    for name in family.suite {
        let scheduler: Composition = name.parse().expect("a family's suite has its schedulers");
        let samples = scheduler.gates.iter().any(|gate| matches!(gate, Gate::Dyncta(_)));
        for mode in [LaunchMode::Flat, LaunchMode::Cdp, LaunchMode::Dtbl] {
            if takes(&scheduler, mode) {
                let of_mode = scheduler.ports(mode);
                found.extend(ALL.into_iter().filter(|&ports| fits(ports, of_mode, samples)));
            }
        }
    }
    found
}

fn fits(ports: Ports, of_mode: SchedulerPorts, samples: bool) -> bool {
    use DevicePorts as D;
    let device = of_mode.device;
    match ports {
        Ports::All => true,
        Ports::Samples => samples,
        Ports::Clock => of_mode.tells_time(),
        Ports::Kernels => of_mode.launches(),
        Ports::Groups => matches!(device, D::Groups | D::Priority),
        Ports::Memory => device == D::Groups,
        Ports::Queues => device == D::Priority,
        Ports::Triggers => of_mode.sees_triggers(),
        Ports::Cancels => of_mode.takes_cancels(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_family_has_the_ports_of_all_that_it_runs() {
        let with = |ports| -> Vec<&str> {
            FAMILIES.iter().filter(|family| has(family, ports)).map(|family| family.name).collect()
        };
        assert_eq!(with(Ports::All).len(), FAMILIES.len());
        assert_eq!(with(Ports::Clock), ["srtf"]);
        let all = with(Ports::All);
        let launching: Vec<&str> = all.into_iter().filter(|family| *family != "srtf").collect();
        assert_eq!(with(Ports::Kernels), launching);
        assert_eq!(with(Ports::Groups), ["rr", "laperm", "most-room"]);
        assert_eq!(with(Ports::Memory), ["rr", "most-room"]);
        assert_eq!(with(Ports::Queues), ["laperm"]);
        assert_eq!(with(Ports::Triggers), ["dependent"]);
        assert_eq!(with(Ports::Cancels), ["launch-control"]);
    }
}
