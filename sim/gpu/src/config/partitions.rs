//! Which SMXs belong to which partition, as `smx.partitions` writes it: `["0-3,8", "4-7"]`.

use super::GpuConfig;
use crate::diagnostic::InputError;
use crate::mask::SmxMask;
use crate::port::FloorPlan;

/// What the key takes.
pub(super) const EXPECTED: &str = "expected at most 8 sets of SMXs, as [\"0-3,8\", \"4-7\"]";

impl GpuConfig {
    /// The partitions that are stated, in order; none where all SMXs are one (`docs/partitions.md`,
    /// rule 2).
    ///
    /// # Errors
    /// When they are more than [`FloorPlan::MOST_PARTITIONS`]; when one names no SMX, one that
    /// there is not, or one twice.
    pub(super) fn partitions(&self) -> Result<Vec<SmxMask>, InputError> {
        let (list, most) = (&self.smx.partitions, FloorPlan::MOST_PARTITIONS);
        if list.len() > most {
            let message = format!("smx.partitions has {} partitions", list.len());
            return Err(InputError::new(message).help(EXPECTED));
        }
        let count = self.smx.count as usize;
        list.iter().enumerate().map(|(at, text)| partition((at, text), count)).collect()
    }
}

/// The SMXs that `text`, partition number `at` of a GPU of `count` SMXs, names.
fn partition((at, text): (usize, &str), count: usize) -> Result<SmxMask, InputError> {
    let refused = |why: &str| {
        let message = format!("partition {at} of smx.partitions, \"{text}\": {why}");
        let last = count - 1;
        InputError::new(message)
            .help(format!("expected SMXs from 0 to {last}, as \"0-3,8\", each once"))
    };
    let number = |word: &str| {
        let digits = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
        let number = digits.then(|| word.parse::<usize>().unwrap_or(usize::MAX));
        let number = number.ok_or_else(|| refused(&format!("`{word}` is no SMX")))?;
        match number < count {
            true => Ok(number),
            false => Err(refused(&format!("there is no SMX {word}"))),
        }
    };
    let mut smxs = SmxMask::ZERO;
    if text.trim().is_empty() {
        return Err(refused("it has no SMX"));
    }
    for part in text.split(',').map(str::trim) {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let (first, last) = (number(first.trim())?, number(last.trim())?);
        if first > last {
            return Err(refused(&format!("`{part}` ends before it begins")));
        }
        for smx in first..=last {
            if smxs[smx] {
                return Err(refused(&format!("SMX {smx} is in it twice")));
            }
            smxs.set(smx, true);
        }
    }
    Ok(smxs)
}

#[cfg(test)]
mod tests {
    use super::super::tests;
    use super::*;
    use crate::diagnostic::rendered;
    use crate::mask;

    /// A GPU of ten SMXs with these partitions.
    fn with(list: &str) -> Result<GpuConfig, InputError> {
        tests::of_ten("smx.partitions", list)
    }

    #[test]
    fn partitions_are_ranges_and_numbers_that_may_overlap_and_leave_smxs_out() {
        let plan = with("[\"0-3,8\", \" 4 - 5 , 7\", \"3-3\", \"0-9\"]").unwrap().floor_plan();
        let sets = [mask::of([0, 1, 2, 3, 8]), mask::of([4, 5, 7]), mask::of([3]), mask::of(0..10)];
        assert_eq!(plan.partitions(), sets);
        let plan = with("[\"9\", \"0\"]").unwrap().floor_plan();
        assert_eq!(plan.partitions(), [mask::of([9]), mask::of([0])]);
    }

    #[test]
    fn without_the_key_there_is_one_partition_of_all_smxs() {
        assert_eq!(with("[]").unwrap().floor_plan().partitions(), [mask::of(0..10)]);
        tests::may_be_left_out(&["partitions"]);
    }

    #[test]
    fn there_are_at_most_eight() {
        let list = |count| format!("[{}]", vec!["\"0-9\""; count].join(", "));
        assert_eq!(with(&list(8)).unwrap().floor_plan().partitions().len(), 8);
        let refused = rendered(&with(&list(9)).unwrap_err());
        assert!(refused.contains("smx.partitions has 9 partitions"), "{refused}");
        assert!(refused.contains(EXPECTED), "{refused}");
    }

    #[test]
    fn what_is_no_set_of_smxs_is_refused_with_the_place_and_what_was_expected() {
        for (list, why) in [
            ("[\"0-4\", \"\"]", "partition 1 of smx.partitions, \"\": it has no SMX"),
            ("[\" \"]", "it has no SMX"),
            ("[\"5-4\"]", "partition 0 of smx.partitions, \"5-4\": `5-4` ends before it begins"),
            ("[\"0-10\"]", "there is no SMX 10"),
            ("[\"99999999999999999999999\"]", "there is no SMX 99999999999999999999999"),
            ("[\"0-3,3\"]", "SMX 3 is in it twice"),
            ("[\"0,,1\"]", "`` is no SMX"),
            ("[\"0-\"]", "`` is no SMX"),
            ("[\"-1\"]", "`` is no SMX"),
            ("[\"0-1-2\"]", "`1-2` is no SMX"),
            ("[\"all\"]", "`all` is no SMX"),
            ("[\"+1\"]", "`+1` is no SMX"),
        ] {
            let refused = with(list).unwrap_err();
            let said = refused.to_string();
            assert!(said.contains(why), "{list}: {said}");
            let shown = rendered(&refused);
            assert!(shown.contains("expected SMXs from 0 to 9, as \"0-3,8\""), "{list}: {shown}");
        }
        for list in ["[0, 1]", "\"0-9\"", "[[\"0\"]]", "4"] {
            let refused = rendered(&with(list).unwrap_err());
            let said = refused.contains("bad value") && refused.contains(EXPECTED);
            assert!(said, "{list}: {refused}");
        }
    }
}
