//! The most urgent kernel first, and of one priority the oldest.

use super::FcfsControl;
use crate::property::{first_come, Properties, Queues};

/// With few entries, and levels: see [`first_come`].
pub fn of(control: &FcfsControl) -> Properties {
    let (levels, entries) = (control.urgencies + 1, control.entries);
    let mut p = Properties::of_alone("CUDA C++ programming guide, stream priorities");
    if entries > 8 || levels == 1 {
        return p;
    }
    // The most urgent one is the first of them.
    let urgent = (0..control.urgencies).rev().map(|at| format!("urgent${at}"));
    let names: Vec<String> = std::iter::once("queue".to_owned()).chain(urgent).collect();
    let highest = levels - 1;
    let belongs = format!("level > {highest} ? {highest} : level");
    first_come(&mut p, &Queues { names: &names, entries, belongs: &belongs });
    p.assert(
        "most_urgent",
        "no marked kernel is more urgent than the head",
        "~(head_valid & head == other & former_held) | former_home <= other_home",
    );
    p.assert("someone", "where one is marked there is a head", "head_valid == (marked != 0)");
    p.cover(
        "overtakes",
        "an urgent kernel goes before an older one",
        "older & other_goes & other_home > former_home",
    );
    p
}
