//! `sort`: parts of an array are sorted, each on its own. Under CDP and DTBL a block launches
//! blocks for the halves of its part, and waits for them before it merges what they leave.

mod options;

use std::ops::Range;
use std::rc::Rc;

use blockyard_contract::diagnostic::InputError;
use blockyard_contract::port::LaunchMode;
use blockyard_gpu::host::{HostLaunch, HostProgram};
use blockyard_ptx::{Arguments, Machine};

use crate::array::Array;
use crate::compare;
use crate::draw::Draw;
use crate::launch::{launch, line, machine, ptx, Computation};
pub use options::SortOptions;

/// The host program.
pub struct Sort {
    machine: Rc<Machine>,
    options: SortOptions,
    keys: Array,
    other: Array,
}

impl Sort {
    /// Before its launch, with keys drawn from `seed`, every fourth of which is one of a few.
    ///
    /// # Errors
    /// When there is no memory for them.
    pub fn new(options: &SortOptions, seed: u64, mode: LaunchMode) -> Result<Self, InputError> {
        let (file, text) = ptx!("sort", mode);
        let machine = machine(file, text);
        let mut draw = Draw::new(seed);
        let key = |_| if draw.below(4) == 0 { draw.below(8) } else { draw.word() };
        Ok(Self {
            keys: Array::new(&machine, (0..options.count).map(key).collect())?,
            other: Array::zeros(&machine, options.count)?,
            options: *options,
            machine,
        })
    }
}

impl HostProgram for Sort {
    fn start(&mut self) -> Vec<HostLaunch> {
        let SortOptions { count, leaf, block, .. } = self.options;
        let (first, part) = (0, self.options.part());
        let arguments = Arguments::new()
            .long(self.keys.address())
            .long(self.other.address())
            .word(first)
            .word(part)
            .word(count)
            .word(leaf);
        let extents = (line(count.div_ceil(part)), line(block));
        launch(&self.machine, "sort", extents, arguments, 0)
    }

    fn kernel_finished(&mut self, _name: &str, _instance: u32, _cycle: u64) -> Vec<HostLaunch> {
        Vec::new()
    }

    fn verify(&mut self) -> Result<(), String> {
        let mut sorted = self.keys.given().to_vec();
        sorted.chunks_mut(self.options.part() as usize).for_each(<[u32]>::sort_unstable);
        compare::words(&self.keys, &sorted, |at| format!("sort: key {at}"))
    }
}

impl Computation for Sort {
    fn machine(&self) -> &Rc<Machine> {
        &self.machine
    }

    fn results(&self) -> Vec<Range<u64>> {
        vec![self.keys.range()]
    }
}
