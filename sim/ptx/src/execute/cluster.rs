//! The blocks of a cluster: their barrier, and shared memory of each other (PTX ISA,
//! "barrier.cluster", "mapa" and "State Spaces"). What a warp does to shared memory of another
//! block happens when it does it to its own: with its instruction.

use std::rc::Rc;

use super::addresses::each;
use super::barriers::Meeting;
use super::fault::described;
use super::{Block, Fault, Grid, Warp};
use crate::address_space as space;
use crate::ast::Space;
use crate::program::{ClusterAddress, OfCluster};
use blockyard_contract::port::Dim3;
use blockyard_gpu::program::{Instruction, Operation, WARP_LANES};

/// What is wrong, and what was expected.
type Wrong = (String, String);

impl Grid {
    /// `block` begins.
    pub fn begins(&self, block: &Rc<Block>) {
        if self.works_together {
            self.blocks.borrow_mut().insert(block.index, Rc::downgrade(block));
        }
    }

    /// All threads of the block `index` have exited.
    fn has_ended(&self, index: Dim3) {
        if self.works_together {
            self.blocks.borrow_mut().insert(index, std::rc::Weak::new());
        }
    }

    /// The place of a block in its cluster, as one number.
    pub fn rank(&self, block: Dim3) -> u32 {
        self.place_in_cluster(block).linear(self.cluster()) as u32
    }

    /// The block with this rank in the cluster of `own`.
    pub fn of_rank(&self, own: &Rc<Block>, rank: u32) -> Result<Rc<Block>, Wrong> {
        let (extent, index) = (self.cluster(), own.index);
        let count = extent.volume() as u32;
        if rank >= count {
            let message = format!("the block of rank {rank} of a cluster of {count}");
            return Err((message, format!("a rank below {count}")));
        }
        if rank == self.rank(index) {
            return Ok(Rc::clone(own));
        }
        let place = self.place_in_cluster(index);
        let other = Dim3::new(
            index.x - place.x + rank % extent.x,
            index.y - place.y + rank / extent.x % extent.y,
            index.z - place.z + rank / extent.x / extent.y,
        );
        let blocks = self.blocks.borrow();
        let what = match blocks.get(&other).map(std::rc::Weak::upgrade) {
            Some(Some(block)) => return Ok(block),
            Some(None) => "has ended",
            None => "has not begun",
        };
        let message = format!("the block of rank {rank}, {other}, which {what}");
        Err((message, "`barrier.cluster` between, so that both blocks run".to_owned()))
    }
}

impl Warp {
    /// `barrier.cluster`
    pub(super) fn cluster_barrier(
        &mut self,
        waits: bool,
        (path, lanes): (usize, u32),
        shown: &mut Instruction,
    ) -> Result<(), Fault> {
        if !waits {
            let again = lanes & self.arrived;
            if again != 0 {
                let message = "a thread arrives at the barrier of its cluster a second time";
                let expected = "`barrier.cluster.wait` between";
                return Err(Fault::of_lanes(again, message, expected));
            }
            self.arrived |= lanes;
            self.paths().get(path).at += 1;
            if !self.comes_to_cluster(shown) {
                // The other lanes of the warp must come first.
                shown.operation = super::warp_wide::INTEGER;
            }
            return Ok(());
        }
        let early = lanes & !self.arrived;
        if early != 0 {
            let message = "a thread waits at the barrier of its cluster, and has not arrived";
            return Err(Fault::of_lanes(early, message, "`barrier.cluster.arrive` before"));
        }
        self.wait_for((Meeting::Cluster, path), lanes, shown)
    }

    /// Whether with this instruction all lanes have arrived at the cluster's barrier that are left;
    /// then the timing sees it.
    pub(super) fn comes_to_cluster(&mut self, shown: &mut Instruction) -> bool {
        let comes = self.arrived != 0 && self.alive & !self.arrived == 0 && !self.has_arrived;
        if comes {
            self.has_arrived = true;
            shown.operation = Operation::ClusterArrive;
        }
        comes
    }

