//! Rationale: 1. the state is a ring of 32 kernels with a head; random launches and ends fill it,
//! drain it and let it wrap. 2. There is no parameter.

use crate::dispatch::kernel_table;
use crate::harness::{random, twin_calls, Lockstep, Twinned};
use crate::ports;
use blockyard_rtl::ikra::KernelQueue;
use blockyard_rtl::module::Module;
use blockyard_sim::port::{BlockNeeds, Dim3, KernelEntry, KernelLaunch};
use blockyard_sim::sched::ikra as twin;
use rand::RngExt;
use twin::{KernelQueueInputs as Inputs, KernelQueueOutputs as Outputs};

impl Twinned for KernelQueue {
    type Twin = twin::KernelQueue;
    type Inputs = Inputs;
    type Outputs = Outputs;

    fn apply(&mut self, inputs: &Inputs) {
        self.drive_reset(inputs.reset);
        self.launch_ports.launch.next = ports::launch(inputs.launch.as_ref());
        self.pop.next = inputs.pop;
        self.lookup_ports.lookup.next = ports::tagged(inputs.lookup);
    }
    fn observe(&self) -> Outputs {
        Outputs {
            launch_ready: self
                .launch_ports
                .launch_ready
                .val()
                .then(|| ports::entry(self.launch_ports.launch_entry.val())),
            head: self.head_valid.val().then(|| ports::entry(self.head.val())),
            head_grid: kernel_table::block(self.head_grid.val()),
            head_blocks: self.head_blocks.val().raw() as u32,
            head_needs: kernel_table::needs(self.head_needs.val()),
            kernel_context: ports::context(
                self.lookup_ports.context_valid.val(),
                self.lookup_ports.kernel_context.val(),
            ),
        }
    }
    twin_calls!();
}

fn kernels() -> Lockstep<KernelQueue> {
    Lockstep::new(KernelQueue::new(), twin::KernelQueue::new())
}

fn kernel(number: u32) -> KernelLaunch {
    KernelLaunch {
        entry_pc: number,
        parameter_address: !number,
        grid: Dim3::new(number + 1, 2, 3),
        block: Dim3::new(32, 1, 1),
        blocks: 6 * (number + 1),
        needs: BlockNeeds { threads: 32, registers: number, shared_memory: 1 },
        ..KernelLaunch::default()
    }
}

fn launch(number: u32) -> Inputs {
    Inputs { launch: Some(kernel(number)), ..Inputs::default() }
}

fn pop() -> Inputs {
    Inputs { pop: true, ..Inputs::default() }
}

#[test]
fn thirty_two_kernels_fit_and_leave_in_the_order_in_which_they_came() {
    let mut kernels = kernels();
    for number in 0..32 {
        let entry = Some(KernelEntry(number as u8));
        assert_eq!(kernels.cycle(&launch(number)).launch_ready, entry);
    }
    assert_eq!(kernels.cycle(&launch(99)).launch_ready, None, "full");
    for number in 0..32 {
        let head = kernels.cycle(&pop());
        assert_eq!(
            (head.head, head.head_blocks),
            (Some(KernelEntry(number as u8)), 6 * (number + 1))
        );
    }
    assert_eq!(kernels.cycle(&Inputs::default()).head, None);
}

#[test]
fn an_entry_that_leaves_is_free_in_the_next_cycle_and_not_before() {
    let mut kernels = kernels();
    (0..32).for_each(|number| {
        kernels.cycle(&launch(number));
    });
    let both = Inputs { pop: true, ..launch(40) };
    assert_eq!(kernels.cycle(&both).launch_ready, None);
    assert_eq!(kernels.cycle(&launch(41)).launch_ready, Some(KernelEntry(0)));
}

#[test]
fn a_kernel_is_the_head_and_has_a_context_from_the_cycle_after_its_launch_until_it_leaves() {
    let mut kernels = kernels();
    let lookup = Some(KernelEntry(0));
    let at_once = kernels.cycle(&Inputs { lookup, ..launch(7) });
    assert_eq!((at_once.head, at_once.kernel_context), (None, None));
    let there = kernels.cycle(&Inputs { lookup, ..pop() });
    assert_eq!(there.head, Some(KernelEntry(0)));
    assert_eq!(there.kernel_context.map(|context| context.entry_pc), Some(7));
    assert_eq!(kernels.cycle(&Inputs { lookup, ..Inputs::default() }).kernel_context, None);
}

#[test]
fn hardware_and_twin_agree_on_random_launches_ends_and_lookups() {
    let (mut kernels, mut random) = (kernels(), random(3));
    for cycle in 0..40_000u32 {
        let filling = cycle / 200 % 2 == 0;
        let mut inputs = Inputs::default();
        let offered = random.random_bool(if filling { 0.7 } else { 0.1 });
        inputs.launch = offered.then(|| kernel(random.random_range(0..1_000)));
        inputs.lookup = random.random_bool(0.5).then(|| KernelEntry(random.random_range(0..32)));
        let pops = random.random_bool(if filling { 0.1 } else { 0.7 });
        inputs.pop = pops && kernels.peek(&inputs).head.is_some();
        inputs.reset = random.random_range(0..3_000) == 0;
        kernels.cycle(&inputs);
    }
}
