//! A request on its way through network, L2 and DRAM, and back.

use crate::cache::{SectorMask, WayId};
use crate::coalescer::WordMask;

/// A first-level cache of an SMX that asks for sectors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FirstLevel {
    /// The L1, for global data.
    Data,
    /// That for constants.
    Constant,
    /// That for textures.
    Texture,
}

/// What a request is for, and who waits for its reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Sectors for a first-level cache.
    Fill {
        /// Which one.
        cache: FirstLevel,
        /// The way of it that waits for them.
        way: WayId,
    },
    /// A load past the L1, by its number in the load/store unit.
    Load(u32),
    /// Words of a warp, by its slot.
    Store {
        /// The warp slot that counts its stores on their way.
        warp: u8,
    },
    /// Words that an L1 evicts; nobody waits.
    WriteBack,
    /// An atomic operation, by the number in the load/store unit of the load that waits for the old
    /// value.
    Atomic(u32),
    /// An atomic operation of which nobody uses the old value.
    Reduction {
        /// The warp slot that counts its stores on their way.
        warp: u8,
    },
    /// A line of instructions.
    Code,
    /// DeNovo, to the home bank: words for an L1, with what else of the line it lacks.
    Read {
        /// The words that a load waits for.
        wanted: WordMask,
    },
    /// DeNovo, to the home bank: the sender has stored the words and owns them from now on.
    Register {
        /// The warp slot that waits for the confirmation.
        warp: u8,
    },
    /// DeNovo, to the home bank: an owner gives words up and sends them.
    GiveUp,
    /// DeNovo, to the home bank: as [`Purpose::GiveUp`], the answer to a recall.
    Recalled {
        /// The atomic operation that waits, by its request.
        atomic: u32,
    },
    /// DeNovo, to an owner: a load of another SMX wants words.
    Forward {
        /// That SMX.
        to: u8,
        /// Words of the line that it asked for and that nobody sends.
        absent: WordMask,
    },
    /// DeNovo, to an owner: another SMX owns the words now.
    Transfer {
        /// That SMX, which is waiting for a confirmation.
        to: u8,
        /// Its warp slot.
        warp: u8,
    },
    /// DeNovo, to an owner: the home bank needs the words.
    Recall {
        /// The atomic operation that waits, by its request.
        atomic: u32,
    },
    /// DeNovo, to the L1 that asked: words from the bank or an owner.
    Words {
        /// Words that it asked for and that nobody sends.
        absent: WordMask,
    },
    /// DeNovo, to the new owner: its words are registered, and no other L1 takes itself for the
    /// owner.
    Registered {
        /// The warp slot that waits for it.
        warp: u8,
    },
    /// DeNovo, to a former owner: the bank has the words that it gave up.
    Returned,
}

impl Purpose {
    /// Whether the request carries data to the L2.
    #[inline]
    pub fn carries_data(self) -> bool {
        matches!(
            self,
            Purpose::Store { .. }
                | Purpose::WriteBack
                | Purpose::Atomic(_)
                | Purpose::Reduction { .. }
                | Purpose::GiveUp
                | Purpose::Recalled { .. }
        )
    }

    /// Whether the reply carries data.
    #[inline]
    pub fn returns_data(self) -> bool {
        matches!(
            self,
            Purpose::Fill { .. }
                | Purpose::Load(_)
                | Purpose::Code
                | Purpose::Atomic(_)
                | Purpose::Words { .. }
        )
    }

    /// Whether it is an atomic operation.
    #[inline]
    pub fn is_atomic(self) -> bool {
        matches!(self, Purpose::Atomic(_) | Purpose::Reduction { .. })
    }

    /// Whether the L2 does it at once for all its sectors, when it has them.
    #[inline]
    pub fn is_whole(self) -> bool {
        self.is_atomic() || matches!(self, Purpose::Words { .. })
    }

    /// Whether it is what a home bank asks of an owner.
    #[inline]
    pub fn is_forward(self) -> bool {
        matches!(self, Purpose::Forward { .. } | Purpose::Transfer { .. } | Purpose::Recall { .. })
    }

    /// Whether its data are the words themselves, not whole sectors.
    #[inline]
    pub fn by_words(self) -> bool {
        matches!(self, Purpose::Words { .. } | Purpose::GiveUp | Purpose::Recalled { .. })
    }
}

/// See the module.
#[derive(Clone, Copy, Debug)]
pub struct Request {
    /// The SMX that sent it; of what goes to an owner, that one.
    pub smx: u8,
    /// Its purpose.
    pub purpose: Purpose,
    /// The line.
    pub line: u64,
    /// Its number in its slice.
    pub local: u64,
    /// Its slice.
    pub slice: u16,
    /// Its words.
    pub words: WordMask,
    /// Its sectors in the L2.
    pub sectors: SectorMask,
    /// Those of them that have not come from DRAM yet.
    pub missing: SectorMask,
    /// Packets of the reply of which it is not known yet when its SMX receives them.
    pub packets: u8,
}

