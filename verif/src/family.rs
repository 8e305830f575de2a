//! Families of schedulers as the workbench knows them: hardware, stimulus, waveform.
//!
//! Each is one line in [`WORKBENCHES`], in the order of the twins' table
//! ([`blockyard_sim::sched::family::FAMILIES`]), which has its names, twin, promises and page.

mod clusters;
mod dependent;
mod domains;
mod gpgpusim;
mod ikra;
mod laperm;
mod launch_control;
mod most_room;
mod oldest_first;
mod partitions;
mod priority;
mod round_robin;
mod srtf;

use crate::engine::{Built, HardwareBuild};
use crate::random_lockstep::RandomLockstep;
use crate::story::Story;
use crate::traffic::Traffic;
use blockyard_sim::port::{LaunchMode, SmxLimits};
use blockyard_sim::sched::composition::Source;
use blockyard_sim::sched::family::{Base, Family, FAMILIES};
use blockyard_sim::sched::{build_for, Composition};

/// All families.
pub static WORKBENCHES: &[&Workbench] = &[
    &round_robin::WORKBENCH,
    &gpgpusim::WORKBENCH,
    &laperm::WORKBENCH,
    &ikra::WORKBENCH,
    &srtf::WORKBENCH,
    &oldest_first::WORKBENCH,
    &most_room::WORKBENCH,
    &clusters::WORKBENCH,
    &priority::WORKBENCH,
    &partitions::WORKBENCH,
    &dependent::WORKBENCH,
    &domains::WORKBENCH,
    &launch_control::WORKBENCH,
];

/// What the workbench has for a family beside its twin.
pub struct Workbench {
    /// Whose it is.
    pub family: &'static Family,
    /// The top module of one of its schedulers, connected.
    ///
    /// # Errors
    /// When there is no hardware for that scheduler, launch mode or number of slots.
    pub module: fn(&Source, &HardwareBuild<'_>) -> Built,
    /// Random traffic with what its ports take beside launches and completions.
    pub traffic: fn(&Source, Traffic, &RandomLockstep) -> Traffic,
    /// What a waveform of one of its schedulers tells.
    pub story: fn(&Source, LaunchMode, &mut Story),
    /// Budgets that the repository keeps, in `verif/budgets`.
    pub budgets: &'static [KeptBudget],
}

/// The name of a budget's file, the scheduler, the GPU, the launch mode, and settings: arguments of
/// `blockyard budget`.
pub type KeptBudget =
    (&'static str, &'static str, &'static str, &'static str, &'static [&'static str]);

/// The workbench for a source.
///
/// # Panics
/// When its family is in the twins' table alone.
pub fn of(source: &Source) -> &'static Workbench {
    let family = source.base().family();
    let workbench = WORKBENCHES.iter().find(|workbench| workbench.family.name == family.name);
    workbench.unwrap_or_else(|| panic!("the family {} has no workbench", family.name))
}

/// The parameters of a source whose family is known.
///
/// # Panics
/// When it is of another family.
fn parameters<B: Base>(source: &Source) -> &B {
    source.get().expect("a workbench is asked about its own family")
}

/// Gates as they are put over every base: each alone, and both in either order; blocks are paused
/// or not.
const GATES: [&str; 5] = [
    "",
    "+claso",
    "+dyncta(period=64,idle=3,low=8,high=16,pause=1)",
    "+dyncta(period=64,idle=3,low=8,high=16)+claso(pa=2,pl=1)",
    "+claso+dyncta(period=64,idle=3,low=8,high=16,pause=1)",
];

/// What SMXs hold where it does not matter.
const SMALL: SmxLimits =
    SmxLimits { threads: 64, registers: 64, shared_memory: 64, thread_block_slots: 1 };

/// Whether a scheduler takes launches in this mode.
pub fn takes(composition: &Composition, launch: LaunchMode) -> bool {
    build_for(composition, launch, 1, 1, SMALL).is_ok()
}

/// Every scheduler of every family, with every gate that goes over it, in every launch mode that it
/// takes: what a test or a suite over all schedulers runs. Those without hardware are not among
/// them.
pub fn everything() -> Vec<(Composition, LaunchMode)> {
    let bases = FAMILIES.iter().flat_map(|family| family.covering);
    let named = bases.flat_map(|base| GATES.map(|gates| format!("{base}{gates}")));
    let mut all = Vec::new();
    for composition in named.filter_map(|name| name.parse::<Composition>().ok()) {
        for launch in [LaunchMode::Flat, LaunchMode::Cdp, LaunchMode::Dtbl] {
            if takes(&composition, launch) {
                all.push((composition.clone(), launch));
            }
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::rtl_module;

    #[test]
    fn every_family_has_a_workbench_in_the_same_order() {
        let names = |families: Vec<&'static Family>| {
            families.iter().map(|family| family.name).collect::<Vec<_>>()
        };
        let workbenches = WORKBENCHES.iter().map(|workbench| workbench.family).collect();
        assert_eq!(names(workbenches), names(FAMILIES.to_vec()));
    }

    #[test]
    fn everything_has_hardware_and_all_of_it_that_the_gates_allow() {
        let all = everything();
        for (composition, launch) in &all {
            let module = rtl_module(composition, *launch, 1, 2, SMALL);
            assert!(
                module.is_ok(),
                "{composition} {launch:?}: {}",
                module.err().expect("an error")
            );
        }
        let of = |base: &str| {
            let bare = |(composition, _): &&(Composition, _)| {
                composition.source == base.parse::<Composition>().expect(base).source
            };
            all.iter().filter(bare).count()
        };
        // Five lists of gates under three launch modes; dyncta and none; none refuse dyncta.
        assert_eq!((of("rr"), of("rr-gpgpusim"), of("ikra/flip")), (15, 10, 5));
        assert_eq!((of("laperm/tb-pri"), of("laperm/smx-bind")), (15, 6));
        assert_eq!((of("priority"), of("priority(levels=2)")), (10, 10));
        assert_eq!((of("partitions"), of("dependent")), (4, 10));
        assert_eq!((of("domains"), of("domains(policy=contiguous)")), (4, 4));
        assert_eq!((of("launch-control"), of("launch-control(policy=spread)")), (10, 4));
        assert_eq!((of("most-room"), of("clusters"), of("clusters(policy=balance)")), (15, 4, 4));
        assert_eq!((of("ikra/steal"), of("ikra/steal(nesting=2)"), of("srtf")), (2, 4, 2));
    }

    #[test]
    fn every_family_has_its_page_and_its_names_are_its_own() {
        for family in FAMILIES {
            let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../");
            assert!(std::path::Path::new(page).join(family.page).is_file(), "{}", family.page);
            for scheduler in family.covering {
                let composition: Composition =
                    scheduler.parse().expect("a family covers what it reads");
                assert_eq!(composition.source.base().family().name, family.name);
            }
        }
    }
}
