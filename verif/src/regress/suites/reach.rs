//! Every scheduler of every family under every gate and launch mode that it takes, at numbers of SMXs on both sides of
//! what masks and ids are made of: lockstep on random traffic.

use super::random;
use super::schedulers::Mode;
use crate::family::everything;
use crate::regress::{Case, CaseContext};
use crate::traffic::Intensity;
use blockyard_sim::port::LaunchMode;

const SMX_COUNTS: [usize; 12] = [1, 2, 5, 13, 31, 33, 64, 65, 80, 108, 132, 144];

/// Cycles of each case.
const CYCLES: u64 = 200_000;

/// Entries of the Aggregated Group Table: few, so that it is full.
const TABLE: u32 = 8;

/// Groups in memory that are asked for ahead: few, so that others have to wait.
const AHEAD: u32 = 5;

/// See the module.
pub fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for (composition, launch) in everything() {
        let name = match launch {
            LaunchMode::Flat => "flat",
            LaunchMode::Cdp => "cdp",
            LaunchMode::Dtbl => "dtbl",
        };
        let mode = Mode { name, launch, table: TABLE, ahead: AHEAD };
        for smx in SMX_COUNTS {
            let composition = composition.clone();
            let id = format!("reach/{name}/{}/n{smx}", composition.brief());
            let run = move |context: &CaseContext<'_>| {
                let intensity = Intensity::MIXED;
                random::run(context, &composition, mode, smx, intensity, CYCLES)
            };
            cases.push(Case::new(id, smx as u32 + 20, run).taking(CYCLES));
        }
    }
    cases
}
