//! State space: stored word, next word, reset; exhausted for words of 3 bits.

use crate::harness::{cycle, fresh, reset, stores};
use blockyard_rtl::module::{clock_edge, settle, Module};
use blockyard_rtl::prim::{Register, Tagged};
use blockyard_rtl::word::U;

/// A register that holds `value`.
fn holding(value: u64) -> Register<U<3>> {
    let mut register = fresh(Register::new(U::new(0)));
    cycle(&mut register, |register| register.d.next = U::new(value), |_| ());
    settle(&mut register);
    register
}

#[test]
fn what_is_driven_in_a_cycle_shows_in_the_next_one_and_not_before() {
    for old in 0..8 {
        for new in 0..8 {
            let mut register = holding(old);
            register.d.next = U::new(new);
            settle(&mut register);
            assert_eq!(register.q.val().raw(), old);
            clock_edge(&mut register);
            settle(&mut register);
            assert_eq!(register.q.val().raw(), new);
        }
    }
}

#[test]
fn reset_wins_over_what_is_driven_and_ends_with_its_cycle() {
    for old in 0..8 {
        for new in 0..8 {
            let mut register = holding(old);
            register.d.next = U::new(new);
            register.drive_reset(true);
            settle(&mut register);
            assert_eq!(register.q.val().raw(), old, "the reset is synchronous");
            clock_edge(&mut register);
            register.drive_reset(false);
            settle(&mut register);
            assert_eq!(register.q.val().raw(), 0);
            clock_edge(&mut register);
            settle(&mut register);
            assert_eq!(register.q.val().raw(), new);
        }
    }
}

#[test]
fn an_edge_counts_as_activity_exactly_when_the_word_changes() {
    for old in 0..8 {
        for new in 0..8 {
            let mut register = holding(old);
            assert_eq!(stores(&mut register, |r| r.d.next = U::new(new)), old != new);
        }
        let mut register = holding(old);
        assert_eq!(stores(&mut register, |r| r.drive_reset(true)), old != 0);
    }
}

#[test]
fn the_falling_edge_stores_nothing() {
    let mut register = holding(1);
    register.drive_clock(true);
    settle(&mut register);
    register.d.next = U::new(6);
    settle(&mut register);
    register.drive_clock(false);
    settle(&mut register);
    assert_eq!(register.q.val().raw(), 1);
}

#[test]
fn a_record_is_stored_as_a_whole_and_reset_to_zeros() {
    let event = Tagged { valid: true, entry: U::new(31) };
    let mut register = fresh(Register::new(Tagged::default()));
    cycle(&mut register, |register| register.d.next = event, |_| ());
    settle(&mut register);
    assert_eq!(register.q.val(), event);
    reset(&mut register);
    assert_eq!(register.q.val(), Tagged::default());
}
