//! Those who wait for the lines of a cache, in rings: nodes of one table, so that a miss allocates nothing.

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

    /// Appends `waiter` to the ring with this last node, or to a new one. Returns its node, the last one
    /// now.
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

    /// Takes out `node`, the first one of a ring that goes on being taken out: who waits there, and the
    /// next node.
    pub fn take(&mut self, node: u32) -> (T, u32) {
        let (waiter, next) = self.nodes[node as usize];
        self.nodes[node as usize].1 = std::mem::replace(&mut self.free, node);
        (waiter, next)
    }
}
