//! Calls of functions, and how lanes leave them.

use std::rc::Rc;

use super::addresses::each;
use super::paths::{Paths, END};
use super::{Fault, Grid, Warp};
use crate::address_space;
use crate::program::{Action, Callee, Code, Place, Source};
use blockyard_gpu::program::WARP_LANES;

/// Most calls within one another.
const MOST_FRAMES: usize = 512;
/// Most bytes of local memory of a thread, as CUDA has it.
const MOST_LOCAL: u64 = 512 << 10;

/// A function at work.
pub(crate) struct Frame {
    pub function: u32,
    pub code: Rc<Code>,
    pub paths: Paths,
    /// Lanes that are in it.
    lanes: u32,
    /// The call in the caller that led here.
    call: u32,
    /// Bytes of its own parameters; of a kernel they are the grid's.
    pub own_parameters: u64,
    /// Bytes of parameters for each lane, from `skipped` on.
    area: Vec<u8>,
    area_bytes: u64,
    skipped: u64,
}

impl Frame {
    /// That of the kernel itself.
    pub fn of_kernel(grid: &Grid, lanes: u32) -> Self {
        let code = grid.code(grid.function);
        Self {
            function: grid.function,
            code: Rc::clone(code),
            paths: Paths::new(lanes),
            lanes,
            call: 0,
            own_parameters: code.own_parameters,
            area: vec![0; code.call_parameters as usize * WARP_LANES],
            area_bytes: code.call_parameters,
            skipped: code.own_parameters,
        }
    }

    /// Bytes of its own parameters and of those that it passes on.
    pub fn all_parameters(&self) -> u64 {
        self.skipped + self.area_bytes
    }

    /// The parameters of `lane` at `offset`, if there are that many bytes.
    #[inline]
    pub fn parameters(&mut self, lane: usize, offset: u64, bytes: u64) -> Option<&mut [u8]> {
        let offset = offset.checked_sub(self.skipped)?;
        let end = offset.checked_add(bytes).filter(|end| *end <= self.area_bytes)?;
        let first = lane * self.area_bytes as usize;
        Some(&mut self.area[first + offset as usize..first + end as usize])
    }
}

impl Warp {
    /// Makes room for `bytes` bytes of local memory of each thread.
    pub(super) fn grow_local(&mut self, bytes: u64) {
        let bytes = (bytes.next_multiple_of(16) as usize) * WARP_LANES;
        if self.local.len() < bytes {
            self.local.resize(bytes, 0);
        }
    }

    /// The call at hand, then its callers.
    pub(super) fn all_frames(&mut self) -> impl Iterator<Item = &mut Frame> {
        std::iter::once(&mut self.frame).chain(&mut self.callers)
    }

    /// `lanes` of path `path` call `function`.
    pub(super) fn call(
        &mut self,
        function: Callee,
        arguments: &[Place],
        (path, lanes): (usize, u32),
    ) -> Result<(), Fault> {
        let call = self.paths().get(path).at;
        let number = match function {
            Callee::Known(number) => number,
            Callee::Indirect(source) => {
                let (number, same) = self.callee(source, lanes)?;
                if same != lanes {
                    // Those who call another function do so afterwards, and all meet behind the
                    // call.
                    let ways = [(call, lanes & !same), (call, same)];
                    self.paths().split(path, call + 1, &ways);
                    return Ok(());
                }
                number
            }
        };
        let code = Rc::clone(self.grid.code(number));
        let frame = &mut self.frame;
        frame.paths.get(path).at += 1;
        let caller = Rc::clone(&frame.code);
        let size = code.own_parameters + code.call_parameters;
        let mut called = Frame {
            function: number,
            code: Rc::clone(&code),
            paths: Paths::new(lanes),
            lanes,
            call,
            own_parameters: code.own_parameters,
            area: vec![0; size as usize * WARP_LANES],
            area_bytes: size,
            skipped: 0,
        };
        copy(frame, arguments, &mut called, &code.parameters, lanes);
        let first_local = self.own.first_local + caller.local.next_multiple_of(16);
        let depth = self.callers.len() + 1;
        if depth >= MOST_FRAMES || first_local + code.local > MOST_LOCAL {
            let message = format!("{depth} calls within one another are too many");
            return Err(Fault::of_lanes(lanes, message, "fewer calls, or less local memory"));
        }
        if self.local.is_empty() && first_local + code.local > 0 {
            self.local_place = self.grid.machine.take_local_place();
        }
        self.callers.push(std::mem::replace(&mut self.frame, called));
        self.registers.enter(&caller, &code);
        self.own.first_local = first_local;
        self.grow_local(first_local + code.local);
        Ok(())
    }

