//! Cover points: situations that a regression is to have met, each with a name, the place where it
//! is written down, and a counter.
//!
//! ```text
//!   twin of dtbl/coalescer --met(&ENDS)--> counters of this thread --> regress --coverage
//! ```
//!
//! A family lists its points in its `cover.rs`, and its twin says where it meets one. Nothing is
//! counted, and nothing but a flag is looked at, outside [`count`].

use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;

/// How often each point was met, by name.
pub type Counts = BTreeMap<Cow<'static, str>, u64>;

/// A situation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Point {
    /// What it is, behind the part of the design where it is: `dtbl/search: the equal kernel ends`.
    pub name: &'static str,
    /// The section of the paper and the rule of the page that describe it.
    pub section: &'static str,
    /// Why nothing can meet it, if so.
    pub never: Option<&'static str>,
}

/// Points that belong together.
pub type Points = &'static [&'static Point];

thread_local! {
    static COUNTING: Cell<bool> = const { Cell::new(false) };
    static COUNTS: RefCell<Counts> = const { RefCell::new(BTreeMap::new()) };
}

/// Whether this thread counts.
#[inline]
pub fn counting() -> bool {
    COUNTING.get()
}

/// `point` is met.
#[inline]
pub(crate) fn met(point: &'static Point) {
    when(true, point);
}

/// `point` is met if `condition` holds.
#[inline]
pub(crate) fn when(condition: bool, point: &'static Point) {
    if condition && counting() {
        add(Cow::Borrowed(point.name), 1);
    }
}

/// The point of that name is met `times` times; without effect if this thread does not count.
pub fn add(name: Cow<'static, str>, times: u64) {
    if counting() && times > 0 {
        COUNTS.with_borrow_mut(|counts| *counts.entry(name).or_default() += times);
    }
}

/// What `run` gives, and what was met on this thread meanwhile. Counts do not nest.
pub fn count<T>(run: impl FnOnce() -> T) -> (T, Counts) {
    struct Stop;
    impl Drop for Stop {
        fn drop(&mut self) {
            COUNTING.set(false);
        }
    }
    COUNTS.take();
    COUNTING.set(true);
    let stop = Stop;
    let result = run();
    drop(stop);
    (result, COUNTS.take())
}

/// Names points as statics, and all of them as `ALL`:
/// `NAME = "scope/what", "paper, section; page, rule";`, with `, never "why";` when nothing can
/// meet it.
macro_rules! points {
    ($($name:ident = $text:literal, $section:literal $(, never $why:literal)?;)*) => {
        $(pub(crate) static $name: $crate::cover::Point = $crate::cover::Point {
            name: $text,
            section: $section,
            never: $crate::cover::points!(@why $($why)?),
        };)*

        /// All of them.
        pub(crate) const ALL: $crate::cover::Points = &[$(&$name),*];
    };
    (@why) => { None };
    (@why $why:literal) => { Some($why) };
}
pub(crate) use points;

/// Every point of every family and gate, each once, in the order of the families.
pub fn all() -> Vec<&'static Point> {
    let mut all: Vec<&'static Point> = Vec::new();
    let of_families = crate::family::FAMILIES.iter().flat_map(|family| family.cover);
    for point in of_families.chain(crate::composition::COVER).copied().flatten() {
        if !all.contains(point) {
            all.push(point);
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    points! {
        HERE = "test/here", "none";
        THERE = "test/there", "none", never "nobody goes there";
    }

    #[test]
    fn only_what_is_met_while_somebody_counts_is_counted() {
        met(&HERE);
        let (result, counts) = count(|| {
            met(&HERE);
            when(true, &HERE);
            when(false, &THERE);
            7
        });
        met(&HERE);
        assert_eq!((result, counts), (7, Counts::from([("test/here".into(), 2)])));
        assert_eq!(count(|| ()).1, Counts::new());
        assert_eq!((ALL.len(), THERE.never), (2, Some("nobody goes there")));
    }

    #[test]
    fn a_panic_ends_the_counting() {
        let panics = || count(|| panic!("as it should"));
        assert!(std::panic::catch_unwind(panics).is_err());
        assert!(!counting());
    }

    #[test]
    fn no_two_points_have_one_name_and_all_say_where_they_are_described() {
        let all = all();
        let names: BTreeSet<&str> = all.iter().map(|point| point.name).collect();
        assert_eq!(names.len(), all.len());
        for point in all {
            assert!(point.name.contains('/') && point.section.contains(".md"), "{point:?}");
        }
    }
}
