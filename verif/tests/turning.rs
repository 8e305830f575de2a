//! What engines say of themselves so that a run may skip cycles, quiet or turning, is true; and
//! skipping changes nothing.

#[path = "turning/checked.rs"]
mod checked;
#[path = "turning/full_smxs.rs"]
mod full_smxs;
#[path = "turning/lies.rs"]
mod lies;

use blockyard::engine::RtlScheduler;
use blockyard::family::everything;
use blockyard::session::{Engine, Session};
use blockyard_sim::port::{LaunchMode, Scheduler};
use blockyard_sim::sched::invariants::Invariants;
use blockyard_sim::sched::{self, Composition};
use checked::{Checked, Confirmed};
use full_smxs::{run_on, session};
use rayon::prelude::*;

/// Scenarios of each scheduler in each launch mode.
const SEEDS: u64 = 2;

/// The engine alone, without the other.
fn engine(session: &Session) -> Box<dyn Scheduler> {
    let Session { scheduler, launch, gpu, engine, .. } = session;
    let (smx, storage) = (gpu.smx.count as usize, gpu.launch.storage());
    let limits = gpu.limits();
    match engine {
        Engine::Golden => {
            sched::build_for(scheduler, *launch, storage, smx, limits).expect("a twin")
        }
        _ => Box::new(
            RtlScheduler::build_for(scheduler, *launch, storage, smx, limits).expect("hardware"),
        ),
    }
}

/// Those of a run of the session.
fn rules(session: &Session) -> Invariants {
    let Session { scheduler, launch, gpu, .. } = session;
    Invariants::new(gpu.limits(), gpu.smx.count as usize, scheduler.into())
        .on(&gpu.floor_plan())
        .launching(*launch, gpu.launch.storage())
}

/// Runs the scenarios of a scheduler on one engine, all statements checked.
fn confirm(scheduler: &Composition, launch: LaunchMode, which: Engine) -> Confirmed {
    let mut confirmed = Confirmed::default();
    for seed in 0..SEEDS {
        let session = Session { engine: which, ..session(scheduler, launch, seed) };
        let mut checked = Checked::new(engine(&session)).under(rules(&session));
        let ended = run_on(&session, &mut checked);
        ended.unwrap_or_else(|error| panic!("{scheduler} {launch:?} {which:?} {seed}: {error}"));
        let lie = checked.lie();
        assert_eq!(lie, None, "{scheduler} {launch:?} {which:?}, scenario {seed}");
        confirmed.add(checked.confirmed());
    }
    confirmed
}

#[test]
fn what_engines_say_of_themselves_is_true_under_every_scheduler() {
    let turns = |(scheduler, launch): (Composition, LaunchMode)| {
        [Engine::Golden, Engine::Rtl].into_iter().filter_map(move |which| {
            let confirmed = confirm(&scheduler, launch, which);
            let all = confirmed.quiet + confirmed.turning;
            assert!(all > 100, "{scheduler} {launch:?} {which:?}: {confirmed:?}");
            assert!(confirmed.rules > 100, "{scheduler} {launch:?} {which:?}: {confirmed:?}");
            (confirmed.turning > 100).then(|| (scheduler.source.base().family().name, which))
        })
    };
    let turning: Vec<_> = everything().into_par_iter().flat_map_iter(turns).collect();
    // The selector's turn.
    for which in [Engine::Golden, Engine::Rtl] {
        assert!(turning.contains(&("laperm", which)), "{turning:?}");
    }
}

#[test]
fn skipping_changes_no_byte_under_any_scheduler() {
    let mut most = 0;
    for (scheduler, launch) in everything() {
        for seed in 0..SEEDS {
            let [skipping, stepping] = [true, false].map(|skip| {
                let session =
                    Session { skip_from: skip.then_some(0), ..session(&scheduler, launch, seed) };
                let report = session.run(None);
                report.unwrap_or_else(|error| panic!("{scheduler} {launch:?} {seed}: {error}"))
            });
            let of = format!("{scheduler} {launch:?}, scenario {seed}");
            assert_eq!(skipping.summary.cycles, stepping.summary.cycles, "{of}");
            assert_eq!(skipping.stats, stepping.stats, "{of}");
            assert!(skipping.dispatch_log == stepping.dispatch_log, "{of}: the logs differ");
            assert_eq!(stepping.summary.skipped, 0, "{of}");
            // SMXs are full most of the time.
            let summary = skipping.summary;
            assert!(summary.skipped > summary.cycles / 4, "{of}: {summary:?}");
            most = most.max(summary.skipped);
        }
    }
    assert!(most > 1_000, "{most}");
}
