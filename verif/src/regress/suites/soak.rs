//! What a soak draws: lockstep on random traffic of every scheduler under every gate and launch
//! mode, in an order of the seed, again and again, each time with new seeds, sizes and densities.
//!
//! The case of a number is always the same under the same seed, so that a soak can be resumed, and
//! each of its cases repeated alone.

use super::random::{self, CLASSES, DENSITIES};
use super::schedulers::Mode;
use crate::family::{everything, of};
use crate::regress::{case_seed, Case, CaseContext};
use blockyard_sim::port::{GroupStorage, LaunchMode};
use blockyard_sim::sched::Composition;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

/// Cycles of each case, from reset.
const CYCLES: u64 = 16_000;

/// A table that holds one group, one that is soon full, and one of the paper's size.
const STORAGE: [GroupStorage; 3] = [
    GroupStorage { table: 1, ahead: 1 },
    GroupStorage { table: 8, ahead: 5 },
    GroupStorage { table: 1024, ahead: 32 },
];

/// What a soak under one seed draws.
pub struct Draws {
    seed: u64,
    subjects: Vec<Subject>,
}

/// A scheduler in a launch mode.
struct Subject {
    /// `flat/rr+claso`
    name: String,
    composition: Composition,
    launch: LaunchMode,
}

impl Draws {
    /// Those of a seed.
    pub fn new(seed: u64) -> Self {
        let subjects = everything().into_iter().map(|(composition, launch)| {
            let mode = match launch {
                LaunchMode::Flat => "flat",
                LaunchMode::Cdp => "cdp",
                LaunchMode::Dtbl => "dtbl",
            };
            Subject { name: format!("{mode}/{}", composition.brief()), composition, launch }
        });
        let mut subjects: Vec<Subject> = subjects.collect();
        // A soak that does not come round has some of every family.
        subjects.shuffle(&mut Pcg64::seed_from_u64(seed));
        Self { seed, subjects }
    }

    /// Cases after which every subject has had its turn.
    pub fn round(&self) -> u64 {
        self.subjects.len() as u64
    }

    /// The case of that number; its id is `soak/ROUND/MODE/SCHEDULER/nSMXS/DENSITY/tableGROUPS`.
    pub fn case(&self, number: u64) -> Case {
        let Subject { name, composition, launch } = self.subject(number);
        let round = number / self.round();
        let drawn = case_seed(self.seed, &format!("soak/{round}/{name}"));
        let mut random = Pcg64::seed_from_u64(drawn);
        let class = CLASSES[random.random_range(0..CLASSES.len())];
        let smx = class[random.random_range(0..class.len())];
        let (density, intensity) = DENSITIES[random.random_range(0..DENSITIES.len())];
        let storage = STORAGE[random.random_range(0..STORAGE.len())];
        let mode = Mode { name: "soak", launch: *launch, storage };
        let id = format!("soak/{round}/{name}/n{smx}/{density}/table{}", storage.table);
        let composition = composition.clone();
        let run = move |context: &CaseContext<'_>| {
            random::run(context, &composition, mode, smx, intensity, CYCLES)
        };
        Case::new(id, 1, run).taking(CYCLES)
    }

    /// The number of the case with this id.
    pub fn number(&self, id: &str) -> Option<u64> {
        let (round, rest) = id.strip_prefix("soak/")?.split_once('/')?;
        let name = rest.rsplitn(4, '/').nth(3)?;
        let place = self.subjects.iter().position(|subject| subject.name == name)?;
        let number = round.parse::<u64>().ok()?.checked_mul(self.round())? + place as u64;
        (self.case(number).id == id).then_some(number)
    }

    /// The family of that case's scheduler.
    pub fn family(&self, number: u64) -> &'static str {
        of(&self.subject(number).composition.source).family.name
    }

    fn subject(&self, number: u64) -> &Subject {
        &self.subjects[(number % self.round()) as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_case_is_found_by_its_id_and_an_id_that_is_nearly_one_is_not() {
        let draws = Draws::new(7);
        for number in (0..3 * draws.round()).step_by(11) {
            let id = draws.case(number).id;
            assert_eq!(draws.number(&id), Some(number), "{id}");
            assert_eq!(draws.number(&format!("{id}0")), None, "{id}");
        }
        for id in ["", "soak", "soak/0/flat/rr", "soak/x/flat/rr/n1/dense/table1", "quick/rr/n1"] {
            assert_eq!(draws.number(id), None, "{id}");
        }
    }

    #[test]
    fn every_round_has_every_subject_and_rounds_and_seeds_differ() {
        let draws = Draws::new(1);
        let ids = |draws: &Draws, round: u64| -> Vec<String> {
            let all = round * draws.round()..(round + 1) * draws.round();
            all.map(|number| draws.case(number).id.replacen(&round.to_string(), "R", 1)).collect()
        };
        let mut names: Vec<&str> = draws.subjects.iter().map(|s| s.name.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len() as u64, draws.round(), "no subject stands twice");
        assert_ne!(ids(&draws, 0), ids(&draws, 1));
        assert_ne!(ids(&draws, 0), ids(&Draws::new(2), 0));
        assert_eq!(ids(&draws, 5), ids(&Draws::new(1), 5));
    }
}