impl Request {
    /// `sectors` have come from DRAM. Returns those to send now, and whether all have come.
    #[inline(always)]
    pub fn come(&mut self, sectors: SectorMask) -> (SectorMask, bool) {
        let come = self.missing & sectors;
        self.missing &= !sectors;
        let done = self.missing == 0;
        if self.purpose.is_whole() {
            return (if done { self.sectors } else { 0 }, done);
        }
        (come, done)
    }

    /// It is known when a packet of the reply is received. Returns whether that is the last one:
    /// they are received in the order in which they are sent.
    #[inline(always)]
    pub fn takes_packet(&mut self) -> bool {
        self.packets -= 1;
        self.packets == 0
    }

    /// A message to `smx` about `words` of `line`, in one packet.
    pub fn message(smx: u8, purpose: Purpose, line: u64, words: WordMask) -> Self {
        let (local, slice, sectors, missing) = (0, 0, 0, 0);
        Self { smx, purpose, line, local, slice, words, sectors, missing, packets: 1 }
    }
}

/// A table in which a partition finds the requests that it has, by its own numbers.
pub trait Table {
    /// Request `id`.
    fn get(&self, id: u32) -> &Request;

    /// Request `id`, to change.
    fn get_mut(&mut self, id: u32) -> &mut Request;

    /// What request `id` is called outside.
    fn name(&self, id: u32) -> u32;

    /// The partition is done with request `id`.
    fn served(&mut self, id: u32);
}

/// The requests on their way, by number.
#[derive(Debug, Default)]
pub struct Requests {
    table: Vec<Request>,
    free: Vec<u32>,
}

impl Requests {
    /// Keeps `request` until it is removed.
    #[inline]
    pub fn add(&mut self, request: Request) -> u32 {
        match self.free.pop() {
            Some(id) => {
                self.table[id as usize] = request;
                id
            }
            None => {
                self.table.push(request);
                (self.table.len() - 1) as u32
            }
        }
    }

    /// Those that are on their way.
    #[cfg(test)]
    pub fn all(&self) -> Vec<Request> {
        let used = (0..self.table.len()).filter(|&id| !self.free.contains(&(id as u32)));
        used.map(|id| self.table[id]).collect()
    }

    /// Whether none is on its way.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many are on their way.
    #[inline]
    pub fn len(&self) -> usize {
        self.table.len() - self.free.len()
    }

    /// Request `id`.
    #[inline]
    pub fn get(&self, id: u32) -> &Request {
        &self.table[id as usize]
    }

    /// Request `id`, to change.
    #[inline]
    pub fn get_mut(&mut self, id: u32) -> &mut Request {
        &mut self.table[id as usize]
    }

    /// Takes request `id` out; its number may be used again.
    #[inline]
    pub fn remove(&mut self, id: u32) -> Request {
        self.free.push(id);
        self.table[id as usize]
    }
}

/// A partition that shares the table has no numbers of its own, and leaves what it is done with
/// there.
impl Table for Requests {
    #[inline]
    fn get(&self, id: u32) -> &Request {
        Requests::get(self, id)
    }

    #[inline]
    fn get_mut(&mut self, id: u32) -> &mut Request {
        Requests::get_mut(self, id)
    }

    #[inline]
    fn name(&self, id: u32) -> u32 {
        id
    }

    #[inline]
    fn served(&mut self, _id: u32) {}
}

/// The requests of one partition, which keeps copies of its own.
#[derive(Debug, Default)]
pub struct Copies {
    requests: Requests,
    /// What each is called outside.
    names: Vec<u32>,
}

impl Copies {
    /// Keeps a copy of `request`, which is called `name` outside, and returns its number here.
    #[inline]
    pub fn add(&mut self, request: Request, name: u32) -> u32 {
        let id = self.requests.add(request);
        if let Some(known) = self.names.get_mut(id as usize) {
            *known = name;
        } else {
            self.names.push(name);
        }
        id
    }
}

impl Table for Copies {
    #[inline]
    fn get(&self, id: u32) -> &Request {
        self.requests.get(id)
    }

    #[inline]
    fn get_mut(&mut self, id: u32) -> &mut Request {
        self.requests.get_mut(id)
    }

    #[inline]
    fn name(&self, id: u32) -> u32 {
        self.names[id as usize]
    }

    #[inline]
    fn served(&mut self, id: u32) {
        self.requests.remove(id);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_stays_within_40_bytes() {
        assert!(std::mem::size_of::<Request>() <= 40);
    }
}
