//! Rationale: 1. the state is the turn, a backup for each SMX and what gates refused; heads come
//! and go at random. 2. One SMX, clusters of 1, 2 and all, more SMXs and queues than a word has
//! bits; with and without stage 3.

use crate::harness::{mask, random, twin_calls, Lockstep, Twinned};
use blockyard_rtl::laperm::{Division, Selection, Selector};
use blockyard_rtl::module::Module;
use blockyard_sim::sched::laperm::{
    self as twin, Binding, Candidate, LapermConfig, SelectorInputs as Inputs,
    SelectorOutputs as Outputs,
};
use blockyard_sim::sched::mask::SmxMask;
use rand::RngExt;

impl Twinned for Selector {
    type Twin = twin::Selector;
    type Inputs = Inputs;
    type Outputs = Outputs;

    fn apply(&mut self, inputs: &Inputs) {
        self.drive_reset(inputs.reset);
        let ports = &mut self.selector_ports;
        mask::drive(&mut ports.heads, inputs.heads);
        ports.zero.next = inputs.zero;
        ports.asked.next = inputs.refused;
        ports.allowed.next = false;
    }
    fn observe(&self) -> Outputs {
        let ports = &self.selector_ports;
        let (smxs, queues) = (ports.visited.val().len(), ports.heads.val().len());
        let chosen = ports.chosen.val().index();
        let own = ports.turn.val().index() / smxs.div_ceil(queues);
        let candidate = match (ports.from_queue.val(), ports.from_zero.val()) {
            (true, false) if chosen == own => Some(Candidate::Own(chosen)),
            (true, false) => Some(Candidate::Backup(chosen)),
            (false, true) => Some(Candidate::Zero),
            (false, false) => None,
            (true, true) => panic!("one candidate"),
        };
        Outputs { turn: ports.turn.val().index(), candidate }
    }
    twin_calls!();
}

fn selector(smxs: usize, queues: usize, binding: Binding) -> Lockstep<Selector> {
    let cluster = smxs.div_ceil(queues);
    let config = LapermConfig { cluster: cluster as u8, ..LapermConfig::new(binding) };
    let selection = Selection { adaptive: binding == Binding::Adaptive, gated: true };
    let division = Division { cluster, levels: 4 };
    let hardware = Selector::new(smxs, queues, division, selection);
    Lockstep::new(hardware, twin::Selector::new(&config, smxs))
}

fn random_heads(smxs: usize, queues: usize, binding: Binding) {
    let (mut random, mut selector) = (random(smxs as u64), selector(smxs, queues, binding));
    let mut backups = 0;
    let (mut heads, mut zero) = (SmxMask::ZERO, false);
    for _ in 0..if smxs > 32 { 5_000 } else { 20_000 } {
        for queue in 0..queues {
            if random.random_ratio(1, 8) {
                heads.set(queue, !heads[queue]);
            }
        }
        zero ^= random.random_ratio(1, 10);
        let mut inputs =
            Inputs { reset: random.random_ratio(1, 3000), heads, zero, refused: false };
        let seen = selector.peek(&inputs);
        inputs.refused = seen.candidate.is_some() && random.random_ratio(1, 4);
        backups += u32::from(matches!(seen.candidate, Some(Candidate::Backup(_))));
        selector.cycle(&inputs);
    }
    assert_eq!(backups > 100, binding == Binding::Adaptive && queues > 1, "{backups} backups");
}

#[test]
fn hardware_and_twin_choose_alike_for_random_heads_and_refusals() {
    random_heads(1, 1, Binding::Adaptive);
    random_heads(3, 1, Binding::Shared);
    random_heads(3, 2, Binding::Adaptive);
    random_heads(4, 4, Binding::Bound);
    random_heads(4, 4, Binding::Adaptive);
    random_heads(13, 7, Binding::Adaptive);
    random_heads(16, 16, Binding::Adaptive);
    random_heads(33, 33, Binding::Adaptive);
    random_heads(65, 65, Binding::Adaptive);
    random_heads(132, 66, Binding::Adaptive);
    random_heads(132, 132, Binding::Bound);
    random_heads(132, 132, Binding::Adaptive);
    random_heads(132, 1, Binding::Shared);
}

#[test]
fn a_backup_is_kept_until_it_is_empty_and_the_next_one_is_the_one_after_it_section_iv_c() {
    let mut selector = selector(4, 4, Binding::Adaptive);
    // SMX 0 has nothing of its own: queue 2 is the first one with a head.
    let round = |selector: &mut Lockstep<Selector>, heads: u32| {
        let inputs = Inputs { heads: mask::from_bits(heads), ..Inputs::default() };
        let chosen = selector.cycle(&inputs).candidate;
        (1..4).for_each(|_| {
            selector.cycle(&inputs);
        });
        chosen
    };
    assert_eq!(round(&mut selector, 0b1100), Some(Candidate::Backup(2)));
    assert_eq!(round(&mut selector, 0b1110), Some(Candidate::Backup(2)), "it is kept");
    assert_eq!(round(&mut selector, 0b1010), Some(Candidate::Backup(3)), "upwards from there");
    assert_eq!(round(&mut selector, 0b0010), Some(Candidate::Backup(1)), "and cyclically");
}

#[test]
fn queue_0_goes_before_backups_and_after_the_own_queue() {
    let mut selector = selector(4, 4, Binding::Adaptive);
    let inputs = |heads, zero| Inputs { heads: mask::from_bits(heads), zero, ..Inputs::default() };
    assert_eq!(selector.cycle(&inputs(0b0011, true)).candidate, Some(Candidate::Own(0)));
    assert_eq!(selector.cycle(&inputs(0b0001, true)).candidate, Some(Candidate::Zero));
    assert_eq!(selector.cycle(&inputs(0b0001, false)).candidate, Some(Candidate::Backup(0)));
}

#[test]
fn the_turn_moves_on_only_in_cycles_with_work() {
    let mut selector = selector(3, 1, Binding::Shared);
    let idle = Inputs::default();
    let work = Inputs { zero: true, ..idle.clone() };
    let turns =
        [&idle, &work, &idle, &work, &work, &work].map(|inputs| selector.cycle(inputs).turn);
    assert_eq!(turns, [0, 0, 1, 1, 2, 0]);
}

#[test]
fn an_smx_that_a_gate_refused_its_own_queue_looks_elsewhere_in_its_next_visit_and_only_in_that() {
    let mut selector = selector(1, 1, Binding::Adaptive);
    let inputs =
        |refused| Inputs { heads: mask::from_bits(1), zero: true, refused, ..Inputs::default() };
    assert_eq!(selector.cycle(&inputs(true)).candidate, Some(Candidate::Own(0)));
    assert_eq!(selector.cycle(&inputs(true)).candidate, Some(Candidate::Zero));
    assert_eq!(selector.cycle(&inputs(false)).candidate, Some(Candidate::Own(0)));
}
