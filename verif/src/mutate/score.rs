//! How many faults are found, by family.

use super::design::{Fate, Fates};
use serde::Serialize;

/// What became of the faults of some designs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Score {
    /// Designs.
    pub designs: u64,
    /// Faults.
    pub faults: u64,
    /// Those of them that nobody can see, proved or with a reason in the list.
    pub equivalent: u64,
    /// Those that lockstep of `quick` finds.
    pub quick: u64,
    /// Those that lockstep of `quick` does not find, and with which one of its proofs fails.
    pub proofs: u64,
    /// Those that only `full` finds, in lockstep or by its other proofs.
    pub full: u64,
    /// Cycles of the traffic after which those of `quick` were found: half of them, and all.
    pub found: [u64; 2],
}

impl Score {
    /// Of these designs.
    pub fn of<'a>(all: impl IntoIterator<Item = &'a Fates>) -> Self {
        let mut score = Self::default();
        let mut found = Vec::new();
        for fates in all {
            score.designs += 1;
            for (_, fate) in &fates.faults {
                score.faults += 1;
                match fate {
                    Fate::Quick(cycle) => {
                        score.quick += 1;
                        found.push(*cycle);
                    }
                    Fate::Proof(_) => score.proofs += 1,
                    Fate::Full(_) | Fate::FullProof(_) => score.full += 1,
                    Fate::Equivalent => score.equivalent += 1,
                    Fate::Survives { .. } => {}
                }
            }
        }
        found.sort_unstable();
        let at = |place: usize| found.get(place).copied().unwrap_or(0);
        score.found = [at(found.len() / 2), at(found.len().saturating_sub(1))];
        score
    }

    /// Faults that can be seen.
    pub fn visible(&self) -> u64 {
        self.faults - self.equivalent
    }

    /// Of those that can be seen, how many `quick` finds, in hundredths of a per cent, rounded
    /// down.
    pub fn by_quick(&self) -> u64 {
        share(self.quick + self.proofs, self.visible())
    }

    /// How many `full` finds, which has all of `quick`.
    pub fn by_full(&self) -> u64 {
        share(self.quick + self.proofs + self.full, self.visible())
    }
}

/// In hundredths of a per cent; all of nothing is all.
pub(super) fn share(part: u64, whole: u64) -> u64 {
    (part * 10_000).checked_div(whole).unwrap_or(10_000)
}

/// Hundredths of a per cent in words: `97.45`.
pub fn per_cent(hundredths: u64) -> String {
    format!("{}.{:02}", hundredths / 100, hundredths % 100)
}

#[cfg(test)]
mod tests {
    use super::super::fault::Fault;
    use super::*;

    #[test]
    fn what_cannot_be_seen_counts_neither_way_and_full_has_all_of_quick() {
        let fault = Fault { number: 1, name: "a".to_owned(), ..Fault::default() };
        let fates = [
            Fate::Quick(9),
            Fate::Quick(4),
            Fate::Quick(7),
            Fate::Full(3),
            Fate::FullProof("prim/fifo (8 words)".to_owned()),
            Fate::Proof("prim/fifo (4 words)".to_owned()),
            Fate::Equivalent,
            Fate::Survives { visible: true },
        ];
        let faults = fates.into_iter().map(|fate| (fault.clone(), fate)).collect();
        let fates = Fates { design: "rr".to_owned(), family: "rr", faults, cycles: 10 };
        let score = Score::of([&fates, &fates]);
        assert_eq!((score.designs, score.faults, score.visible()), (2, 16, 14));
        assert_eq!((score.by_quick(), score.by_full()), (5_714, 8_571));
        assert_eq!(score.found, [7, 9]);
        assert_eq!(per_cent(9_705), "97.05");
        assert_eq!(Score::default().by_quick(), 10_000);
    }
}
