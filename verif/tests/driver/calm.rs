//! Clock edges pass by modules in which nothing changes, and come again as soon as something may.

use blockyard_rtl::activity;
use blockyard_rtl::module::{clock_edge, settle, Module};
use blockyard_rtl::prelude::*;
use blockyard_rtl::prim::Register;

hdl_module! {
    /// A register, one module further down.
    pub struct Inner clocked {
        inputs {
            /// What it stores.
            d: Signal<In, U<8>>,
        }
        outputs {
            /// What it holds.
            q: Signal<Out, U<8>>,
        }
        children {
            held: Register<U<8>>,
        }
    }
}

impl Logic for Inner {
    #[hdl_gen]
    fn update(&mut self) {
        Control::link(&mut self.control, &mut self.held.control);
        self.held.d.next = self.d.val();
        self.q.next = self.held.q.val();
    }
}

hdl_module! {
    /// Two of them in a row.
    pub struct Outer clocked {
        inputs {
            /// What the first one stores.
            d: Signal<In, U<8>>,
        }
        outputs {
            /// What the second one holds.
            q: Signal<Out, U<8>>,
        }
        children {
            first: Inner,
            second: Inner,
        }
    }
}

impl Logic for Outer {
    #[hdl_gen]
    fn update(&mut self) {
        Control::link(&mut self.control, &mut self.first.control);
        Control::link(&mut self.control, &mut self.second.control);
        self.first.d.next = self.d.val();
        self.second.d.next = self.first.q.val();
        self.q.next = self.second.q.val();
    }
}

hdl_module! {
    /// Counts how often its kernel runs.
    pub struct Counting clocked {
        inputs {
            /// What goes down.
            d: Signal<In, U<8>>,
        }
        outputs {
            /// What comes up.
            q: Signal<Out, U<8>>,
        }
        children {
            below: Outer,
        }
        state { runs: u64 = 0 }
    }
}

impl Logic for Counting {
    fn update(&mut self) {
        self.runs += 1;
        Control::link(&mut self.control, &mut self.below.control);
        self.below.d.next = self.d.val();
        self.q.next = self.below.q.val();
    }

    fn connect(&mut self) {
        self.q.connect();
        self.below.d.connect();
        self.below.control.link_connect_dest();
    }
}

/// After so many quiet edges that all are passed by.
fn calm() -> Outer {
    let mut module = Outer::new();
    module.connect_all();
    module.drive_reset(true);
    cycle(&mut module);
    module.drive_reset(false);
    (0..4).for_each(|_| cycle(&mut module));
    module
}

fn cycle(module: &mut Outer) {
    settle(module);
    clock_edge(module);
}

/// What it holds, and whether the last cycle stored anything.
fn after_cycle(module: &mut Outer) -> (u64, bool) {
    let before = activity::count();
    cycle(module);
    let stored = activity::count() != before;
    settle(module);
    (module.q.val().raw(), stored)
}

#[test]
fn what_is_driven_after_quiet_edges_is_stored() {
    let mut module = calm();
    for word in [5, 0, 7] {
        let before = module.q.val().raw();
        module.d.next = U::new(word);
        assert_eq!(after_cycle(&mut module), (before, true));
        assert_eq!(after_cycle(&mut module), (word, true));
        (0..3).for_each(|_| assert_eq!(after_cycle(&mut module), (word, false)));
    }
}

#[test]
fn what_is_driven_while_the_clock_is_high_waits_for_the_next_edge() {
    let mut module = calm();
    settle(&mut module);
    module.drive_clock(true);
    settle(&mut module);
    module.d.next = U::new(5);
    settle(&mut module);
    module.drive_clock(false);
    settle(&mut module);
    assert_eq!(module.q.val().raw(), 0, "no edge has come since");
    assert_eq!(after_cycle(&mut module), (0, true), "the first one has it");
    assert_eq!(after_cycle(&mut module), (5, true), "and now the second");
}

#[test]
fn a_reset_reaches_what_was_passed_by() {
    let mut module = calm();
    module.d.next = U::new(9);
    (0..5).for_each(|_| cycle(&mut module));
    module.drive_reset(true);
    assert_eq!(after_cycle(&mut module), (0, true));
}

#[test]
fn a_kernel_runs_once_what_was_stored_further_down_shows_and_not_before() {
    let mut module = Counting::new();
    module.connect_all();
    module.drive_reset(true);
    let cycle = |module: &mut Counting| {
        let before = module.runs;
        settle(module);
        clock_edge(module);
        (module.runs - before, module.q.val().raw())
    };
    cycle(&mut module);
    module.drive_reset(false);
    (0..4).for_each(|_| _ = cycle(&mut module));
    module.d.next = U::new(5);
    // Driven; stored in front; shown at the back; at rest.
    assert_eq!([0; 4].map(|_| cycle(&mut module)), [(1, 0), (0, 0), (1, 5), (0, 5)]);
}