    /// The function that the lowest of `lanes` calls by address, and which of them do so, too.
    fn callee(&self, source: Source, lanes: u32) -> Result<(u32, u32), Fault> {
        let mut scratch = [0; WARP_LANES];
        let addresses = self.value(source, &mut scratch);
        let first = lanes.trailing_zeros() as usize;
        let address = addresses[first];
        let same = each(lanes).filter(|lane| addresses[*lane] == address);
        let same = same.fold(0, |lanes, lane| lanes | 1 << lane);
        let count = self.grid.machine.program.functions.len();
        let number = address_space::function(address).filter(|number| (*number as usize) < count);
        number.map(|number| (number, same)).ok_or_else(|| {
            let message = format!("a call of {address:#x}, where no function is");
            Fault::of_lane(first, message, "the address of a function")
        })
    }

    /// All lanes of the last call have left it.
    pub(super) fn finish_call(&mut self) {
        let Some(caller) = self.callers.pop() else { return };
        let mut done = std::mem::replace(&mut self.frame, caller);
        let (caller, code) = (Rc::clone(&self.frame.code), Rc::clone(&done.code));
        let lanes = done.lanes & self.alive;
        if let Action::Call { results, .. } = &caller.steps[done.call as usize].action {
            copy(&mut done, &code.results, &mut self.frame, results, lanes);
        }
        self.registers.leave(&caller);
        self.own.first_local -= caller.local.next_multiple_of(16);
    }

    /// `lanes` of path `path` return: from the kernel that is an exit.
    pub(super) fn leave_function(&mut self, lanes: u32, path: usize) {
        if self.callers.is_empty() {
            return self.exit(lanes, path);
        }
        let paths = self.paths();
        paths.get(path).at += 1;
        paths.remove(lanes);
    }

    /// `lanes` of path `path` are done.
    pub(super) fn exit(&mut self, lanes: u32, path: usize) {
        self.paths().get(path).at += 1;
        self.alive &= !lanes;
        self.all_frames().for_each(|frame| frame.paths.remove(lanes));
    }

    /// `lanes` go on at the entry of `targets` that `index` says.
    pub(super) fn branch_indexed(
        &mut self,
        (path, lanes): (usize, u32),
        index: Source,
        targets: &[u32],
        reconverge: Option<u32>,
    ) -> Result<(), Fault> {
        let indices = self.lanes_of(index);
        if let Some(lane) = each(lanes).find(|lane| indices[*lane] >= targets.len() as u64) {
            let message = format!("a branch to entry {} of a table", indices[lane]);
            return Err(Fault::of_lane(lane, message, format!("0 to {}", targets.len() - 1)));
        }
        let meets = reconverge.unwrap_or(END);
        let all = self.paths().get(path).lanes;
        let mut left = lanes;
        // One way after the other parts from the lanes that are left.
        let next = self.paths().get(path).at + 1;
        let mut ways: Vec<(u32, u32)> = vec![(next, all & !lanes)];
        while left != 0 {
            let entry = indices[left.trailing_zeros() as usize];
            let same = each(left).filter(|lane| indices[*lane] == entry);
            let same = same.fold(0, |lanes, lane| lanes | 1 << lane);
            left &= !same;
            ways.push((targets[entry as usize], same));
        }
        ways.retain(|(_, lanes)| *lanes != 0);
        if let [(target, _)] = ways[..] {
            self.paths().get(path).at = target;
        } else {
            self.paths().split(path, meets, &ways);
        }
        Ok(())
    }
}

/// Copies what is at the places `from` of one frame to the places `to` of another.
fn copy(source: &mut Frame, from: &[Place], target: &mut Frame, to: &[Place], lanes: u32) {
    for (from, to) in from.iter().zip(to) {
        let bytes = from.bytes.min(to.bytes);
        for lane in each(lanes) {
            let Some(read) = source.parameters(lane, from.offset, bytes) else { continue };
            if let Some(place) = target.parameters(lane, to.offset, bytes) {
                place.copy_from_slice(read);
            }
        }
    }
}
