//! Code whose warps are watched.

use std::cell::RefCell;
use std::rc::Rc;

use super::book::Book;
use super::line;
use crate::diagnostic::InputError;
use crate::port::Dim3;
use crate::program::{Instruction, KernelCode, Operation, WarpProgram};

/// See the module.
pub(super) struct WatchedCode {
    code: Rc<dyn KernelCode>,
    name: Rc<str>,
    /// Its number among the kernels of the trace.
    number: usize,
    book: Rc<Book>,
}

impl WatchedCode {
    /// That of the kernel `name` with number `number`.
    pub fn new(code: Rc<dyn KernelCode>, name: &Rc<str>, number: usize, book: &Rc<Book>) -> Self {
        Self { code, name: Rc::clone(name), number, book: Rc::clone(book) }
    }
}

impl KernelCode for WatchedCode {
    fn block(
        &self,
        block: Dim3,
        warps: u32,
        programs: &mut Vec<Box<dyn WarpProgram>>,
    ) -> Result<(), InputError> {
        let first = programs.len();
        self.code.block(block, warps, programs)?;
        let text = Rc::new(RefCell::new(BlockText {
            name: Rc::clone(&self.name),
            block,
            kernel: self.number,
            warps: vec![WarpText::default(); warps as usize],
            running: warps,
        }));
        let watched: Vec<Box<dyn WarpProgram>> = programs
            .drain(first..)
            .enumerate()
            .map(|(warp, program)| {
                let (text, book) = (Rc::clone(&text), Rc::clone(&self.book));
                Box::new(WatchedWarp { program, warp, text, book, refused: None })
                    as Box<dyn WarpProgram>
            })
            .collect();
        programs.extend(watched);
        Ok(())
    }

    fn works_in_cluster(&self) -> bool {
        self.code.works_in_cluster()
    }

    fn file(&self) -> Option<&std::path::Path> {
        self.code.file()
    }
}

/// The lines of a warp.
#[derive(Clone, Debug, Default)]
pub(super) struct WarpText {
    pub lines: String,
    pub count: u64,
}

/// A block of which some warps may not have exited.
#[derive(Debug)]
pub(super) struct BlockText {
    name: Rc<str>,
    pub block: Dim3,
    /// Its kernel.
    pub kernel: usize,
    pub warps: Vec<WarpText>,
    running: u32,
}

struct WatchedWarp {
    program: Box<dyn WarpProgram>,
    warp: usize,
    text: Rc<RefCell<BlockText>>,
    book: Rc<Book>,
    /// What it has executed that traces do not have.
    refused: Option<InputError>,
}

impl BlockText {
    fn refuse(&self, what: &str) -> InputError {
        let Self { name, block, .. } = self;
        let place = format!("kernel `{name}`, block {block}");
        InputError::new(format!("{place}: the run cannot be recorded: {what}"))
            .help("expected what Accel-Sim's format has: docs/traces.md")
    }
}

impl WarpProgram for WatchedWarp {
    fn next(&mut self, instruction: &mut Instruction) {
        self.program.next(instruction);
        if instruction.operation == Operation::Fault {
            return;
        }
        let mut text = self.text.borrow_mut();
        let warp = &mut text.warps[self.warp];
        warp.count += 1;
        if let Err(what) = line::write(instruction, &mut warp.lines) {
            self.refused = Some(text.refuse(what));
            instruction.operation = Operation::Fault;
            return;
        }
        if instruction.operation == Operation::Exit {
            text.running -= 1;
            if text.running == 0 {
                self.book.ended(&text);
            }
        }
    }

    fn announce(&self) {
        self.program.announce();
    }

    fn announce_data(&self) {
        self.program.announce_data();
    }

    fn fault(&mut self) -> Option<InputError> {
        self.refused.take().or_else(|| self.program.fault())
    }
}
