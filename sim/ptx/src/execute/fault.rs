//! Why a thread cannot go on.

use super::warp::Place;
use super::{Block, Grid, Warp};
use crate::machine::Memory;
use crate::source_line;
use blockyard_contract::diagnostic::InputError;
use blockyard_contract::port::Dim3;
use blockyard_gpu::program::WARP_LANES;

/// See the module.
#[derive(Debug)]
pub(crate) struct Fault {
    /// The lane of the thread, if it is one.
    pub lane: Option<usize>,
    pub message: String,
    /// What was expected.
    pub expected: String,
}

impl Fault {
    /// Of the thread in `lane`.
    pub fn of_lane(lane: usize, message: String, expected: impl Into<String>) -> Self {
        Self { lane: Some(lane), message, expected: expected.into() }
    }

    /// Of the lowest thread in `lanes`.
    pub fn of_lanes(lanes: u32, message: impl Into<String>, expected: impl Into<String>) -> Self {
        let lane = (lanes != 0).then(|| lanes.trailing_zeros() as usize);
        Self { lane, message: message.into(), expected: expected.into() }
    }
}

/// Whose fault it is: a warp at a step.
pub(super) struct Whose<'a> {
    pub grid: &'a Grid,
    pub block: &'a Block,
    pub warp: u32,
    pub at: Place,
}

impl Warp {
    /// `fault` as the user sees it.
    pub(super) fn describe(&self, fault: Fault) -> InputError {
        let (grid, block) = (&*self.grid, &*self.block);
        Whose { grid, block, warp: self.own.warp, at: self.at }.describe(fault)
    }
}

impl Whose<'_> {
    /// `fault` as the user sees it.
    pub fn describe(&self, fault: Fault) -> InputError {
        let Fault { lane, message, expected } = fault;
        let Dim3 { x, y, z } = self.block.index;
        let name = &self.grid.name;
        let mut place = format!("kernel `{name}`, block ({x}, {y}, {z})");
        if let Some(lane) = lane {
            let number = self.warp * WARP_LANES as u32 + lane as u32;
            let Dim3 { x, y, z } = thread(self.grid.launch.block, number);
            place += &format!(", thread ({x}, {y}, {z})");
        }
        let error =
            InputError::new(format!("{place}: {message}")).help(format!("expected {expected}"));
        let program = &self.grid.machine.program;
        let (function, at) = self.at;
        match self.grid.code(function).steps.get(at as usize) {
            Some(step) => {
                let label = source_line::label(&program.text, step.span.start);
                error.at(&program.file, &program.text, step.span.clone(), label)
            }
            None => error,
        }
    }
}

/// The index in its block of the thread with this number.
fn thread(extent: Dim3, number: u32) -> Dim3 {
    let (x, y) = (extent.x.max(1), extent.y.max(1));
    Dim3::new(number % x, number / x % y, number / x / y)
}

/// `a load of 4 bytes`
pub(super) fn described(what: &str, bytes: u64) -> String {
    let article = if what.starts_with('a') { "an" } else { "a" };
    let plural = if bytes == 1 { "" } else { "s" };
    format!("{article} {what} of {bytes} byte{plural}")
}

/// The complaint about an access that writes where nobody may.
pub(super) fn read_only(lane: usize, what: &str, address: u64, bytes: u64) -> Fault {
    let message = format!("{} at {address:#x} writes what is constant", described(what, bytes));
    Fault::of_lane(lane, message, "a load")
}

/// The complaint about an access outside of what was allocated.
pub(super) fn outside(lane: usize, what: &str, address: u64, bytes: u64, memory: &Memory) -> Fault {
    let access = described(what, bytes);
    let message = format!("{access} at {address:#x} is outside of what was allocated");
    let near = memory.around(address).into_iter().flatten();
    let near: Vec<String> =
        near.map(|piece| format!("{:#x} to {:#x}", piece.start, piece.end)).collect();
    let expected = match near.is_empty() {
        true => "an address of an allocation, of which there is none".to_owned(),
        false => format!("an address of an allocation; those next to it: {}", near.join(", ")),
    };
    Fault::of_lane(lane, message, expected)
}
