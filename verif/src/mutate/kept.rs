//! The scores that are kept: no family may fall below its own unseen.

use super::design::{Fate, Fates};
use super::score::{per_cent, Score};
use super::Sample;
use std::collections::BTreeMap;

/// A line for each family: its name, and what `quick` and `full` find of the faults that can be
/// seen, in per cent. `blockyard mutate --kept` prints what it is to be.
pub const SCORES: &str = include_str!("scores.txt");

/// Faults that nobody can see though no proof of it was found. Of each, in a line with tabs
/// between: the design, the fault, and the reason.
pub const EQUIVALENT: &str = include_str!("equivalent.txt");

/// The faults that both lists are about, in each design.
pub const SAMPLE: Sample<'static> = Sample { faults: 40, seed: 1, only: "" };

/// The seed of the suites whose traffic both lists are about.
pub const SUITE_SEED: u64 = 1;

/// Lines that say something.
fn lines(list: &str) -> impl Iterator<Item = &str> {
    list.lines().filter(|line| !line.is_empty() && !line.starts_with('#'))
}

/// What is kept of each family, in hundredths of a per cent.
///
/// # Panics
/// When a line of the list has another form.
pub fn scores() -> BTreeMap<&'static str, [u64; 2]> {
    lines(SCORES)
        .map(|line| {
            let words: Vec<&str> = line.split_whitespace().collect();
            let [family, quick, full] = words[..] else { panic!("`{line}` is no score") };
            (family, [quick, full].map(|number| hundredths(number).expect("a percentage")))
        })
        .collect()
}

/// `97.5` and `97.50` as 9,750.
fn hundredths(number: &str) -> Option<u64> {
    let (whole, part) = number.split_once('.').unwrap_or((number, "0"));
    let part = format!("{part:0<2}");
    Some(whole.parse::<u64>().ok()? * 100 + part.get(..2)?.parse::<u64>().ok()?)
}

/// The list as these scores would have it.
pub fn list(scores: &[(&str, Score)]) -> String {
    let line = |(family, score): &(&str, Score)| {
        format!("{family} {} {}\n", per_cent(score.by_quick()), per_cent(score.by_full()))
    };
    scores.iter().map(line).collect()
}

/// What is below what is kept, in words.
pub fn below(scores: &[(&str, Score)]) -> Vec<String> {
    let kept = self::scores();
    let mut all = Vec::new();
    for (family, score) in scores {
        let Some(kept) = kept.get(family) else {
            all.push(format!("{family}: no score is kept of it"));
            continue;
        };
        for (suite, now, kept) in
            [("quick", score.by_quick(), kept[0]), ("full", score.by_full(), kept[1])]
        {
            if now < kept {
                let (now, kept) = (per_cent(now), per_cent(kept));
                all.push(format!(
                    "{family}: {suite} finds {now} % of the faults, {kept} % are kept"
                ));
            }
        }
    }
    all
}

/// Takes the faults of the list for equivalent ones; gives what is wrong with its entries about
/// these designs.
pub fn excuse(all: &mut [Fates]) -> Vec<String> {
    excuse_with(EQUIVALENT, all)
}

fn excuse_with(list: &str, all: &mut [Fates]) -> Vec<String> {
    let mut wrong = Vec::new();
    for line in lines(list) {
        let parts: Vec<&str> = line.split('\t').collect();
        let [design, name, reason] = parts[..] else {
            wrong.push(format!(
                "`{line}`: expected a design, a fault and a reason, with tabs between"
            ));
            continue;
        };
        let Some(fates) = all.iter_mut().find(|fates| fates.design == design) else { continue };
        let named = fates.faults.iter_mut().filter(|(fault, _)| fault.name == name);
        let fates: Vec<&mut Fate> = named.map(|(_, fate)| fate).collect();
        if fates.is_empty() || reason.is_empty() {
            wrong.push(format!("{design}: no such fault, or no reason: {name}"));
        }
        for fate in fates {
            match fate {
                // A module that is alone may see what the design around it never shows.
                Fate::Survives { .. } | Fate::Proof(_) | Fate::FullProof(_) => {
                    *fate = Fate::Equivalent;
                }
                // Some proofs end in time on one machine and not on another.
                Fate::Equivalent => {}
                Fate::Quick(_) | Fate::Full(_) => {
                    wrong.push(format!("{design}: is found, so that it can be seen: {name}"));
                }
            }
        }
    }
    wrong
}

