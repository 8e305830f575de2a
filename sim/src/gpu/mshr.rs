//! Miss-status holding registers: lines on their way, and who waits for each.

use rustc_hash::FxHashMap;

/// What became of a miss.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Miss {
    /// The line must be requested.
    Requested,
    /// The line is already on its way; this access waits with the others.
    Merged,
    /// No register is free, or too many accesses wait for this line: try again after a fill.
    Refused,
}

/// End of a list of waiters.
const NIL: u32 = u32::MAX;

#[derive(Debug)]
struct Waiters {
    first: u32,
    last: u32,
    count: u32,
}

/// The registers; `T` names who waits.
#[derive(Debug)]
pub struct Mshrs<T> {
    lines: FxHashMap<u64, Waiters>,
    /// Lists of waiters, linked in here so that a miss allocates nothing.
    nodes: Vec<(T, u32)>,
    free: u32,
    capacity: usize,
    merges: u32,
}

impl<T: Copy> Mshrs<T> {
    /// `capacity` lines, each with up to `merges` accesses, the first included.
    pub fn new(capacity: usize, merges: u32) -> Self {
        Self { lines: FxHashMap::default(), nodes: Vec::new(), free: NIL, capacity, merges }
    }

    /// A miss of `line` by `waiter`.
    pub fn miss(&mut self, line: u64, waiter: T) -> Miss {
        let full = self.lines.len() >= self.capacity;
        match self.lines.get(&line) {
            Some(waiters) if waiters.count >= self.merges => return Miss::Refused,
            None if full => return Miss::Refused,
            _ => {}
        }
        let node = self.node(waiter);
        match self.lines.get_mut(&line) {
            Some(waiters) => {
                self.nodes[waiters.last as usize].1 = node;
                waiters.last = node;
                waiters.count += 1;
                Miss::Merged
            }
            None => {
                self.lines.insert(line, Waiters { first: node, last: node, count: 1 });
                Miss::Requested
            }
        }
    }

    /// The data of `line` are here: appends who waited, in order, to `waiters`.
    pub fn fill(&mut self, line: u64, waiters: &mut Vec<T>) {
        let Some(list) = self.lines.remove(&line) else {
            return;
        };
        let mut node = list.first;
        while node != NIL {
            let (waiter, next) = self.nodes[node as usize];
            waiters.push(waiter);
            self.nodes[node as usize].1 = self.free;
            self.free = node;
            node = next;
        }
    }

    fn node(&mut self, waiter: T) -> u32 {
        if self.free == NIL {
            self.nodes.push((waiter, NIL));
            return (self.nodes.len() - 1) as u32;
        }
        let node = self.free;
        self.free = self.nodes[node as usize].1;
        self.nodes[node as usize] = (waiter, NIL);
        node
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_requested_once_and_its_waiters_come_back_in_order() {
        let mut mshrs = Mshrs::new(2, 3);
        assert_eq!(mshrs.miss(7, 'a'), Miss::Requested);
        assert_eq!(mshrs.miss(8, 'x'), Miss::Requested);
        assert_eq!(mshrs.miss(7, 'b'), Miss::Merged);
        assert_eq!(mshrs.miss(7, 'c'), Miss::Merged);
        let mut waiters = Vec::new();
        mshrs.fill(7, &mut waiters);
        assert_eq!(waiters, ['a', 'b', 'c']);
        mshrs.fill(7, &mut waiters);
        assert_eq!(waiters.len(), 3, "a line fills once");
    }

    #[test]
    fn a_miss_is_refused_exactly_at_the_limits() {
        let mut mshrs = Mshrs::new(2, 2);
        assert_eq!(mshrs.miss(1, 0), Miss::Requested);
        assert_eq!(mshrs.miss(1, 1), Miss::Merged);
        assert_eq!(mshrs.miss(1, 2), Miss::Refused, "two accesses wait already");
        assert_eq!(mshrs.miss(2, 3), Miss::Requested);
        assert_eq!(mshrs.miss(3, 4), Miss::Refused, "two lines are on their way");
        mshrs.fill(1, &mut Vec::new());
        assert_eq!(mshrs.miss(3, 4), Miss::Requested);
    }
}
