//! A design knows whether it is back where it was: registers come back, memories that were written
//! do not.

use crate::harness::fresh;
use blockyard_rtl::activity::{self, remember};
use blockyard_rtl::module::{clock_edge, settle, Module};
use blockyard_rtl::prim::{OptionalRegister, Register, RegisterFile, SramTwoPort};
use blockyard_rtl::word::U;

/// One cycle; returns how many stores it counted.
fn stores(module: &mut dyn Module) -> u64 {
    settle(module);
    let before = activity::count();
    clock_edge(module);
    settle(module);
    activity::count() - before
}

#[test]
fn a_register_is_back_when_it_holds_what_it_held_and_never_before() {
    let mut register: Register<U<8>> = fresh(Register::new(U::new(0)));
    let mut holds = |value: u64| {
        register.d.next = U::new(value);
        stores(&mut register)
    };
    holds(7);
    let moment = remember();
    assert!(moment.is_back(), "nothing has happened");
    // Every way through four values, the first of them again now and then.
    for (value, back) in [(7, true), (1, false), (1, false), (2, false), (7, true), (3, false)] {
        holds(value);
        assert_eq!(moment.is_back(), back, "{value}");
    }
    let later = remember();
    assert!(later.is_back() && !moment.is_back(), "there is one moment, the last");
    holds(7);
    assert!(!later.is_back() && !moment.is_back());
    holds(3);
    assert!(later.is_back());
}

#[test]
fn two_registers_are_back_when_both_are() {
    let [mut one, mut other] = [0, 1].map(|_| fresh(Register::new(U::<8>::new(0))));
    let moment = remember();
    for (values, back) in [((1, 0), false), ((1, 2), false), ((0, 2), false), ((0, 0), true)] {
        (one.d.next, other.d.next) = (U::new(values.0), U::new(values.1));
        stores(&mut one);
        stores(&mut other);
        assert_eq!(moment.is_back(), back, "{values:?}");
    }
}

#[test]
fn an_optional_register_is_back_like_a_register() {
    let mut register = fresh(OptionalRegister::new(true, U::<8>::new(0)));
    let moment = remember();
    for (value, back) in [(1, false), (0, true)] {
        register.d.next = U::new(value);
        assert_eq!((stores(&mut register), moment.is_back()), (1, back));
    }
}

#[test]
fn a_word_that_was_written_does_not_come_back() {
    let mut file = fresh(RegisterFile::<U<8>, 2>::of(4, 1, 1));
    let mut memory = fresh(SramTwoPort::<U<8>, 2>::new(U::new(0), 4));
    let mut write = |value: u64| {
        file.write_enable[0].next = true;
        file.write_data[0].next = U::new(value);
        memory.write_enable.next = true;
        memory.write_data.next = U::new(value);
        // Beside the word that the port reads.
        memory.read_address.next = U::new(1);
        (stores(&mut file), stores(&mut memory))
    };
    write(7);
    for (value, stored) in [(7, 0), (9, 1), (7, 1)] {
        let moment = remember();
        assert_eq!(write(value), (stored, stored), "{value}");
        assert_eq!(moment.is_back(), stored == 0, "{value}");
    }
}
