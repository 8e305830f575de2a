//! As many as came and did not end.

use super::Residents;
use crate::property::{among, Properties};

/// Any one kernel is held against a ghost.
pub fn of(_: &Residents) -> Properties {
    let mut p = Properties::default();
    let ports = |port: &str| (0..8).map(|at| format!("{port}${at}")).collect::<Vec<_>>();
    p.chosen("which", 3);
    p.wire("ends", 1, "finished[0] & finished[1 +: 3] == which");
    p.wire("comes", 1, "taken[0] & taken[1 +: 3] == which");
    p.register("held", 6, "held - ends + comes");
    p.wire("its_resident", 6, among("which", ports("resident")));
    p.wire("its_staying", 6, among("which", ports("staying")));
    p.assert("resident", "as many are resident as came and did not end", "its_resident == held");
    p.assert("staying", "the one that ends stays no longer", "its_staying == held - ends");
    p.cover("both", "one comes as another one ends", "ends & comes & held != 0");
    p
}
