//! What a dump takes over from a design that stands still in part is what is there.

use super::catalog::{of, wide};
use blockyard::replay::{Check, ReplayCase};
use blockyard_rtl::changes::Changes;
use blockyard_rtl::condition::ignored;
use blockyard_rtl::module::Module;
use rayon::prelude::*;
use rust_hdl::core::atom::Atom;
use rust_hdl::core::block::Block;
use rust_hdl::core::probe::Probe;
use rust_hdl::core::synth::VCDValue;

const CYCLES: usize = 300;
const SEED: u64 = 5;

/// The path of every signal, in the order of rust-hdl's probes.
#[derive(Default)]
struct Paths {
    scope: Vec<String>,
    all: Vec<String>,
}

impl Probe for Paths {
    fn visit_start_scope(&mut self, name: &str, _node: &dyn Block) {
        self.scope.push(name.to_owned());
    }

    fn visit_end_scope(&mut self, _name: &str, _node: &dyn Block) {
        self.scope.pop();
    }

    fn visit_atom(&mut self, name: &str, _signal: &dyn Atom) {
        self.all.push(format!("{}.{name}", self.scope.join(".")));
    }
}

/// The value of every signal, in the same order.
#[derive(Default)]
struct Values(Vec<VCDValue>);

impl Probe for Values {
    fn visit_atom(&mut self, _name: &str, signal: &dyn Atom) {
        self.0.push(signal.vcd());
    }
}

/// What a probe finds in a module.
fn probed<T: Probe + Default>(module: &dyn Module) -> T {
    let mut probe = T::default();
    module.as_block().accept("top", &mut probe);
    probe
}

/// A field's bits, in words of 64, lowest first.
type Words = Vec<u64>;

/// The bits of each field, of a struct's in order; `None` of a signal that nobody drives.
fn fields(value: &VCDValue) -> Option<Vec<Words>> {
    let bit = |bit: VCDValue| match bit {
        bit if bit == false.into() => Some(0),
        bit if bit == true.into() => Some(1),
        _ => None,
    };
    Some(match value {
        VCDValue::Single(_) => vec![vec![bit(value.clone())?]],
        VCDValue::Vector(bits) if bits.is_empty() => Vec::new(),
        VCDValue::Vector(bits) => {
            let word = |bits: &[_]| {
                let mut bits = bits.iter().map(|each| bit(VCDValue::Single(*each)));
                bits.try_fold(0, |word, bit| Some(word << 1 | bit?))
            };
            vec![bits.rchunks(64).map(word).collect::<Option<Words>>()?]
        }
        VCDValue::Composite(parts) => {
            let parts: Option<Vec<_>> = parts.iter().map(|part| fields(part)).collect();
            parts?.concat()
        }
        VCDValue::String(name) => panic!("{name}: an enum has no bits here"),
    })
}

/// Follows a module through its `Changes`, at some of its cycles.
#[derive(Default)]
struct Follower {
    cycle: usize,
    changes: Option<Changes>,
    paths: Vec<String>,
    /// As they were when the module was followed last.
    before: Vec<VCDValue>,
    /// As the changes say.
    followed: Vec<Option<Vec<Words>>>,
}

impl Follower {
    /// Fails with the first signal that is not what is followed.
    fn follow(&mut self, module: &dyn Module, wants: &dyn Fn(usize) -> bool) -> Result<(), String> {
        self.cycle += 1;
        if self.cycle % 5 == 3 {
            return Ok(());
        }
        let Values(all) = probed(module);
        let Some(changes) = &mut self.changes else {
            self.followed = all.iter().map(fields).collect();
            self.before = all;
            self.paths = probed::<Paths>(module).all;
            self.changes = Some(Changes::new(module, wants));
            return Ok(());
        };
        let followed = &mut self.followed;
        let (mut changed, mut astray) = (vec![false; all.len()], None);
        changes.see(module, &mut |signal, field, from, bits| match &mut followed[signal] {
            Some(fields) if wants(signal) && fields[field][from / 64] != bits => {
                fields[field][from / 64] = bits;
                changed[signal] = true;
            }
            _ => astray = Some(signal),
        });
        for (place, value) in all.iter().enumerate() {
            let (cycle, path) = (self.cycle, &self.paths[place]);
            if astray == Some(place) {
                return Err(format!("cycle {cycle}, {path}: seen for no reason"));
            }
            // What was right stays so as long as neither of the two changes.
            if !changed[place] && *value == self.before[place] {
                continue;
            }
            let (found, expected) = (&followed[place], fields(value));
            // The falling edge does not travel to modules that have nothing else to do.
            if wants(place) && *found != expected && !path.ends_with("clock") {
                return Err(format!("cycle {cycle}, {path}: {found:?}, not {expected:?}"));
            }
        }
        self.before = all;
        Ok(())
    }
}

fn failure(case: &ReplayCase, wants: &dyn Fn(usize) -> bool) -> Option<String> {
    let (mut follower, mut ended) = (Follower::default(), Ok(()));
    // As a dump is written: what an input that does not count has for a value is in it.
    ignored(|| {
        case.watched_trace(SEED, CYCLES, &mut |module| {
            if ended.is_ok() {
                ended = follower.follow(module, wants);
            }
        })
    });
    Some(format!("{}: {}", case.id, ended.err()?))
}

#[test]
fn every_change_of_every_signal_of_every_module_is_seen() {
    let small: Vec<ReplayCase> = of(Check::Lint).into_iter().filter(|case| case.small).collect();
    let failures: Vec<String> =
        wide(|| small.par_iter().filter_map(|case| failure(case, &|_| true)).collect());
    assert!(failures.is_empty(), "{} fail:\n{}", failures.len(), failures.join("\n"));
}

#[test]
fn of_signals_that_are_not_wanted_no_change_is_seen() {
    let is_whole = |case: &ReplayCase| case.small && case.id.contains("/scheduler/");
    let some: Vec<ReplayCase> = of(Check::Lint).into_iter().filter(is_whole).collect();
    assert!(some.len() >= 5, "whole schedulers are among the cases");
    // A stretch of signals, as those of one module are.
    let wants = |place: usize| place % 200 < 20;
    let failures: Vec<String> =
        wide(|| some.par_iter().filter_map(|case| failure(case, &wants)).collect());
    assert!(failures.is_empty(), "{} fail:\n{}", failures.len(), failures.join("\n"));
}
