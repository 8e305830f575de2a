//! Every scheduler of every family under every gate and launch mode that it takes, at numbers of
//! SMXs on both sides of what masks and ids are made of: lockstep on random traffic.

use super::random;
use super::schedulers::Mode;
use crate::family::everything;
use crate::regress::{Case, CaseContext};
use crate::traffic::Intensity;
use blockyard_sim::port::{GroupStorage, LaunchMode};

const SMX_COUNTS: [usize; 12] = [1, 2, 5, 13, 31, 33, 64, 65, 80, 108, 132, 144];

/// Cycles of each case.
const CYCLES: u64 = 200_000;

/// So little of groups is on chip that the table is full, and groups in memory wait.
const STORAGE: GroupStorage = GroupStorage { table: 8, ahead: 5 };

/// See the module.
pub fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for (composition, launch) in everything() {
        let name = match launch {
            LaunchMode::Flat => "flat",
            LaunchMode::Cdp => "cdp",
            LaunchMode::Dtbl => "dtbl",
        };
        let mode = Mode { name, launch, storage: STORAGE };
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
