//! Keys that are set by name (`--set key=value`), and names that are nearly right.

/// A key, as lists show it. Which values it takes, setting it says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Key {
    /// As it is written: `bfs.block`.
    pub name: &'static str,
    /// What its value counts or selects: `threads of a block`.
    pub unit: &'static str,
    /// Its value unless it is set, or in words what decides on it.
    pub default: &'static str,
}

/// Likeness, from 0 to 1, from which on a word may be the one that was meant.
const NEAR: f64 = 0.85;

/// Most words that are asked for.
const MOST: usize = 3;

/// Asks for those of `known` that are like `word`: "did you mean `a`, `b` or `c`?"; `None` if none
/// is. Of words with dots in them only the part behind the last one may be like.
pub fn did_you_mean<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<String> {
    fn last(text: &str) -> &str {
        text.rsplit('.').next().unwrap_or_default()
    }
    let likeness = |known: &str| {
        let whole = strsim::jaro_winkler(word, known);
        (whole.max(strsim::jaro_winkler(last(word), last(known))), whole)
    };
    let known = known.into_iter().map(|known| (likeness(known), known));
    let mut near: Vec<((f64, f64), &str)> =
        known.filter(|((likeness, _), _)| *likeness >= NEAR).collect();
    // A stable sort: equally near words stay in their order.
    near.sort_by(|((one, ours), _), ((other, theirs), _)| {
        other.total_cmp(one).then(theirs.total_cmp(ours))
    });
    near.dedup();
    let near: Vec<String> = near.iter().take(MOST).map(|(_, word)| format!("`{word}`")).collect();
    let (last, others) = near.split_last()?;
    Some(match others {
        [] => format!("did you mean {last}?"),
        _ => format!("did you mean {} or {last}?", others.join(", ")),
    })
}

/// The question of [`did_you_mean`], if there is one, and then `rest`.
pub fn asked<'a>(word: &str, known: impl IntoIterator<Item = &'a str>, rest: &str) -> String {
    match did_you_mean(word, known) {
        Some(question) => format!("{question} {rest}"),
        None => rest.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KNOWN: [&str; 5] = ["l1.size", "l2.size", "smx.count", "fetch.size", "k20c"];

    #[test]
    fn a_slip_is_asked_for_and_another_word_is_not() {
        assert_eq!(did_you_mean("k20", KNOWN).as_deref(), Some("did you mean `k20c`?"));
        assert_eq!(did_you_mean("smx.cuont", KNOWN).as_deref(), Some("did you mean `smx.count`?"));
        assert_eq!(did_you_mean("zebra", KNOWN), None);
        assert_eq!(did_you_mean("", KNOWN), None);
        assert_eq!(did_you_mean("k20c", []), None);
    }

    #[test]
    fn the_likest_come_first_and_there_are_at_most_three() {
        let found = did_you_mean("l2.siz", KNOWN.into_iter().chain(["l3.size"]));
        assert_eq!(found.as_deref(), Some("did you mean `l2.size`, `l1.size` or `l3.size`?"));
        assert_eq!(did_you_mean("kk", ["k", "k"]).as_deref(), Some("did you mean `k`?"));
        assert_eq!(asked("zebra", KNOWN, "the rest"), "the rest");
        assert_eq!(asked("k20", KNOWN, "the rest"), "did you mean `k20c`? the rest");
    }
}