#[cfg(test)]
mod tests {
    use super::super::fault::Fault;
    use super::super::{designs, every_design, families};
    use super::*;

    #[test]
    fn every_family_has_a_kept_score_and_no_other_name_has() {
        let designs = designs(SUITE_SEED);
        let mut families = families(&designs);
        families.sort_unstable();
        assert_eq!(scores().into_keys().collect::<Vec<_>>(), families);
    }

    #[test]
    fn a_score_below_the_kept_one_is_named_and_its_list_reads_the_same() {
        let kept = scores();
        let (family, [quick, _]) = kept.iter().find(|(_, kept)| kept[0] > 0).expect("one is kept");
        let good = Score { faults: 10_000, quick: 10_000, ..Score::default() };
        let bad = Score { quick: quick - 1, full: 10_000 - (quick - 1), ..good.clone() };
        assert_eq!(below(&[(family, good)]), Vec::<String>::new());
        let found = below(&[(family, bad)]);
        assert!(found.len() == 1 && found[0].contains("quick"), "{found:?}");
        let some = Score { faults: 8, quick: 7, ..Score::default() };
        assert_eq!(list(&[("rr", some)]), "rr 87.50 87.50\n");
        assert_eq!(["87.5", "87.50", "9"].map(hundredths), [Some(8_750), Some(8_750), Some(900)]);
        assert_eq!(below(&[("new", Score::default())]), ["new: no score is kept of it"]);
    }

    #[test]
    fn an_entry_has_to_be_about_a_fault_that_survives() {
        let fault = |name: &str| Fault { number: 1, name: name.to_owned(), ..Fault::default() };
        let faults = vec![
            (fault("a"), Fate::Survives { visible: true }),
            (fault("b"), Fate::Quick(3)),
            (fault("c"), Fate::Equivalent),
            (fault("d"), Fate::Proof("prim/fifo (4 words)".to_owned())),
            (fault("e"), Fate::FullProof("prim/fifo (4 words)".to_owned())),
        ];
        let mut all = [Fates { design: "d".to_owned(), family: "rr", faults, cycles: 9 }];
        assert_eq!(excuse_with("d\ta\tbecause\nelsewhere\tx\tbecause\n", &mut all), [""; 0]);
        assert_eq!(excuse_with("d\tc\tit is proved on some machines\n", &mut all), [""; 0]);
        let never = "d\td\tit is never shown\nd\te\tit is never shown\n";
        assert_eq!(excuse_with(never, &mut all), [""; 0]);
        assert_eq!([0, 3, 4].map(|at| &all[0].faults[at].1), [&Fate::Equivalent; 3]);
        for (entry, what) in [
            ("d\tb\tbecause", "is found"),
            ("d\tx\tbecause", "no such fault"),
            ("d b because", "expected"),
        ] {
            let wrong = excuse_with(entry, &mut all);
            assert!(wrong.len() == 1 && wrong[0].contains(what), "{wrong:?}");
        }
    }

    #[test]
    fn every_entry_has_a_design_that_there_is() {
        let designs: Vec<String> =
            every_design(SUITE_SEED).into_iter().map(|design| design.id).collect();
        for line in lines(EQUIVALENT) {
            let design = line.split('\t').next().unwrap_or_default();
            assert!(designs.iter().any(|known| known == design), "{line}");
        }
    }
}
