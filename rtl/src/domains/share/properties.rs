//! The shares are the grid, and none is left too early or too late.

use super::Share;
use crate::property::Properties;

/// A ghost counts the steps of a share whose size is computed here from the kernel's number of
/// blocks; proved for numbers of domains by which a division is a shift.
pub fn of(share: &Share) -> Properties {
    let (domains, number) = (share.domains, share.number);
    let mut p = Properties::of("MCM-GPU (ISCA 2017), section 5.2");
    p.inner("stored", "count.q");
    p.assume("blocks", "a kernel that begins has blocks", "~begins | blocks != 0");
    p.assume("step", "blocks are dispatched while some are left", "~step | left & ~begins");
    let share = format!("blocks / {domains} + (blocks % {domains} > {number})");
    p.register("rest", 31, format!("begins ? {share} : rest - step"));
    p.register("known", 1, "known | begins");
    p.assert(
        "as_many",
        "the domain dispatches blocks / D of them, and one more if it is among the first blocks mod D",
        "~known | (left == (ready & rest != 0)) & (last == (rest == 1))",
    );
    p.assert("no_more", "steps never go beyond the share", "~step | rest != 0");
    p.assert("after_begins", "nothing is left while it is not known where", "ready | ~left");
    p.invariant("counted", "the count is what is left", "~known | stored == rest");
    p.invariant("unknown", "without a kernel nothing is left", "known | stored == 0");
    p.cover("empty", "a domain gets nothing", "known & rest == 0");
    p
}
