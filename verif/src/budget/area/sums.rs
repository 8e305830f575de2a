//! Areas of modules: each is counted once, and multiplied by its instances.

use super::design::Design;
use super::flat::instance;
use super::liberty::Library;
use super::memories::MemoryModule;
use super::sram::Macros;
use std::cell::RefCell;
use std::collections::HashMap;
use std::ops::AddAssign;

/// What a module and all below it take.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sum {
    /// Flip-flops, with those of register files.
    pub flip_flops: u64,
    /// Cells.
    pub cells: u64,
    /// Square micrometres of flip-flops outside of register files.
    pub of_flip_flops: f64,
    /// Of register files.
    pub register_files: f64,
    /// Of all other gates.
    pub logic: f64,
    /// Of SRAM.
    pub sram: f64,
}

impl Sum {
    /// Square micrometres.
    pub fn total(&self) -> f64 {
        self.of_flip_flops + self.register_files + self.logic + self.sram
    }
}

impl AddAssign for Sum {
    fn add_assign(&mut self, other: Self) {
        self.flip_flops += other.flip_flops;
        self.cells += other.cells;
        self.of_flip_flops += other.of_flip_flops;
        self.register_files += other.register_files;
        self.logic += other.logic;
        self.sram += other.sram;
    }
}

/// The areas of a design's modules.
pub struct Sums<'a> {
    design: &'a Design<'a>,
    /// The module that all others are below.
    top: &'a str,
    library: &'a Library,
    memories: HashMap<&'a str, &'a MemoryModule>,
    /// Square micrometres of one unit of the library's areas.
    unit: f64,
    macros: Option<Macros>,
    known: RefCell<HashMap<String, Sum>>,
}

impl<'a> Sums<'a> {
    /// Nothing is summed before it is asked for.
    pub fn new(
        (design, top): (&'a Design<'a>, &'a str),
        library: &'a Library,
        memories: &'a [MemoryModule],
        unit: f64,
        macros: Option<Macros>,
    ) -> Self {
        let memories = memories.iter().map(|memory| (memory.module.as_str(), memory)).collect();
        Self { design, top, library, memories, unit, macros, known: RefCell::default() }
    }

    /// All instances at a path below the top: `queues.slice[*].queue`; empty for itself.
    pub fn at(&self, path: &str) -> Sum {
        self.below(self.top, path)
    }

    fn below(&self, module: &str, path: &str) -> Sum {
        if path.is_empty() {
            return self.of(module);
        }
        let (first, rest) = path.split_once('.').unwrap_or((path, ""));
        let mut sum = Sum::default();
        let cells = self.design.modules.get(module).map(|module| &module.cells);
        for (name, cell) in cells.into_iter().flatten() {
            if starred(name) == first {
                sum += self.below(&cell.kind, rest);
            }
        }
        sum
    }

    /// A module with all below it.
    fn of(&self, module: &str) -> Sum {
        if let Some(sum) = self.known.borrow().get(module) {
            return *sum;
        }
        let mut sum = Sum::default();
        let memory = self.memories.get(module);
        if let Some(memory) = memory.filter(|memory| memory.is_sram) {
            let area = self.macros.map(|macros| macros.area(memory.words, memory.width));
            sum.sram = area.unwrap_or(0.0);
        }
        let cells = self.design.modules.get(module).map(|module| &module.cells);
        for cell in cells.into_iter().flat_map(|cells| cells.values()) {
            match self.library.place(&cell.kind).map(|place| &self.library.cells[place]) {
                Some(kind) => {
                    sum.cells += 1;
                    sum.flip_flops += u64::from(kind.is_flip_flop);
                    match kind.is_flip_flop {
                        true => sum.of_flip_flops += kind.area * self.unit,
                        false => sum.logic += kind.area * self.unit,
                    }
                }
                None => sum += self.of(&cell.kind),
            }
        }
        if memory.is_some_and(|memory| !memory.is_sram) {
            let register_files = sum.total();
            sum = Sum { of_flip_flops: 0.0, logic: 0.0, register_files, ..sum };
        }
        self.known.borrow_mut().insert(module.to_owned(), sum);
        sum
    }
}

/// `smx$3` is `smx[*]`.
fn starred(name: &str) -> String {
    let name = instance(name);
    match name.split_once('[') {
        Some((array, _)) => format!("{array}[*]"),
        None => name,
    }
}