    /// The last lanes of the warp have exited.
    pub(super) fn leave_block(&self) {
        let left = self.block.running.get().saturating_sub(1);
        self.block.running.set(left);
        if left == 0 {
            self.grid.has_ended(self.block.index);
        }
    }

    /// `mapa` and `getctarank`
    pub(super) fn cluster_address(&mut self, of: &ClusterAddress, lanes: u32) -> Result<(), Fault> {
        let base = if of.generic { space::base(Space::Cluster) } else { 0 };
        let addresses = self.lanes_of(of.address);
        let ranks = match of.of {
            OfCluster::Address { rank } => Some(self.lanes_of(rank)),
            OfCluster::Rank => None,
        };
        let mut found = [0; WARP_LANES];
        for lane in each(lanes) {
            let address = addresses[lane];
            let place = address.checked_sub(base).and_then(space::in_cluster);
            let place = place.filter(|(_, offset)| *offset < space::BLOCK_WINDOW);
            let Some((rank, offset)) = place else {
                let message = format!("{address:#x} is no address of shared memory");
                return Err(Fault::of_lane(lane, message, "one of a block of the cluster"));
            };
            let Some(ranks) = &ranks else {
                found[lane] = rank.unwrap_or_else(|| self.rank()).into();
                continue;
            };
            let count = self.grid.cluster().volume() as u64;
            if ranks[lane] >= count {
                let message = format!(
                    "an address of the block of rank {} of a cluster of {count}",
                    ranks[lane]
                );
                return Err(Fault::of_lane(lane, message, format!("a rank below {count}")));
            }
            found[lane] = base + space::of_rank(ranks[lane] as u32, offset);
        }
        if let Some(to) = of.to {
            self.registers.write(to, lanes, &found);
        }
        Ok(())
    }

    fn rank(&self) -> u32 {
        self.grid.rank(self.block.index)
    }

    /// Whether an address in `.shared::cluster` is one of the own block.
    pub(super) fn is_own(&self, address: u64) -> bool {
        space::in_cluster(address)
            .is_some_and(|(rank, _)| rank.is_none_or(|rank| rank == self.rank()))
    }

    /// Whether a generic address is in `of`, which is shared memory.
    pub(super) fn is_in_shared(&self, of: Space, address: u64) -> bool {
        let address = address.wrapping_sub(space::base(of));
        match space::in_cluster(address) {
            Some((Some(rank), _)) if of == Space::Cluster => {
                u128::from(rank) < self.grid.cluster().volume()
            }
            _ => self.is_own(address),
        }
    }

    /// As [`Warp::place`], of an address in `.shared::cluster`.
    pub(super) fn place_in_cluster<R>(
        &self,
        (lane, address): (usize, u64),
        bytes: u64,
        what: &str,
        with: impl FnOnce(&mut [u8]) -> R,
    ) -> Result<R, Fault> {
        let access = described(what, bytes);
        let Some((rank, offset)) = space::in_cluster(address) else {
            let message = format!("{access} at {address:#x} is in shared memory of no block");
            return Err(Fault::of_lane(lane, message, "an address that `mapa` has given"));
        };
        let rank = rank.unwrap_or_else(|| self.rank());
        let block = self.grid.of_rank(&self.block, rank).map_err(|(message, expected)| {
            Fault::of_lane(lane, format!("{access} goes to {message}"), expected)
        })?;
        let mut shared = block.shared.borrow_mut();
        let length = shared.len() as u64;
        if offset + bytes > length {
            let message =
                format!("{access} at {offset:#x} of shared memory of rank {rank} is outside of it");
            return Err(Fault::of_lane(
                lane,
                message,
                format!("an address below {length:#x} there"),
            ));
        }
        let range = offset as usize..(offset + bytes) as usize;
        self.check_shared(&block, lane, what, range.clone())?;
        Ok(with(&mut shared[range]))
    }
}
