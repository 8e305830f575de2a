//! `join`: two tables that are sorted by key are joined. A launch finds what matches, the host adds
//! up how much that is, and a second launch writes the pairs; under CDP and DTBL its children do
//! where they are many.

mod options;
mod tables;

use std::ops::Range;
use std::rc::Rc;

use blockyard_contract::diagnostic::InputError;
use blockyard_contract::port::LaunchMode;
use blockyard_gpu::host::{HostLaunch, HostProgram};
use blockyard_ptx::{Arguments, Machine};

use crate::array::Array;
use crate::compare;
use crate::draw::Draw;
use crate::launch::{launch, line, machine, ptx, with_child, Computation};
pub use options::JoinOptions;
use tables::{matches, Table};

/// A table in memory.
struct Columns {
    keys: Array,
    values: Array,
}

impl Columns {
    fn new(machine: &Rc<Machine>, table: Table) -> Result<Self, InputError> {
        let [keys, values] = [table.keys, table.values].map(|words| Array::new(machine, words));
        Ok(Self { keys: keys?, values: values? })
    }
}

/// The host program.
pub struct Join {
    machine: Rc<Machine>,
    options: JoinOptions,
    left: Columns,
    right: Columns,
    /// Of each row of the left table the first row of the right one that matches, and how many do.
    expected: Vec<(u32, u32)>,
    begins: Array,
    counts: Array,
    /// Of each row, and behind the last one, the place of its first pair.
    offsets: Array,
    pairs: Array,
    searched: bool,
}

impl Join {
    /// Before its launches, with tables drawn from `seed`.
    ///
    /// # Errors
    /// When there is no memory for them, or their join is larger than an array may be.
    pub fn new(options: &JoinOptions, seed: u64, mode: LaunchMode) -> Result<Self, InputError> {
        let (file, text) = ptx!("join", mode);
        let machine = machine(file, text);
        let mut draw = Draw::new(seed);
        let tables =
            [options.left, options.right].map(|rows| Table::drawn(options, rows, &mut draw));
        let [left, right] = tables;
        let expected = matches(&left, &right)?;
        let pairs: u32 = expected.iter().map(|&(_, count)| count).sum();
        Ok(Self {
            left: Columns::new(&machine, left)?,
            right: Columns::new(&machine, right)?,
            begins: Array::zeros(&machine, options.left)?,
            counts: Array::zeros(&machine, options.left)?,
            offsets: Array::zeros(&machine, options.left + 1)?,
            pairs: Array::zeros(&machine, 2 * pairs)?,
            expected,
            options: *options,
            searched: false,
            machine,
        })
    }

    /// Adds the counts up to offsets; none beyond the array of pairs, whatever was counted.
    fn add_up(&self) {
        let most = self.expected.iter().map(|&(_, count)| count).sum();
        let mut offsets = vec![0];
        let counts = self.counts.left().unwrap_or_default();
        offsets.extend(counts.iter().scan(0_u32, |sum, &count| {
            *sum = sum.saturating_add(count).min(most);
            Some(*sum)
        }));
        let bytes: Vec<u8> = offsets.iter().flat_map(|offset| offset.to_le_bytes()).collect();
        self.machine.write(self.offsets.address(), &bytes);
    }
}

impl HostProgram for Join {
    fn start(&mut self) -> Vec<HostLaunch> {
        let JoinOptions { left, right, block, .. } = self.options;
        let arguments = Arguments::new()
            .long(self.left.keys.address())
            .long(self.right.keys.address())
            .long(self.begins.address())
            .long(self.counts.address())
            .word(left)
            .word(right);
        let extents = (line(left.div_ceil(block)), line(block));
        launch(&self.machine, "join_match", extents, arguments, 0)
    }

    fn kernel_finished(&mut self, _name: &str, _instance: u32, _cycle: u64) -> Vec<HostLaunch> {
        Vec::new()
    }

    fn all_finished(&mut self, cycle: u64) -> Vec<HostLaunch> {
        if std::mem::replace(&mut self.searched, true) {
            return Vec::new();
        }
        self.add_up();
        let JoinOptions { left, part, threshold, block, child_block, .. } = self.options;
        let arguments = Arguments::new()
            .long(self.offsets.address())
            .long(self.begins.address())
            .long(self.left.values.address())
            .long(self.right.values.address())
            .long(self.pairs.address())
            .word(left)
            .word(part)
            .word(threshold)
            .word(child_block);
        let extents = (line(left.div_ceil(part).div_ceil(block)), line(block));
        let parents = launch(&self.machine, "join", extents, arguments, cycle + 1);
        with_child(&self.machine, "join_pairs", line(child_block), parents)
    }

    fn verify(&mut self) -> Result<(), String> {
        let (begins, counts): (Vec<u32>, Vec<u32>) = self.expected.iter().copied().unzip();
        let row = |what, at| format!("join: the {what} row {at}");
        compare::words(&self.begins, &begins, |at| row("first match of", at))?;
        compare::words(&self.counts, &counts, |at| row("number of matches of", at))?;
        let (left, right) = (self.left.values.given(), self.right.values.given());
        let pairs = self.expected.iter().zip(left).flat_map(|(&(begin, count), &value)| {
            let matching = &right[begin as usize..][..count as usize];
            matching.iter().flat_map(move |&other| [value, other])
        });
        let side = |at| ["left", "right"][at % 2];
        compare::words(&self.pairs, &pairs.collect::<Vec<_>>(), |at| {
            format!("join: the {} value of pair {}", side(at), at / 2)
        })
    }
}

impl Computation for Join {
    fn machine(&self) -> &Rc<Machine> {
        &self.machine
    }

    fn results(&self) -> Vec<Range<u64>> {
        vec![self.begins.range(), self.counts.range(), self.pairs.range()]
    }
}
