//! How instructions reach the warps' buffers: a warp whose buffer is empty is fetched for, in turn,
//! from the instruction cache.

use std::collections::VecDeque;

use super::warps::{MAX_WARPS, NOWHERE};
use crate::cache::Lines;
use crate::config::{GpuConfig, IndexFunction};
use crate::event::Calendar;
use crate::memory::{Memory, Purpose};
use crate::warp_set::WarpSet;

/// Where code lies: beyond every address of data.
const CODE_BASE: u64 = 1 << 60;

/// Where it lies when all kernels share its addresses: where GPGPU-Sim has it, which decides by
/// which slices and banks it comes.
const SHARED_CODE_BASE: u64 = 0xf000_0000;

/// Bytes between the code of two kernels that lie apart.
const CODE_STRIDE: u64 = 1 << 32;

/// Most lines that are known to be there without a look into the cache.
const LAST: usize = 4;

/// Fetches by what became of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FetchCounts {
    /// Fetches that found their line.
    pub hits: u64,
    /// Those that had to wait for it.
    pub misses: u64,
}

/// See the module.
#[derive(Debug)]
pub struct Fetch {
    smx: u8,
    width: u32,
    instructions: u8,
    latency: u64,
    /// Bytes of every instruction, or 0 for those that its place shows.
    bytes: u32,
    /// Where the code of the first kernel begins, and the bytes from there to that of the next one.
    base: u64,
    stride: u64,
    lines: Lines<u8>,
    line_shift: u32,
    whole_line: u32,
    mshrs: u32,
    merges: u32,
    /// Warps to fetch for.
    wanted: WarpSet,
    /// For each of them where the instruction is that it issued last, or [`NOWHERE`].
    before: [u32; MAX_WARPS],
    /// The slot after the one fetched for last.
    first: u32,
    /// The warps whose instructions come in a known cycle, in order of cycles.
    coming: VecDeque<(u64, WarpSet)>,
    /// Warps that can be fetched for only after a line has come.
    blocked: WarpSet,
    /// Lines fetched from last, by their low bits, that were there: each is the most recently used
    /// one of its set.
    last: [Option<u64>; LAST],
    /// The low bits that count: lines that differ in them are of different sets.
    last_mask: usize,
    /// What it did so far.
    pub counts: FetchCounts,
}

impl Fetch {
    /// The fetch unit of SMX `smx`, with an empty cache.
    pub fn new(smx: u8, config: &GpuConfig) -> Self {
        let (fetch, line) = (&config.fetch, config.l1.line);
        let sets = fetch.size / (fetch.ways * line);
        let (base, stride) =
            if fetch.shared_code { (SHARED_CODE_BASE, 0) } else { (CODE_BASE, CODE_STRIDE) };
        Self {
            smx,
            width: fetch.width,
            instructions: fetch.instructions as u8,
            latency: u64::from(fetch.latency),
            bytes: fetch.bytes,
            base,
            stride,
            lines: Lines::new(fetch.size, fetch.ways, line, IndexFunction::Linear),
            line_shift: line.trailing_zeros(),
            whole_line: u32::MAX >> (32 - line / 4),
            mshrs: fetch.mshrs,
            merges: fetch.merges,
            wanted: 0,
            before: [NOWHERE; MAX_WARPS],
            first: 0,
            coming: VecDeque::new(),
            blocked: 0,
            last: [None; LAST],
            last_mask: if sets.is_multiple_of(LAST as u32) { LAST - 1 } else { 0 },
            counts: FetchCounts::default(),
        }
    }

    /// The buffer of `warp` is empty and its next instruction is known; the one `before` it was
    /// there, or [`NOWHERE`]. Returns the instructions that are there at once, where fetch is not
    /// modelled.
    #[inline]
    pub fn want(&mut self, warp: usize, before: u32) -> Option<u8> {
        if self.width == 0 {
            return Some(u8::MAX);
        }
        self.before[warp] = before;
        self.wanted |= 1 << warp;
        None
    }

