//! Designs that never settle end in a panic that says so, not in a hang.

use blockyard_rtl::changes::{Look, Watched};
use blockyard_rtl::module::{settle, BitSource, Module};
use blockyard_rtl::prelude::*;
use blockyard_rtl::prim::Bundle;
use blockyard_rtl::storage::{Declared, PartVisitor, Storage};
use rust_hdl::core::probe::Probe;
use std::panic::{catch_unwind, AssertUnwindSafe};

hdl_module! {
    /// Feeds the output of a child back to its input, inverted while `invert` is high.
    pub struct Feedback combinational {
        inputs {
            /// Whether the loop inverts.
            invert: Signal<In, Bit>,
        }
        outputs {
            /// What goes round.
            q: Signal<Out, Bit>,
        }
        children {
            wire: Bundle<U<1>>,
        }
    }
}

impl Logic for Feedback {
    #[hdl_gen]
    fn update(&mut self) {
        self.wire.bits[0].next = self.wire.word.val().get_bit(0) ^ self.invert.val();
        self.q.next = self.wire.word.val().get_bit(0);
    }
}

/// A module that says for ever that it has changed.
struct Restless;

impl Logic for Restless {
    fn update(&mut self) {}
}

impl Block for Restless {
    fn connect_all(&mut self) {}
    fn update_all(&mut self) {}
    fn has_changed(&self) -> bool {
        true
    }
    fn accept(&self, _: &str, _: &mut dyn Probe) {}
}

impl Declared for Restless {
    fn kind(&self) -> &'static str {
        "restless"
    }
    fn parts(&self, _: &mut PartVisitor) {}
    fn storage(&self) -> Vec<Storage> {
        Vec::new()
    }
}

impl Watched for Restless {
    fn watch(&self, _: &mut Look) {}
}

impl Module for Restless {
    fn drive_clock(&mut self, _: bool) {}
    fn drive_reset(&mut self, _: bool) {}
    fn scramble(&mut self, _: &mut BitSource) {}
    fn drive(&mut self, _: &str, _: &mut BitSource) -> bool {
        false
    }
    fn as_block(&self) -> &dyn Block {
        self
    }
}

/// What the panic of settling says.
fn panic_message<M: Module>(module: &mut M) -> Option<String> {
    let panic = catch_unwind(AssertUnwindSafe(|| settle(module))).err()?;
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned())
}

#[test]
fn a_combinational_loop_that_oscillates_is_named_as_one() {
    let mut feedback = Feedback::new();
    feedback.connect_all();
    settle(&mut feedback);
    assert!(!feedback.q.val(), "a loop without inversion settles");
    feedback.invert.next = true;
    let message = panic_message(&mut feedback).expect("it does not settle");
    assert!(message.contains("combinational loop"), "{message}");
}

#[test]
fn a_top_module_that_never_comes_to_rest_is_named_as_a_loop() {
    let message = panic_message(&mut Restless).expect("it does not settle");
    assert!(message.contains("does not settle"), "{message}");
    assert!(message.contains("combinational loop"), "{message}");
}
