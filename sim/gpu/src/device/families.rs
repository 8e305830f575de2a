//! Who has launched what, as long as it has not finished: for blocks that wait for what they have
//! launched, and for what that has launched in turn.
//!
//! A tree. Above a kernel or group is the block that launched it, above a block its kernel or
//! group, up to a block of the host's kernel:
//!
//! ```text
//!   block of a host kernel <-- kernel C <-- a block of it <-- group D
//! ```
//!
//! A member is *over* when it has ended itself and everything below it is over. Blocks are members
//! only once they have launched.

use std::collections::VecDeque;

/// A block, a kernel or a group in the tree; its place is used again when it is over.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Member(u32);

/// Where a block is that waits until all below it is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Waiter {
    /// On an SMX.
    Resident {
        /// The SMX.
        smx: u8,
        /// Its thread-block slot.
        slot: u8,
    },
    /// Off the SMXs: its number among the suspended blocks.
    Suspended(usize),
}

#[derive(Clone, Copy, Debug)]
struct Node {
    above: Option<Member>,
    /// Of a block its number among all blocks, as [`crate::sharing`] counts them.
    number: u32,
    /// Itself, unless it has ended, and all right below it that is not over.
    open: u32,
    waiter: Option<Waiter>,
}

/// See the module.
#[derive(Debug, Default)]
pub struct Families {
    nodes: Vec<Node>,
    free: Vec<u32>,
    /// Waiters of which everything below is over, in that order.
    clear: VecDeque<Waiter>,
}

impl Families {
    /// A block that launches, with this number, of a kernel or group that may be a member.
    pub fn block(&mut self, of: Option<Member>, number: u32) -> Member {
        if let Some(of) = of {
            self.node(of).open += 1;
        }
        let block = self.join(of);
        self.node(block).number = number;
        block
    }

    /// The number of the block that launched this kernel or group, which is not over.
    pub fn launched_by(&self, launched: Member) -> Option<u32> {
        let block = self.nodes[launched.0 as usize].above?;
        Some(self.nodes[block.0 as usize].number)
    }

    /// Threads of `block` begin to launch `launches` kernels or groups.
    pub fn expect(&mut self, block: Member, launches: usize) {
        self.node(block).open += launches as u32;
    }

    /// One of the kernels and groups that were expected of `block`.
    pub fn launched(&mut self, block: Member) -> Member {
        self.join(Some(block))
    }

    /// `member` has ended.
    pub fn ended(&mut self, member: Member) {
        let mut next = Some(member);
        while let Some(member) = next {
            let node = self.node(member);
            node.open -= 1;
            next = (node.open == 0).then_some(node.above).flatten();
            if node.open == 0 {
                self.free.push(member.0);
            } else if node.open == 1 {
                // What is left of one that waits is the block itself.
                let waiter = node.waiter.take();
                self.clear.extend(waiter);
            }
        }
    }

    /// Whether something is below `block` that is not over.
    pub fn has_launches(&self, block: Member) -> bool {
        self.nodes[block.0 as usize].open > 1
    }

    /// `block`, which has launches, waits at this place, from now on.
    pub fn wait(&mut self, block: Member, waiter: Waiter) {
        self.node(block).waiter = Some(waiter);
    }

    /// The next waiter of which everything below is over.
    pub fn take_clear(&mut self) -> Option<Waiter> {
        self.clear.pop_front()
    }

    fn join(&mut self, above: Option<Member>) -> Member {
        let node = Node { above, number: 0, open: 1, waiter: None };
        if let Some(place) = self.free.pop() {
            self.nodes[place as usize] = node;
            return Member(place);
        }
        self.nodes.push(node);
        Member(self.nodes.len() as u32 - 1)
    }

    fn node(&mut self, member: Member) -> &mut Node {
        &mut self.nodes[member.0 as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HERE: Waiter = Waiter::Resident { smx: 1, slot: 2 };

    #[test]
    fn a_block_waits_until_each_of_its_launches_has_ended() {
        let mut families = Families::default();
        let block = families.block(None, 0);
        assert!(!families.has_launches(block));
        families.expect(block, 2);
        assert!(families.has_launches(block), "calls under way count");
        families.wait(block, HERE);
        let [one, two] = [0; 2].map(|_| families.launched(block));
        families.ended(two);
        assert_eq!(families.take_clear(), None);
        families.ended(one);
        assert_eq!((families.take_clear(), families.take_clear()), (Some(HERE), None));
        assert!(!families.has_launches(block));
    }

    #[test]
    fn a_launch_is_over_when_what_its_blocks_launched_is_however_early_they_ended() {
        let mut families = Families::default();
        let block = families.block(None, 0);
        families.expect(block, 1);
        let kernel = families.launched(block);
        families.wait(block, HERE);
        let inner = families.block(Some(kernel), 0);
        families.expect(inner, 1);
        families.ended(inner);
        families.ended(kernel);
        assert!(families.has_launches(block), "the call of the inner block is under way");
        let last = families.launched(inner);
        assert_eq!(families.take_clear(), None);
        families.ended(last);
        assert_eq!(families.take_clear(), Some(HERE));
    }

    #[test]
    fn what_is_launched_knows_the_number_of_its_block_also_when_that_has_ended() {
        let mut families = Families::default();
        let block = families.block(None, 7);
        families.expect(block, 2);
        let kernel = families.launched(block);
        let inner = families.block(Some(kernel), 9);
        families.expect(inner, 1);
        families.ended(block);
        let group = families.launched(inner);
        assert_eq!([kernel, group].map(|of| families.launched_by(of)), [Some(7), Some(9)]);
    }

    #[test]
    fn one_that_waits_nowhere_is_told_nothing_and_places_are_used_again() {
        let mut families = Families::default();
        for _ in 0..3 {
            let block = families.block(None, 0);
            families.expect(block, 1);
            let kernel = families.launched(block);
            families.ended(block);
            families.ended(kernel);
            assert_eq!(families.take_clear(), None);
        }
        assert_eq!((families.nodes.len(), families.free.len()), (2, 2));
    }
}
