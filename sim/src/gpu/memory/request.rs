//! A request on its way through network, L2 and DRAM, and back.

use crate::gpu::cache::SectorMask;

/// What a request is for, and who waits for its reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Sectors for an L1.
    Fill,
    /// A load past the L1, by its number in the load/store unit.
    Load(u32),
    /// Words of a warp, by its slot.
    Store {
        /// The warp slot that counts its stores on their way.
        warp: u8,
    },
    /// Words that an L1 evicts; nobody waits.
    WriteBack,
    /// An atomic operation, by its number in the load/store unit; without one nobody uses the old
    /// value, and only the warp's stores are counted.
    Atomic {
        /// The load that waits for the old value.
        load: Option<u32>,
        /// The warp slot.
        warp: u8,
    },
    /// A line of instructions.
    Code,
}

impl Purpose {
    /// Whether the request carries data to the L2.
    pub fn carries_data(self) -> bool {
        matches!(self, Purpose::Store { .. } | Purpose::WriteBack | Purpose::Atomic { .. })
    }

    /// Whether the reply carries data.
    pub fn returns_data(self) -> bool {
        match self {
            Purpose::Fill | Purpose::Load(_) | Purpose::Code => true,
            Purpose::Atomic { load, .. } => load.is_some(),
            Purpose::Store { .. } | Purpose::WriteBack => false,
        }
    }
}

/// See the module.
#[derive(Clone, Copy, Debug)]
pub struct Request {
    /// The SMX that sent it.
    pub smx: u8,
    /// Its purpose.
    pub purpose: Purpose,
    /// The line.
    pub line: u64,
    /// Its number in its slice.
    pub local: u64,
    /// Its slice.
    pub slice: u16,
    /// Its sectors in the L2.
    pub sectors: SectorMask,
    /// Those of them that have not come from DRAM yet.
    pub missing: SectorMask,
    /// Packets of the reply that its SMX has not received yet.
    pub packets: u8,
}

/// The requests on their way, by number.
#[derive(Debug, Default)]
pub struct Requests {
    table: Vec<Request>,
    free: Vec<u32>,
}

impl Requests {
    /// Keeps `request` until it is removed.
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

    /// Request `id`.
    pub fn get(&self, id: u32) -> &Request {
        &self.table[id as usize]
    }

    /// Request `id`, to change.
    pub fn get_mut(&mut self, id: u32) -> &mut Request {
        &mut self.table[id as usize]
    }

    /// Takes request `id` out; its number may be used again.
    pub fn remove(&mut self, id: u32) -> Request {
        self.free.push(id);
        self.table[id as usize]
    }
}
