//! Inputs that count only under a condition: modules sleep while they alone change, and no port shows it.

use blockyard::replay::stimulus::{self, Scramble, Stimulus};
use blockyard::replay::{Cycle, PortTrace};
use blockyard_rtl::catalog::{self, Size};
use blockyard_rtl::condition::ignored;
use blockyard_rtl::module::Module;
use blockyard_rtl::prelude::*;
use blockyard_rtl::prim::Register;
use blockyard_rtl::storage::Declared;

const CYCLES: usize = 400;

hdl_module! {
    /// Stores a word when it is told to, but says that the word counts only when something else is up.
    pub struct Liar clocked {
        inputs {
            /// What it stores.
            word: Signal<In, U<8>> => Self::other_is_up,
            /// The word counts.
            store: Signal<In, Bit>,
            /// Something else.
            other: Signal<In, Bit>,
        }
        outputs {
            /// What it holds.
            held: Signal<Out, U<8>>,
        }
        children {
            register: Register<U<8>>,
        }
    }
}

impl Liar {
    fn other_is_up(&self) -> bool {
        self.other.val()
    }
}

impl Logic for Liar {
    #[hdl_gen]
    fn update(&mut self) {
        Control::link(&mut self.control, &mut self.register.control);
        self.register.d.next = self.register.q.val();
        if self.store.val() {
            self.register.d.next = self.word.val();
        }
        self.held.next = self.register.q.val();
    }
}

/// The ports on the same random inputs, with conditions and without.
fn both(
    module: impl Fn() -> Box<dyn Module>,
    stimulus: impl Fn() -> Box<dyn Stimulus>,
) -> [Vec<Cycle>; 2] {
    let record =
        || PortTrace::record(&mut *module(), &mut *stimulus(), CYCLES as u64, CYCLES).cycles;
    [record(), ignored(record)]
}

/// Whether a module or one of its parts has an input with a condition.
fn has_conditions(module: &dyn Declared) -> bool {
    let mut found = module.has_condition();
    module.parts(&mut |_, _, part| found |= has_conditions(part));
    found
}

#[test]
fn no_port_of_the_catalog_shows_whether_modules_sleep_while_what_does_not_count_changes() {
    let mut compared = Vec::new();
    for entry in catalog::entries() {
        for configuration in entry.configurations {
            let (module, stimulus) =
                (|| configuration.build(), || stimulus::for_module(entry.name, configuration.name));
            if configuration.size == Size::Wide || !has_conditions(&*module()) {
                continue;
            }
            let [sleeping, awake] = both(module, stimulus);
            let differs = sleeping.iter().zip(&awake).position(|(one, other)| one != other);
            assert_eq!(differs, None, "{} {}", entry.name, configuration.name);
            compared.push(entry.name);
        }
    }
    for name in ["srtf/block_starts", "srtf/predictor", "srtf/scheduler"] {
        assert!(compared.contains(&name), "{compared:?}");
    }
}

#[test]
fn a_condition_that_leaves_out_what_counts_is_noticed() {
    let module = || -> Box<dyn Module> {
        let mut module = Liar::new();
        module.connect_all();
        Box::new(module)
    };
    let [sleeping, awake] = both(module, || Box::new(Scramble::default()));
    assert_ne!(sleeping, awake);
}
