//! One warp at work: it goes through the lines of its code.

use std::rc::Rc;

use super::{
    code::Code,
    each,
    grid::RowGrid,
    line::{Flow, Lanes, To},
    Kernel, Threads,
};
use crate::gpu::host::{Body, DeviceLaunch};
use crate::port::Dim3;
use crate::program::{Instruction, WarpProgram};

/// Bytes of an instruction, as on Kepler.
const INSTRUCTION_BYTES: u32 = 8;

/// See the module.
pub(super) struct VertexWarp<K: Kernel> {
    kernel: Rc<K>,
    code: Rc<Code<K>>,
    at: usize,
    /// The number in its block of the thread in lane 0.
    thread: u32,
    threads: Threads<K::Own>,
}

impl<K: Kernel> VertexWarp<K> {
    /// A warp before its first instruction; `thread` is the number in its block of lane 0's.
    pub fn new(kernel: &Rc<K>, code: &Rc<Code<K>>, thread: u32, threads: Threads<K::Own>) -> Self {
        Self { kernel: Rc::clone(kernel), code: Rc::clone(code), at: 0, thread, threads }
    }

    /// The line after the one at hand, which goes on with `flow`.
    fn after(&mut self, flow: Flow) -> usize {
        let below = self.at + 1;
        match flow {
            Flow::On => below,
            Flow::Go(to) => self.code.place(to),
            Flow::Keep => self.leave(!self.threads.chosen),
            Flow::Drop => self.leave(self.threads.chosen),
            Flow::Skip(to) if self.threads.chosen == 0 => self.code.place(to),
            Flow::Skip(_) => below,
            Flow::Degree => {
                let threshold = self.code.child.as_ref().map_or(u32::MAX, |child| child.threshold);
                self.threads.chosen = self.threads.above(threshold);
                if self.threads.chosen == 0 {
                    below
                } else {
                    self.code.place(To::Launch)
                }
            }
            Flow::Stop => self.at,
        }
    }

    /// Takes the lanes in `gone` out; returns the line at which the others go on.
    fn leave(&mut self, gone: u32) -> usize {
        self.threads.active &= !gone;
        if self.threads.active == 0 {
            self.code.place(To::Exit)
        } else {
            self.at + 1
        }
    }
}

impl<K: Kernel> WarpProgram for VertexWarp<K> {
    fn next(&mut self, to: &mut Instruction) {
        let line = &self.code.lines[self.at];
        let threads = &mut self.threads;
        to.pc = INSTRUCTION_BYTES * self.at as u32;
        to.operation = line.operation;
        to.active = match line.lanes {
            Lanes::Active => threads.active,
            Lanes::Chosen => threads.chosen,
            Lanes::Launched => threads.launched,
        };
        to.destination = line.destination;
        to.sources = line.sources;
        if let Some(effect) = line.effect {
            effect(&self.kernel, threads, to.addresses.list_mut());
        }
        self.at = self.after(line.flow);
    }

    fn launches(&mut self) -> Vec<DeviceLaunch> {
        let Some(child) = &self.code.child else { return Vec::new() };
        let threads = &self.threads;
        let launch = |lane: usize| {
            let edges = threads.edge[lane]..threads.end[lane];
            DeviceLaunch {
                thread: self.thread + lane as u32,
                name: Rc::clone(&child.name),
                grid: Dim3::new((edges.end - edges.start).div_ceil(child.block), 1, 1),
                block: Dim3::new(child.block, 1, 1),
                registers_per_thread: child.registers,
                shared_memory: 0,
                body: Body::Code(Rc::new(RowGrid {
                    kernel: Rc::clone(&self.kernel),
                    code: Rc::clone(&child.code),
                    block: child.block,
                    vertex: threads.vertex(lane),
                    edges,
                    own: (child.argument)(&threads.own, lane),
                })),
            }
        };
        // The launch has taken them out of the active lanes; they stay chosen up to the next test.
        each(threads.chosen).map(launch).collect()
    }
}
