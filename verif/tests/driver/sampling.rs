//! When a module samples: at the rising edge, what was settled before it.

use blockyard_rtl::activity;
use blockyard_rtl::dispatch::RoundRobin;
use blockyard_rtl::module::{clock_edge, settle, Module};
use blockyard_rtl::prelude::*;
use blockyard_rtl::prim::Fifo;

/// A module after reset, its clock low.
fn fresh<M: Module>(mut module: M) -> M {
    module.connect_all();
    module.drive_reset(true);
    settle(&mut module);
    clock_edge(&mut module);
    module.drive_reset(false);
    settle(&mut module);
    module
}

mod two_registers {
    use super::*;
    use blockyard_rtl::prim::Register;

    hdl_module! {
        /// Two registers in a row, the second one first in the order of evaluation.
        pub struct TwoRegisters clocked {
            inputs {
                /// What the front register stores.
                d: Signal<In, U<8>>,
            }
            outputs {
                /// The word of the cycle before.
                front_word: Signal<Out, U<8>>,
                /// The word of two cycles before.
                back_word: Signal<Out, U<8>>,
            }
            children {
                back: Register<U<8>>,
                front: Register<U<8>>,
            }
        }
    }

    impl Logic for TwoRegisters {
        #[hdl_gen]
        fn update(&mut self) {
            Control::link(&mut self.control, &mut self.back.control);
            Control::link(&mut self.control, &mut self.front.control);
            self.front.d.next = self.d.val();
            self.back.d.next = self.front.q.val();
            self.front_word.next = self.front.q.val();
            self.back_word.next = self.back.q.val();
        }
    }
}
use two_registers::TwoRegisters;

#[test]
fn inputs_that_change_together_with_the_rising_edge_are_not_sampled_by_the_registers_inside() {
    let mut queue = fresh(Fifo::<U<8>, 2>::fresh());
    queue.push.next = true;
    queue.data.next = U::new(1);
    settle(&mut queue);
    // One pass with the edge and another word: the queue stores what was there before.
    queue.data.next = U::new(2);
    clock_edge(&mut queue);
    settle(&mut queue);
    assert_eq!((queue.empty.val(), queue.head.val().raw()), (false, 1));
    clock_edge(&mut queue);
    queue.push.next = false;
    queue.pop.next = true;
    settle(&mut queue);
    clock_edge(&mut queue);
    settle(&mut queue);
    assert_eq!(queue.head.val().raw(), 2, "the word is sampled by the edge after");
}

#[test]
fn a_reset_that_rises_together_with_the_edge_resets_at_the_next_one() {
    let mut placement = fresh(RoundRobin::new(3));
    placement.request.next = Mask::new(3, [0b010, 0, 0]);
    settle(&mut placement);
    placement.drive_reset(true);
    clock_edge(&mut placement);
    settle(&mut placement);
    assert_eq!(placement.first.val().raw(), 2, "the grant still counts");
    clock_edge(&mut placement);
    settle(&mut placement);
    assert_eq!(placement.first.val().raw(), 0);
}

#[test]
fn a_word_moves_one_register_a_cycle_whatever_the_order_of_evaluation() {
    let mut row = fresh(TwoRegisters::new());
    for word in 1..200u64 {
        row.d.next = U::new(word);
        settle(&mut row);
        let expected = (word - 1, word.saturating_sub(2));
        assert_eq!((row.front_word.val().raw(), row.back_word.val().raw()), expected);
        clock_edge(&mut row);
    }
}

#[test]
fn neither_settling_nor_the_falling_edge_stores_anything() {
    let mut row = fresh(TwoRegisters::new());
    row.d.next = U::new(9);
    settle(&mut row);
    clock_edge(&mut row);
    let before = activity::count();
    for word in 0..5 {
        row.d.next = U::new(word);
        settle(&mut row);
        settle(&mut row);
    }
    assert_eq!(activity::count(), before);
    assert_eq!((row.front_word.val().raw(), row.back_word.val().raw()), (9, 0));
}

#[test]
fn a_module_stays_quiet_until_an_input_changes_and_then_wakes_up() {
    let mut row = fresh(TwoRegisters::new());
    let edge = |row: &mut TwoRegisters| {
        settle(row);
        let before = activity::count();
        clock_edge(row);
        activity::count() - before
    };
    assert_eq!((edge(&mut row), edge(&mut row)), (0, 0));
    row.d.next = U::new(7);
    assert_eq!([0; 4].map(|_| edge(&mut row)), [1, 1, 0, 0], "front, back, nothing");
    settle(&mut row);
    assert_eq!((row.front_word.val().raw(), row.back_word.val().raw()), (7, 7));
}
