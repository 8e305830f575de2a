//! `pre`: for items of a shop the one that is most alike, by what users think of both. Under CDP
//! and DTBL a thread launches a child over all that some of an item's users have rated.

mod options;
mod ratings;
mod reference;

use std::ops::Range;
use std::rc::Rc;

use blockyard_contract::diagnostic::InputError;
use blockyard_contract::port::LaunchMode;
use blockyard_gpu::host::{HostLaunch, HostProgram};
use blockyard_ptx::{Arguments, Machine};

use crate::array::{place, Array};
use crate::compare;
use crate::launch::{launch, line, machine, ptx, with_child, Computation};
pub use options::PreOptions;
use ratings::Ratings;
use reference::NONE;

/// The host program.
pub struct Pre {
    machine: Rc<Machine>,
    options: PreOptions,
    ratings: Ratings,
    /// How many threads have a part of an item's users.
    parts: u32,
    /// Addresses of parts, ratings by item, pairs before each of these, where users begin, and
    /// ratings by user, as the kernel has them.
    inputs: [u64; 5],
    /// Address of the norms.
    norms: u64,
    dots: Array,
    best: Array,
    /// The launch of `pre_best` has been made.
    sought: bool,
}

impl Pre {
    /// Before its first launch, with ratings drawn from `seed`.
    ///
    /// # Errors
    /// When there are too many ratings for so few users and items, they have more than 2^32 pairs,
    /// or there is no memory for them.
    pub fn new(options: &PreOptions, seed: u64, mode: LaunchMode) -> Result<Self, InputError> {
        let ratings = Ratings::drawn(options, seed)?;
        let before = ratings.before().ok_or_else(|| {
            InputError::new(format!("{} ratings have more than 2^32 pairs", options.ratings))
                .help("lower pre.ratings")
        })?;
        let (file, text) = ptx!("pre", mode);
        let machine = machine(file, text);
        let parts = parts(options, &ratings);
        let inputs = [
            place(&machine, parts.as_flattened())?,
            place(&machine, ratings.by_item.entries.as_flattened())?,
            place(&machine, &before)?,
            place(&machine, &ratings.by_user.offsets)?,
            place(&machine, ratings.by_user.entries.as_flattened())?,
        ];
        let rows = options.asked().count() as u32;
        Ok(Self {
            norms: place(&machine, &ratings.norms())?,
            dots: Array::zeros(&machine, rows * options.items)?,
            best: Array::zeros(&machine, rows)?,
            parts: parts.len() as u32,
            options: *options,
            machine,
            ratings,
            inputs,
            sought: false,
        })
    }

    /// The launch that sums up, from cycle 0 on, and before it that of the child.
    fn sum(&self) -> Vec<HostLaunch> {
        let PreOptions { items, threshold, block, child_block, .. } = self.options;
        let arguments = self.inputs.iter().fold(Arguments::new(), |all, &input| all.long(input));
        let arguments = arguments
            .long(self.dots.address())
            .word(items)
            .word(self.parts)
            .word(threshold)
            .word(child_block);
        let extents = (line(self.parts.div_ceil(block)), line(block));
        let parents = launch(&self.machine, "pre", extents, arguments, 0);
        with_child(&self.machine, "pre_pairs", line(child_block), parents)
    }

    /// The launch that seeks what is most alike, from cycle `arrive` on, once.
    fn seek(&mut self, arrive: u64) -> Vec<HostLaunch> {
        if std::mem::replace(&mut self.sought, true) {
            return Vec::new();
        }
        let PreOptions { items, every, block, .. } = self.options;
        let arguments = Arguments::new()
            .long(self.dots.address())
            .long(self.norms)
            .long(self.best.address())
            .word(items)
            .word(every);
        let extents = (line(items.div_ceil(every)), line(block));
        launch(&self.machine, "pre_best", extents, arguments, arrive)
    }
}

/// The row of each part, and the range of its users among all ratings by item.
fn parts(options: &PreOptions, ratings: &Ratings) -> Vec<[u32; 3]> {
    let mut parts = Vec::new();
    for (row, item) in (0..).zip(options.asked()) {
        let users = ratings.by_item.range(item);
        let begins = users.clone().step_by(options.part as usize);
        parts.extend(begins.map(|begin| [row, begin, users.end.min(begin + options.part)]));
    }
    parts
}

impl HostProgram for Pre {
    fn start(&mut self) -> Vec<HostLaunch> {
        if self.parts == 0 {
            return self.seek(0);
        }
        self.sum()
    }

    fn kernel_finished(&mut self, _name: &str, _instance: u32, _cycle: u64) -> Vec<HostLaunch> {
        Vec::new()
    }

    fn all_finished(&mut self, cycle: u64) -> Vec<HostLaunch> {
        self.seek(cycle + 1)
    }

    fn verify(&mut self) -> Result<(), String> {
        let PreOptions { items, every, .. } = self.options;
        let dots = reference::dots(&self.options, &self.ratings);
        compare::words(&self.dots, &dots, |at| {
            let (item, other) = (at as u32 / items * every, at as u32 % items);
            format!("pre: the sum of products of items {item} and {other}")
        })?;
        let best = reference::best(&self.options, &self.ratings, &dots);
        let name = |row: usize| format!("pre: what is most like item {}", row as u32 * every);
        compare::shown(&self.best, &best, name, |item| match item {
            NONE => "nothing".to_owned(),
            item => format!("item {item}"),
        })
    }
}

impl Computation for Pre {
    fn machine(&self) -> &Rc<Machine> {
        &self.machine
    }

    fn results(&self) -> Vec<Range<u64>> {
        vec![self.dots.range(), self.best.range()]
    }
}
