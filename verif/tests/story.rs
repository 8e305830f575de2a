//! Stories: what they name is in the hardware, and what they call an event can be asked for.

use blockyard::engine::rtl_module;
use blockyard::family::everything;
use blockyard::story::{find, Event, Story, Subject, Written};
use blockyard_rtl::catalog;
use blockyard_rtl::module::Module;
use blockyard_rtl::schedulers::SchedulerModule;
use blockyard_sim::port::{LaunchMode, SmxLimits};
use blockyard_sim::sched::Composition;
use blockyard_waves::{Design, DumpSignal};
use std::collections::BTreeSet;

const LIMITS: SmxLimits =
    SmxLimits { threads: 2048, registers: 65_536, shared_memory: 49_152, thread_block_slots: 16 };

fn built(scheduler: &Composition, launch: LaunchMode) -> Box<dyn SchedulerModule> {
    let module = rtl_module(scheduler, launch, 1024, 4, LIMITS);
    module.unwrap_or_else(|error| panic!("{scheduler}: {error}"))
}

fn hardware(scheduler: &Composition, launch: LaunchMode) -> (Story, Vec<DumpSignal>) {
    let module = built(scheduler, launch);
    let all = Design::new("top", module.as_module().as_block()).signals();
    (Story::of(scheduler, launch), all)
}

#[test]
fn every_whole_scheduler_of_the_catalog_has_a_story_here() {
    let kind = |module: &dyn Module| module.kind();
    let told: BTreeSet<&str> = everything()
        .iter()
        .map(|(scheduler, launch)| kind(built(scheduler, *launch).as_module()))
        .collect();
    let schedulers: Vec<catalog::Entry> =
        catalog::entries().into_iter().filter(|entry| entry.name.ends_with("scheduler")).collect();
    assert!(schedulers.len() >= 14, "{}", schedulers.len());
    for entry in schedulers {
        for configuration in entry.configurations {
            let kind = kind(&*configuration.build());
            assert!(told.contains(kind), "{} {}: {kind}", entry.name, configuration.name);
        }
    }
}

#[test]
fn every_story_has_a_part_for_all_smxs_and_lines_for_each() {
    for (scheduler, launch) in &everything() {
        let story = Story::of(scheduler, *launch);
        assert!(!story.parts.is_empty() && !story.smx.is_empty(), "{scheduler} {launch:?}");
    }
}

#[test]
fn every_pattern_of_every_story_is_a_signal_of_its_hardware() {
    let mut missing = Vec::new();
    for (scheduler, launch) in &everything() {
        let (story, signals) = hardware(scheduler, *launch);
        let lines = story.parts.iter().flat_map(|part| part.lines).chain(&story.smx);
        let causes =
            story.causes.iter().flat_map(|cause| [Some(cause.set), cause.unless, cause.with]);
        for pattern in lines.map(|line| line.pattern).chain(causes.flatten()) {
            for alternative in alternatives(pattern) {
                if find(&alternative, &signals).next().is_none() {
                    missing.push(format!("{scheduler} {launch:?}: {alternative}"));
                }
            }
        }
    }
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}

/// A pattern with each of its alternatives.
fn alternatives(pattern: &str) -> Vec<String> {
    let Some((before, rest)) = pattern.split_once('{') else { return vec![pattern.to_owned()] };
    let (list, after) = rest.split_once('}').expect("a closing brace");
    list.split(',').flat_map(|each| alternatives(&format!("{before}{each}{after}"))).collect()
}

#[test]
fn an_excuse_is_one_signal_as_wide_as_what_it_excuses() {
    for (scheduler, launch) in &everything() {
        let (story, signals) = hardware(scheduler, *launch);
        for cause in &story.causes {
            let Some(unless) = cause.unless else { continue };
            let width = |pattern: &str| -> Vec<u32> {
                find(pattern, &signals).map(|signal| signal.width).collect()
            };
            assert_eq!(width(cause.set).len(), 1, "{scheduler}: {}", cause.set);
            assert_eq!(width(cause.set), width(unless), "{scheduler}: {unless}");
        }
    }
}

#[test]
fn flags_are_flags_and_named_values_have_as_many_names_as_they_need() {
    for (scheduler, launch) in &everything() {
        let (story, signals) = hardware(scheduler, *launch);
        for line in story.parts.iter().flat_map(|part| part.lines).chain(&story.smx) {
            for signal in find(line.pattern, &signals) {
                match line.written {
                    Written::Names(names) => {
                        assert_eq!(names.len(), 1 << signal.width, "{scheduler}: {}", signal.path);
                    }
                    Written::Bits => assert!(signal.width <= 32, "{scheduler}: {}", signal.path),
                    Written::Decimal | Written::Address => {
                        assert!(signal.width > 1, "{scheduler}: {}", signal.path);
                    }
                }
            }
        }
    }
}

#[test]
fn every_event_happens_to_some_scheduler_but_a_mismatch_which_no_signal_tells() {
    let all = everything();
    let stories = all.iter().map(|(scheduler, launch)| Story::of(scheduler, *launch));
    let mut events: Vec<Event> = stories.flat_map(|story| story.events()).collect();
    events.sort_unstable();
    events.dedup();
    let all: Vec<Event> = clap::ValueEnum::value_variants().to_vec();
    assert_eq!(events, all[..all.len() - 1]);
    assert_eq!(all.last(), Some(&Event::Mismatch));
    for event in all {
        let name = clap::ValueEnum::to_possible_value(&event).expect("a name");
        assert_eq!(name.get_name(), event.to_string());
    }
}

#[test]
fn a_subject_is_read_from_what_it_writes_and_fits_a_dump() {
    for (scheduler, launch) in &everything() {
        let subject = Subject { scheduler: scheduler.clone(), launch: *launch };
        let text = subject.to_string();
        assert!(text.len() <= 127, "{text}");
        assert_eq!(text.parse(), Ok(subject));
    }
    for text in ["Blockyard", "", "Blockyard rr", "Blockyard x --launch flat", "rr --launch flat"] {
        assert_eq!(text.parse::<Subject>(), Err(()), "{text}");
    }
}
