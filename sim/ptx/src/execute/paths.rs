//! Lanes that go together: where they are, and where they meet others again.
//!
//! Lanes that go different ways at a branch are two paths, one after the other, until both have
//! come to the first instruction that every way passes. Before them in the list stands the path of
//! all, which waits there.

use smallvec::{smallvec, SmallVec};

/// No instruction: lanes meet again only when they have left the function.
pub(crate) const END: u32 = u32::MAX;

/// Lanes that go together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Path {
    /// The next step.
    pub at: u32,
    /// The step at which it ends: one before it in the list goes on there.
    pub meets: u32,
    pub lanes: u32,
    /// It waits at a barrier for other lanes of its warp.
    pub waiting: bool,
    /// It has left lanes behind that wait at one.
    pub ahead: bool,
}

impl Path {
    fn new(at: u32, meets: u32, lanes: u32) -> Self {
        Self { at, meets, lanes, waiting: false, ahead: false }
    }
}

/// The paths of a call: few, as most lanes go together, so that they lie in the warp itself.
#[derive(Clone, Debug)]
pub(crate) struct Paths(SmallVec<[Path; 3]>);

impl Paths {
    /// All `lanes` at the first step.
    pub fn new(lanes: u32) -> Self {
        Self(smallvec![Path::new(0, END, lanes)])
    }

    /// The last path and its number, if it goes on, as it mostly does.
    #[inline]
    pub fn last(&self) -> Option<(usize, Path)> {
        let (path, before) = self.0.split_last()?;
        let goes_on = !path.waiting && path.at != path.meets && path.lanes != 0;
        goes_on.then_some((before.len(), *path))
    }

    /// The number of the path that goes on, if one can.
    pub fn current(&mut self) -> Option<usize> {
        loop {
            let last = self.0.last()?;
            let index = if last.waiting { self.below()? } else { self.0.len() - 1 };
            let path = &self.0[index];
            if path.at != path.meets && path.lanes != 0 {
                return Some(index);
            }
            self.0.remove(index);
        }
    }

    /// The last path that neither waits nor has lanes on a path behind it.
    #[cold]
    fn below(&self) -> Option<usize> {
        let mut elsewhere = 0;
        for (index, path) in self.0.iter().enumerate().rev() {
            if !path.waiting && path.lanes & elsewhere == 0 {
                return Some(index);
            }
            elsewhere |= path.lanes;
        }
        None
    }

    /// The path with number `index`.
    #[inline]
    pub fn get(&mut self, index: usize) -> &mut Path {
        &mut self.0[index]
    }