    /// The warps whose instructions have come by `now`.
    #[inline]
    pub fn take_arrived(&mut self, now: u64) -> WarpSet {
        let mut arrived = 0;
        while let Some(&(_, warps)) = self.coming.front().filter(|(cycle, _)| *cycle <= now) {
            self.coming.pop_front();
            arrived |= warps;
        }
        arrived
    }

    /// Instructions of a fetch.
    #[inline]
    pub fn instructions(&self) -> u8 {
        self.instructions
    }

    /// Whether there is a warp to fetch for.
    #[inline]
    pub fn wants(&self) -> bool {
        self.wanted != 0
    }

    /// One cycle; `pc` gives for each warp the number of its kernel's code, and where in it its
    /// next instruction is.
    #[inline]
    pub fn tick(
        &mut self,
        pc: impl Fn(usize) -> (u32, u32),
        memory: &mut Memory,
        calendar: &mut Calendar,
    ) {
        let now = calendar.now();
        let mut found = 0;
        for _ in 0..self.width {
            if self.wanted == 0 {
                break;
            }
            let warp = (self.first + self.wanted.rotate_right(self.first).trailing_zeros())
                % MAX_WARPS as u32;
            self.first = (warp + 1) % MAX_WARPS as u32;
            self.wanted &= !(1 << warp);
            let line = self.address(warp as usize, pc(warp as usize)) >> self.line_shift;
            // Warps of a kernel are mostly near each other.
            if self.last[line as usize & self.last_mask] == Some(line)
                || self.look_up(warp as u8, line, memory, calendar)
            {
                self.counts.hits += 1;
                found |= 1 << warp;
            }
        }
        if found != 0 {
            self.coming.push_back((now + self.latency, found));
        }
    }

    /// The next cycle in which something comes or can be fetched.
    #[inline]
    pub fn next(&self, now: u64) -> Option<u64> {
        let fetch = self.wants().then_some(now + 1);
        let coming = self.coming.front().map(|(cycle, _)| *cycle);
        fetch.into_iter().chain(coming).min()
    }

    /// A line of code has come.
    pub fn fill(&mut self, line: u64) {
        self.wanted |= std::mem::take(&mut self.blocked);
        let Some(way) = self.lines.find(line) else {
            return;
        };
        let wanted = &mut self.wanted;
        self.lines.serve(way, 1, |warp, _| {
            *wanted |= 1 << warp;
            true
        });
    }

    /// From where `warp` is fetched for, whose next instruction is at `pc` of kernel code number
    /// `code`.
    #[inline]
    fn address(&self, warp: usize, (code, pc): (u32, u32)) -> u64 {
        let before = self.before[warp];
        let behind = self.bytes > 0 && before != NOWHERE;
        let pc = if behind { before.wrapping_add(self.bytes) } else { pc };
        self.base + u64::from(code) * self.stride + u64::from(pc)
    }

    /// Whether `line`, which `warp` is to fetch from, is there. If not, the warp waits for it.
    fn look_up(
        &mut self,
        warp: u8,
        line: u64,
        memory: &mut Memory,
        calendar: &mut Calendar,
    ) -> bool {
        let last = line as usize & self.last_mask;
        self.last[last] = None;
        match self.lines.find(line) {
            Some(way) if self.lines.valid(way) != 0 => {
                self.lines.touch(way);
                self.last[last] = Some(line);
                return true;
            }
            Some(way) if self.lines.waiting(way) < self.merges => {
                self.counts.misses += 1;
                self.lines.wait(way, warp);
            }
            None if self.lines.pending_lines() < self.mshrs => match self.lines.victim(line) {
                Some(way) => {
                    self.counts.misses += 1;
                    self.lines.replace(way, line);
                    self.lines.expect(way, 1);
                    self.lines.wait(way, warp);
                    let (words, now) = (self.whole_line, calendar.now());
                    memory.send(self.smx, Purpose::Code, line, words, now, calendar);
                }
                None => self.blocked |= 1 << warp,
            },
            _ => self.blocked |= 1 << warp,
        }
        false
    }
}
