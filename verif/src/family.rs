//! Families of schedulers as the workbench knows them: hardware, stimulus, waveform.
//!
//! Each is one line in [`WORKBENCHES`], in the order of the twins' table
//! ([`blockyard_sim::sched::family::FAMILIES`]), which has its names, twin, promises and page.

mod gpgpusim;
mod ikra;
mod laperm;
mod round_robin;
mod srtf;

use crate::engine::{HardwareBuild, RtlError};
use crate::random_lockstep::RandomLockstep;
use crate::story::Story;
use crate::traffic::Traffic;
use blockyard_rtl::schedulers::SchedulerModule;
use blockyard_sim::port::LaunchMode;
use blockyard_sim::sched::composition::Source;
use blockyard_sim::sched::family::{Family, FAMILIES};

/// All families.
pub static WORKBENCHES: &[&Workbench] = &[
    &round_robin::WORKBENCH,
    &gpgpusim::WORKBENCH,
    &laperm::WORKBENCH,
    &ikra::WORKBENCH,
    &srtf::WORKBENCH,
];

/// What the workbench has for a family beside its twin.
pub struct Workbench {
    /// Whose it is.
    pub family: &'static Family,
    /// The top module of one of its schedulers, connected.
    ///
    /// # Errors
    /// When there is no hardware for that scheduler, launch mode or number of slots.
    pub module: fn(&Source, &HardwareBuild<'_>) -> Result<Box<dyn SchedulerModule>, RtlError>,
    /// Random traffic with what its ports take beside launches and completions.
    pub traffic: fn(&Source, Traffic, &RandomLockstep) -> Traffic,
    /// What a waveform of one of its schedulers tells.
    pub story: fn(&Source, LaunchMode, &mut Story),
}

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
fn parameters<B: blockyard_sim::sched::family::Base>(source: &Source) -> &B {
    source.get().expect("a workbench is asked about its own family")
}

/// Compositions over all families that go over all hardware, without gates.
pub fn covering() -> impl Iterator<Item = &'static str> {
    FAMILIES.iter().flat_map(|family| family.covering).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_family_has_a_workbench_in_the_same_order() {
        let names = |families: Vec<&'static Family>| {
            families.iter().map(|family| family.name).collect::<Vec<_>>()
        };
        let workbenches = WORKBENCHES.iter().map(|workbench| workbench.family).collect();
        assert_eq!(names(workbenches), names(FAMILIES.to_vec()));
    }

    #[test]
    fn every_family_has_its_page_and_its_names_are_its_own() {
        for family in FAMILIES {
            let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../");
            assert!(std::path::Path::new(page).join(family.page).is_file(), "{}", family.page);
            for scheduler in family.covering {
                let composition: blockyard_sim::sched::Composition =
                    scheduler.parse().expect("a family covers what it reads");
                assert_eq!(composition.source.base().family().name, family.name);
            }
        }
    }
}