    /// Whether no lane is left.
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|path| path.lanes == 0)
    }

    /// The lanes that wait at a barrier.
    pub fn waiting(&self) -> u32 {
        self.0.iter().filter(|path| path.waiting).fold(0, |lanes, path| lanes | path.lanes)
    }

    /// `taken` of the lanes of path `index` go on at `target`, the others at the next step; all of
    /// them meet at `meets`.
    pub fn branch(&mut self, index: usize, taken: u32, target: u32, meets: u32) {
        let path = &mut self.0[index];
        let (below, others) = (path.at + 1, path.lanes & !taken);
        if others == 0 {
            path.at = target;
        } else if taken == 0 {
            path.at = below;
        } else {
            self.split(index, meets, &[(below, others), (target, taken)]);
        }
    }

    /// The lanes of path `index` go on in `ways` and meet at `meets`.
    pub fn split(&mut self, index: usize, meets: u32, ways: &[(u32, u32)]) {
        let whole = self.0[index];
        let mut next = index;
        if meets == END || meets == whole.meets {
            // Nothing is left to do there for the path of all.
            self.0.remove(index);
        } else {
            self.0[index].at = meets;
            next += 1;
        }
        let meets = if meets == END { whole.meets } else { meets };
        for &(at, lanes) in ways {
            if lanes != 0 && at != meets {
                self.0.insert(next, Path { ahead: whole.ahead, ..Path::new(at, meets, lanes) });
                next += 1;
            }
        }
    }

    /// `lanes` of path `index` wait before the next step, the others go on.
    pub fn wait(&mut self, index: usize, lanes: u32) {
        let path = &mut self.0[index];
        path.at += 1;
        let others = Path { lanes: path.lanes & !lanes, ..*path };
        (path.lanes, path.waiting) = (lanes, true);
        if others.lanes != 0 {
            self.0.insert(index + 1, others);
        }
    }

    /// Lanes that have come to where all meet go on without those that wait at a barrier; whether
    /// there are some.
    #[cold]
    pub fn go_ahead(&mut self) -> bool {
        let mut elsewhere = 0;
        for index in (0..self.0.len()).rev() {
            let path = &mut self.0[index];
            let here = path.lanes & !elsewhere;
            if !path.waiting && here != 0 {
                path.lanes &= !here;
                let ahead = Path { lanes: here, ahead: true, ..*path };
                self.0.push(ahead);
                return true;
            }
            elsewhere |= path.lanes;
        }
        false
    }

    /// The barrier has opened.
    pub fn resume(&mut self) {
        self.0.iter_mut().for_each(|path| path.waiting = false);
    }

    /// `lanes` have left.
    pub fn remove(&mut self, lanes: u32) {
        self.0.iter_mut().for_each(|path| path.lanes &= !lanes);
        self.0.retain(|path| path.lanes != 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Place and lanes of the path that goes on.
    fn at(paths: &mut Paths) -> Option<(u32, u32)> {
        let index = paths.current()?;
        let path = paths.get(index);
        Some((path.at, path.lanes))
    }

    fn go(paths: &mut Paths, to: u32) {
        let index = paths.current().unwrap();
        paths.get(index).at = to;
    }

    #[test]
    fn lanes_that_part_meet_where_both_ways_do() {
        let mut paths = Paths::new(0b1111);
        paths.branch(0, 0b0011, 5, 8);
        assert_eq!(at(&mut paths), Some((5, 0b0011)));
        go(&mut paths, 8);
        assert_eq!(at(&mut paths), Some((1, 0b1100)));
        go(&mut paths, 8);
        assert_eq!(at(&mut paths), Some((8, 0b1111)));
    }

    #[test]
    fn a_branch_of_all_lanes_or_none_parts_nobody() {
        let mut paths = Paths::new(0b11);
        paths.branch(0, 0b11, 4, 9);
        assert_eq!(at(&mut paths), Some((4, 0b11)));
        paths.branch(0, 0, 7, 9);
        assert_eq!(at(&mut paths), Some((5, 0b11)));
    }

    #[test]
    fn lanes_that_leave_a_loop_one_by_one_do_not_fill_the_list() {
        let mut paths = Paths::new(u32::MAX);
        for lane in 0..31 {
            // Lane by lane goes to step 9, where all meet, the others back to step 0.
            let index = paths.current().unwrap();
            paths.branch(index, 1 << lane, 9, 9);
            assert!(paths.0.len() <= 2, "{paths:?}");
            go(&mut paths, 0);
        }
        go(&mut paths, 9);
        assert_eq!(at(&mut paths), Some((9, u32::MAX)));
    }

    #[test]
    fn a_way_whose_lanes_have_left_is_gone() {
        let mut paths = Paths::new(0b11);
        paths.branch(0, 0b01, 5, END);
        paths.remove(0b01);
        assert_eq!(at(&mut paths), Some((1, 0b10)));
        paths.remove(0b10);
        assert_eq!((at(&mut paths), paths.is_empty()), (None, true));
    }

    #[test]
    fn lanes_that_wait_let_those_of_other_ways_go_first() {
        let mut paths = Paths::new(0b11);
        paths.branch(0, 0b01, 5, 8);
        let index = paths.current().unwrap();
        paths.wait(index, 0b01);
        assert_eq!(at(&mut paths), Some((1, 0b10)));
        let index = paths.current().unwrap();
        paths.wait(index, 0b10);
        assert_eq!((at(&mut paths), paths.waiting()), (None, 0b11));
        paths.resume();
        assert_eq!(at(&mut paths), Some((6, 0b01)));
    }

    #[test]
    fn lanes_that_never_come_keep_those_that_wait_from_going_on() {
        let mut paths = Paths::new(0b11);
        paths.branch(0, 0b01, 5, 8);
        let index = paths.current().unwrap();
        paths.wait(index, 0b01);
        // The other lane comes to the meeting point past the barrier.
        go(&mut paths, 8);
        assert_eq!((at(&mut paths), paths.waiting()), (None, 0b01));
        // It may go on without them, though, and leave.
        assert!(paths.go_ahead());
        assert_eq!(at(&mut paths), Some((8, 0b10)));
        assert!(paths.get(0).lanes == 0b01 && !paths.get(0).ahead);
        paths.remove(0b10);
        assert_eq!((at(&mut paths), paths.go_ahead()), (None, false));
        paths.resume();
        assert_eq!(at(&mut paths), Some((6, 0b01)));
        go(&mut paths, 8);
        assert_eq!(at(&mut paths), Some((8, 0b01)));
    }
}
