//! Inputs that count only under a condition: modules sleep while they alone change, and neither a
//! port nor what is stored shows it.

use blockyard::replay::stimulus::{self, Driver, Scramble, Stimulus, RESET_CYCLES};
use blockyard::replay::{Cycle, Port, PortTrace};
use blockyard_rtl::activity;
use blockyard_rtl::catalog::{self, Size};
use blockyard_rtl::condition::ignored;
use blockyard_rtl::module::Module;
use blockyard_rtl::prelude::*;
use blockyard_rtl::prim::Register;

const CYCLES: usize = 1_000;
const SEEDS: u64 = 4;

hdl_module! {
    /// Stores a word when it is told to, but says that the word counts only when something else is
    /// up.
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

/// Cycles of another stimulus, between which only some inputs change, and nothing else does.
struct Holding {
    inner: Box<dyn Stimulus>,
    changing: Vec<&'static str>,
    driven: usize,
}

impl Stimulus for Holding {
    fn drive(&mut self, driver: &mut Driver, cycle: usize) -> bool {
        if cycle < RESET_CYCLES || driver.chance(300) {
            self.driven += 1;
            self.inner.drive(driver, self.driven - 1);
        }
        for name in &self.changing {
            driver.scramble(name, 500);
        }
        true
    }

    fn observe(&mut self, ports: &[Port], inputs: &[u32], outputs: &[u32]) {
        self.inner.observe(ports, inputs, outputs);
    }
}

/// A cycle, and how often something was stored before it.
type Seen = (Cycle, u64);

/// What is seen on the same random inputs, with conditions and without.
fn both(
    module: impl Fn() -> Box<dyn Module>,
    stimulus: impl Fn() -> Box<dyn Stimulus>,
    seed: u64,
) -> [Vec<Seen>; 2] {
    let record = || {
        let mut module = module();
        let changing = module.conditional();
        let mut holding = Holding { inner: stimulus(), changing, driven: 0 };
        let (begin, mut stored) = (activity::count(), Vec::new());
        let mut count = |_: &dyn Module| stored.push(activity::count() - begin);
        let trace = PortTrace::record_watched(&mut *module, &mut holding, seed, CYCLES, &mut count);
        trace.cycles.into_iter().zip(stored).collect::<Vec<_>>()
    };
    [record(), ignored(record)]
}

#[test]
fn neither_ports_nor_what_is_stored_show_whether_modules_sleep_while_what_does_not_count_changes() {
    let mut compared = Vec::new();
    for entry in catalog::entries() {
        for configuration in &entry.configurations {
            let module = || configuration.build();
            if configuration.size == Size::Wide || module().conditional().is_empty() {
                continue;
            }
            for seed in 0..SEEDS {
                let stimulus = || stimulus::for_module(entry.name, configuration.name);
                let [sleeping, awake] = both(module, stimulus, seed);
                let differs = sleeping.iter().zip(&awake).position(|(one, other)| one != other);
                assert_eq!(differs, None, "{} {}, seed {seed}", entry.name, configuration.name);
            }
            compared.push(entry.name);
        }
    }
    for name in [
        "dispatch/kernel_entries",
        "dtbl/block_control",
        "prim/counter_bank",
        "srtf/block_starts",
        "srtf/predictor",
        "srtf/scheduler",
    ] {
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
    let [sleeping, awake] = both(module, || Box::new(Scramble::default()), 1);
    assert_ne!(sleeping, awake);
}
