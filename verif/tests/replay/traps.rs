//! Known ways in which a rust-hdl simulation and its Verilog disagree.

// The macros' own items have no docs.
#![allow(missing_docs)]

use super::{folder, has};
use blockyard::export::verilog;
use blockyard::replay::stimulus::{Driver, Stimulus};
use blockyard::replay::{replay_in_icarus, PortTrace, ReplayError, Tool, TOP};
use blockyard_rtl::changes::{Look, Watched};
use blockyard_rtl::module::{BitSource, Fresh, Module};
use blockyard_rtl::prelude::*;
use blockyard_rtl::storage::{Declared, PartVisitor, Storage};

/// Compares with literals of Rust, which are wider than `a` in Verilog.
#[derive(LogicBlock, Default)]
struct WideLiterals {
    pub a: rust_hdl::prelude::Signal<In, Bits<8>>,
    pub is_last: rust_hdl::prelude::Signal<Out, Bit>,
}

impl Logic for WideLiterals {
    #[hdl_gen]
    fn update(&mut self) {
        self.is_last.next = (self.a.val() + 1) == 0;
    }
}

impl Declared for WideLiterals {
    fn kind(&self) -> &'static str {
        "wide_literals"
    }
    fn parts(&self, _: &mut PartVisitor) {}
    fn storage(&self) -> Vec<Storage> {
        Vec::new()
    }
}

impl Watched for WideLiterals {
    /// Its `Bits` are not words of ours: shows words of the same values.
    fn watch(&self, look: &mut Look) {
        let mut a = Signal::<In, U<8>>::fresh();
        let mut is_last = Signal::<Out, Bit>::fresh();
        a.next = U::new(self.a.val().index() as u64);
        is_last.next = self.is_last.val();
        a.watch(look);
        is_last.watch(look);
    }
}

impl Module for WideLiterals {
    fn drive_clock(&mut self, _level: bool) {}
    fn drive_reset(&mut self, _level: bool) {}
    fn scramble(&mut self, source: &mut BitSource) {
        self.a.next = source(8).into();
    }
    fn drive(&mut self, port: &str, source: &mut BitSource) -> bool {
        self.scramble(source);
        port == "a"
    }
    fn as_block(&self) -> &dyn Block {
        self
    }
}

hdl_module! {
    /// The same with constants of a stated width.
    struct SizedConstants combinational {
        inputs { a: Signal<In, U<8>> }
        outputs { is_last: Signal<Out, Bit> }
        constants { one: Lit<8, 1>, none: Lit<8, 0> }
    }
}

impl Logic for SizedConstants {
    #[hdl_gen]
    fn update(&mut self) {
        self.is_last.next = (self.a.val() + self.one.val()) == self.none.val();
    }
}

/// All values of `a` in order.
struct Count;

impl Stimulus for Count {
    fn drive(&mut self, driver: &mut Driver, cycle: usize) -> bool {
        driver.set("a", &[cycle as u64]);
        true
    }
}

fn replay(mut module: impl Module, test: &str) -> Result<(), ReplayError> {
    module.connect_all();
    let text = verilog(&module, TOP)?;
    let trace = PortTrace::record(&mut module, &mut Count, 0, 256);
    assert_eq!(trace.cycles[254].outputs, [0]);
    assert_eq!(trace.cycles[255].outputs, [1], "in the simulation the sum wraps");
    replay_in_icarus(&text, &trace, &folder(test))
}

#[test]
fn replay_catches_that_literals_are_wider_in_verilog() {
    if !has(Tool::Icarus) {
        return;
    }
    let result = replay(WideLiterals::default(), "wide-literals");
    let Err(ReplayError::Mismatch { mismatch, .. }) = result else {
        panic!("255 + 1 is zero in the simulation and not in Verilog: {result:?}");
    };
    assert_eq!(mismatch, "cycle 255, port is_last: expected 1, got 0");
}

#[test]
fn constants_of_a_stated_width_agree() {
    if has(Tool::Icarus) {
        replay(SizedConstants::new(), "sized-constants").expect("no difference");
    }
}
