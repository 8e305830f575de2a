//! Those who wait for the lines of a cache. The first one is kept with the line, those behind in
//! rings: nodes of one table, so that a miss allocates nothing.

use super::{Lines, SectorMask, WayId};

/// No node.
const NIL: u32 = u32::MAX;

/// See the module; `T` names who waits.
#[derive(Debug)]
pub(super) struct Waiters<T> {
    /// Each with the next one of its ring; a free one with the next free one.
    nodes: Vec<(T, u32)>,
    free: u32,
}

impl<T: Copy> Waiters<T> {
    /// No rings.
    pub fn new() -> Self {
        Self { nodes: Vec::new(), free: NIL }
    }

    /// Appends `waiter` to the ring with this last node, or to a new one. Returns its node, the
    /// last one now.
    pub fn append(&mut self, last: Option<u32>, waiter: T) -> u32 {
        let node = self.free;
        let node = match self.nodes.get_mut(node as usize) {
            Some(free) => {
                self.free = std::mem::replace(free, (waiter, node)).1;
                node
            }
            None => {
                let node = self.nodes.len() as u32;
                self.nodes.push((waiter, node));
                node
            }
        };
        if let Some(last) = last {
            self.nodes[node as usize].1 = std::mem::replace(&mut self.nodes[last as usize].1, node);
        }
        node
    }

    /// The first node of the ring with this last one.
    pub fn first(&self, last: u32) -> u32 {
        self.nodes[last as usize].1
    }

    /// Takes out `node`, the first one of a ring that goes on being taken out: who waits there, and
    /// the next node.
    pub fn take(&mut self, node: u32) -> (T, u32) {
        let (waiter, next) = self.nodes[node as usize];
        self.nodes[node as usize].1 = std::mem::replace(&mut self.free, node);
        (waiter, next)
    }
}

impl<T: Copy + Default> Lines<T> {
    /// Who waits for sectors of `way`: how many.
    #[inline(always)]
    pub fn waiting(&self, way: WayId) -> u32 {
        self.table[way as usize].waiting
    }

    /// The first who waits for sectors of `way`.
    #[inline(always)]
    pub fn first_waiter(&self, way: WayId) -> Option<T> {
        let way = &self.table[way as usize];
        (way.waiting > 0).then_some(way.first)
    }

    /// `waiter` waits for sectors of `way`, behind those that wait already.
    #[inline(always)]
    pub fn wait(&mut self, id: WayId, waiter: T) {
        let way = &mut self.table[id as usize];
        way.waiting += 1;
        if way.waiting == 1 {
            way.first = waiter;
        } else {
            self.wait_behind(id, waiter);
        }
    }

    /// As [`wait`](Self::wait), behind a first one.
    fn wait_behind(&mut self, way: WayId, waiter: T) {
        let last = &mut self.last_waiter[way as usize];
        let ring = (self.table[way as usize].waiting > 2).then_some(*last);
        *last = self.waiters.append(ring, waiter);
    }

    /// As [`fill`](Self::fill), then [`release`](Self::release); `done` learns which sectors are
    /// still on their way.
    #[inline]
    pub fn serve(
        &mut self,
        id: WayId,
        sectors: SectorMask,
        mut done: impl FnMut(T, SectorMask) -> bool,
    ) {
        let way = &mut self.table[id as usize];
        let left = way.pending & !sectors;
        if way.waiting == 1 && done(way.first, left) {
            way.waiting = 0;
        }
        let (was, others) = (std::mem::replace(&mut way.pending, left), way.waiting > 1);
        way.valid |= sectors;
        if was != 0 && left == 0 {
            self.pending_lines -= 1;
            self.sets.set_busy(id as usize, false);
        }
        if others {
            self.release_many(id, |waiter| done(waiter, left));
        }
    }

    /// Lets go those who wait for `way` and of whom `done` says so, in order.
    #[inline]
    pub fn release(&mut self, way: WayId, mut done: impl FnMut(T) -> bool) {
        let entry = &mut self.table[way as usize];
        match entry.waiting {
            0 => {}
            1 if done(entry.first) => entry.waiting = 0,
            1 => {}
            _ => self.release_many(way, done),
        }
    }

    /// As [`release`](Self::release), of more than one: those who stay wait anew.
    fn release_many(&mut self, id: WayId, mut done: impl FnMut(T) -> bool) {
        let way = &mut self.table[id as usize];
        let (mut waiter, behind) = (way.first, way.waiting - 1);
        let mut node = self.waiters.first(self.last_waiter[id as usize]);
        way.waiting = 0;
        for left in (0..=behind).rev() {
            if !done(waiter) {
                self.wait(id, waiter);
            }
            if left > 0 {
                (waiter, node) = self.waiters.take(node);
            }
        }
    }
}
