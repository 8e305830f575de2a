use std::cell::RefCell;

use super::*;
use blockyard_sim::diagnostic::InputError;

const INT: Unit = Unit::Integer;

#[test]
fn an_empty_program_exits_in_its_first_cycle() {
    assert_eq!(exit_of(&[], vec![vec![]]), 2);
}

#[test]
fn a_consumer_issues_after_the_latency_of_the_unit() {
    let chain = |unit| vec![vec![add(unit, Some(1), None), add(INT, None, Some(1))]];
    // Issue in 2, the consumer after the latency, the exit one later.
    assert_eq!(exit_of(&[], chain(Unit::Integer)), 2 + 4 + 1);
    assert_eq!(exit_of(&[], chain(Unit::Single)), 2 + 4 + 1);
    assert_eq!(exit_of(&[], chain(Unit::Double)), 2 + 20 + 1);
    assert_eq!(exit_of(&[], chain(Unit::Special)), 2 + 200 + 1);
    assert_eq!(exit_of(&[("latency.integer", "1")], chain(Unit::Integer)), 2 + 1 + 1);
}

#[test]
fn an_exit_waits_for_every_pending_register() {
    assert_eq!(exit_of(&[], vec![vec![add(INT, Some(1), None)]]), 2 + 4);
}

#[test]
fn independent_instructions_issue_in_consecutive_cycles() {
    assert_eq!(exit_of(&[], vec![vec![add(INT, None, None); 3]]), 5);
}

#[test]
fn a_unit_is_taken_for_its_initiation_interval() {
    let two = |unit| vec![vec![add(unit, None, None); 2]];
    assert_eq!(exit_of(&[], two(Unit::Double)), 2 + 2 + 1);
    assert_eq!(exit_of(&[("initiation.double", "8")], two(Unit::Double)), 2 + 8 + 1);
    assert_eq!(exit_of(&[("initiation.double", "3000")], two(Unit::Double)), 2 + 3000 + 1);
    let mixed = vec![vec![add(Unit::Double, None, None), add(INT, None, None)]];
    assert_eq!(exit_of(&[], mixed), 4, "another unit is free");
}

#[test]
fn a_width_of_two_issues_two_independent_instructions_of_one_warp_on_different_units() {
    let wide = [("warp.issue_width", "2")];
    let pair = |second| vec![vec![add(INT, Some(1), None), second]];
    let exit = 2 + 4;
    assert_eq!(exit_of(&wide, pair(add(Unit::Single, None, None))), exit);
    let units = vec![vec![add(INT, None, None), add(Unit::Single, None, None)]];
    assert_eq!(exit_of(&wide, units), 3, "both in 2");
    let same = vec![vec![add(INT, None, None), add(INT, None, None), add(INT, None, None)]];
    assert_eq!(exit_of(&wide, same), 4, "one integer unit: 2, 3, 4 with the exit");
    let warps = vec![vec![add(INT, None, None)], vec![add(Unit::Single, None, None)]];
    assert_eq!(exit_of(&wide, warps), 3, "each with its exit; two warps take turns");
}

#[test]
fn two_schedulers_issue_from_two_warps_in_a_cycle() {
    let warps = vec![vec![add(INT, None, None)]; 2];
    assert_eq!(exit_of(&[("warp.schedulers", "2"), ("units.integer", "2")], warps.clone()), 3);
    assert_eq!(exit_of(&[], warps), 5);
}

#[test]
fn shared_memory_answers_after_its_latency() {
    let read = Instruction { destination: Some(1), ..access(Space::Shared, Access::Load, 4) };
    assert_eq!(exit_of(&[], vec![vec![read]]), 3 + 24);
    assert_eq!(exit_of(&[], vec![vec![access(Space::Shared, Access::Store, 4)]]), 3);
}

#[test]
fn a_barrier_opens_for_all_when_the_last_warp_arrives() {
    let late = vec![add(INT, Some(1), None), add(INT, None, Some(1)), barrier()];
    // Warp 0 waits from 2 on; warp 1 issues in 3, 7 and 8; both exit after that.
    assert_eq!(exit_of(&[], vec![vec![barrier()], late]), 10);
}

#[test]
fn a_warp_that_has_exited_is_not_waited_for() {
    assert_eq!(exit_of(&[], vec![vec![], vec![barrier()]]), 4, "exits in 2, arrives in 3");
    let slow = vec![add(INT, Some(1), None)];
    // Warp 0 waits from 2 on; warp 1 issues in 3 and exits in 7, which opens the barrier.
    assert_eq!(exit_of(&[], vec![vec![barrier()], slow]), 8);
}

#[test]
fn two_barriers_in_a_row_are_two() {
    let both = vec![vec![barrier(), barrier()]; 2];
    assert_eq!(exit_of(&[], both), 7, "2 and 3, 4 and 5, 6 and 7");
}

/// Records which warp issues: the next instruction is pulled when one issues.
struct Recorded {
    order: Rc<RefCell<Vec<u32>>>,
    instructions: u32,
}

struct RecordedWarp {
    order: Rc<RefCell<Vec<u32>>>,
    warp: u32,
    left: u32,
    first: bool,
}

impl KernelCode for Recorded {
    fn block(
        &self,
        _: Dim3,
        warps: u32,
        programs: &mut Vec<Box<dyn WarpProgram>>,
    ) -> Result<(), InputError> {
        for warp in 0..warps {
            let order = self.order.clone();
            let left = self.instructions;
            programs.push(Box::new(RecordedWarp { order, warp, left, first: true }));
        }
        Ok(())
    }
}

impl WarpProgram for RecordedWarp {
    fn next(&mut self, instruction: &mut Instruction) {
        if !std::mem::take(&mut self.first) {
            self.order.borrow_mut().push(self.warp);
        }
        *instruction = if self.left > 0 { add(INT, None, None) } else { Instruction::default() };
        self.left = self.left.saturating_sub(1);
    }
}

fn issue_order(policy: &str) -> Vec<u32> {
    let order = Rc::new(RefCell::new(Vec::new()));
    let code = Recorded { order: order.clone(), instructions: 3 };
    run_gpu(gpu(config(&[("warp.policy", policy)]), Rc::new(code), 1, 3), true);
    let order = order.borrow().clone();
    order
}

#[test]
fn loose_round_robin_takes_turns_and_greedy_then_oldest_stays() {
    assert_eq!(issue_order("lrr"), [0, 1, 2, 0, 1, 2, 0, 1, 2]);
    assert_eq!(issue_order("gto"), [0, 0, 0, 1, 1, 1, 2, 2, 2]);
}

#[test]
fn instructions_are_counted_by_warp_and_by_active_lane() {
    let half = Instruction { active: 0xffff, ..add(INT, None, None) };
    let execution = seen(&[], vec![vec![half]]).stats.execution.unwrap();
    assert_eq!((execution.warp_instructions, execution.thread_instructions), (2, 48));
    // The exit issues in 3; cycles 0 to 5 make 6.
    assert_eq!(execution.ipc, 8.0);
}

#[test]
fn blocks_wait_for_warp_slots_of_blocks_that_end() {
    let code = Rc::new(scripts(vec![vec![add(INT, None, None); 10]; 32]));
    let small = config(&[("threads", "1024")]);
    let (seen, _) = run_gpu(gpu(small, code, 3, 32), true);
    // 32 warps of 11 instructions, one a cycle: 2 to 353; reported and refilled in 354.
    assert_eq!(seen.dispatches(), ["1,0,K,0,0", "354,0,K,0,1", "707,0,K,0,2"]);
}
