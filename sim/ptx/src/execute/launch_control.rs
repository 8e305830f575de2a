//! Blocks that have not started: a thread asks for one, and reads the answer (PTX ISA,
//! "clusterlaunchcontrol").
//!
//! An answer is 16 bytes, of which a thread may know nothing else: x, y and z of the index of the
//! block, and a word that is 1 if there is one.

use std::ops::Range;
use std::rc::Rc;

use super::addresses::each;
use super::fault::Whose;
use super::mbarrier::{no_mbarrier, BYTES as MBARRIER_BYTES};
use super::mbarrier_state::State;
use super::shared_checks::{Kind, Who};
use super::warp::Place;
use super::{Block, Fault, Grid, Warp};
use crate::address_space as space;
use crate::ast::Space;
use crate::machine::{put, value_of};
use crate::program::{LaunchControl, Lookup, Source};
use blockyard_contract::diagnostic::InputError;
use blockyard_contract::port::Dim3;
use blockyard_gpu::program::WARP_LANES;

/// Bytes of an answer, which complete at an mbarrier as so many transactions.
const BYTES: u64 = 16;

/// An answer that has not come: who has asked, and where it goes.
struct Question {
    grid: Rc<Grid>,
    block: Rc<Block>,
    warp: u32,
    lane: usize,
    at: Place,
    /// Barriers that the warp had passed.
    passed: u32,
    /// Where in shared memory the answer goes, and the mbarrier is.
    to: usize,
    mbarrier: usize,
    /// Whether it goes to all blocks of the cluster.
    multicast: bool,
}

impl Question {
    /// The answer comes.
    fn answer(self, block: Option<Dim3>) -> Result<(), InputError> {
        self.write(block).map_err(|fault| {
            let (grid, block) = (&*self.grid, &*self.block);
            Whose { grid, block, warp: self.warp, at: self.at }.describe(fault)
        })
    }

    fn write(&self, block: Option<Dim3>) -> Result<(), Fault> {
        if !self.multicast {
            return self.write_to(&self.block, block);
        }
        for rank in 0..self.grid.cluster().volume() as u32 {
            let of = self.grid.of_rank(&self.block, rank);
            let of = of.map_err(|(message, expected)| {
                Fault::of_lane(self.lane, format!("an answer goes to {message}"), expected)
            })?;
            self.write_to(&of, block)?;
        }
        Ok(())
    }

    fn write_to(&self, of: &Block, block: Option<Dim3>) -> Result<(), Fault> {
        let wrong = |message, expected| Fault::of_lane(self.lane, message, expected);
        let to = self.to..self.to + BYTES as usize;
        if let Some(checks) = &of.checks {
            let thread = self.warp * WARP_LANES as u32 + self.lane as u32;
            let who = Who { thread, passed: self.passed };
            let noted = checks.note(who, Kind::Store, to.clone());
            noted.map_err(|message| wrong(message, "an answer that nobody else writes over"))?;
        }
        let mut shared = of.shared.borrow_mut();
        let words = block.map_or([0; 4], |block| [block.x, block.y, block.z, 1]);
        for (place, word) in shared[to].chunks_exact_mut(4).zip(words) {
            put(place, word.into());
        }
        let mbarrier = &mut shared[self.mbarrier..self.mbarrier + MBARRIER_BYTES as usize];
        let state = State::of(value_of(mbarrier));
        let state = state.ok_or_else(|| no_mbarrier(self.lane, self.mbarrier as u64))?;
        let state = state
            .complete(BYTES)
            .map_err(|(message, expected)| Fault::of_lane(self.lane, message, expected))?;
        put(mbarrier, state.bits());
        Ok(())
    }
}

impl Warp {
    /// `clusterlaunchcontrol`
    pub(super) fn launch_control(&mut self, of: &LaunchControl, lanes: u32) -> Result<(), Fault> {
        match of {
            LaunchControl::Cancel { to, mbarrier, multicast } => {
                self.try_cancel((to, mbarrier, *multicast), lanes)?;
            }
            LaunchControl::IsCancelled { answer, to } => {
                if let Some(to) = *to {
                    let cancelled = self.cancelled(*answer);
                    self.registers.write_flag(to, lanes, cancelled);
                }
            }
            LaunchControl::StatesCluster { to } => {
                let states = self.grid.stated_cluster.is_some();
                self.registers.write_flag(*to, lanes, if states { u32::MAX } else { 0 });
            }
            LaunchControl::FirstBlock { answer, to } => {
                let none = lanes & !self.cancelled(*answer);
                if none != 0 {
                    let message = "the first block of an answer that has none";
                    let expected = "an answer of which `query_cancel.is_canceled` says that it has";
                    return Err(Fault::of_lanes(none, message, expected));
                }
                let [low, high] = self.halves(*answer);
                let word = |value: u64| value & u64::from(u32::MAX);
                let words =
                    [low.map(word), low.map(|low| low >> 32), high.map(word), [0; WARP_LANES]];
                self.registers.write_all(lanes, to, &words);
            }
        }
        Ok(())
    }

    fn halves(&self, answer: [Source; 2]) -> [[u64; WARP_LANES]; 2] {
        answer.map(|half| self.lanes_of(half))
    }

    /// The lanes whose answer has a block.
    fn cancelled(&self, answer: [Source; 2]) -> u32 {
        let [_, high] = self.halves(answer);
        let has = |lane: usize| u32::from(high[lane] >> 32 != 0) << lane;
        (0..WARP_LANES).fold(0, |lanes, lane| lanes | has(lane))
    }

    /// Each lane asks; all that can be wrong with it but for what happens until the answer comes is
    /// found here.
    fn try_cancel(
        &mut self,
        (to, mbarrier, multicast): (&Lookup, &Lookup, bool),
        lanes: u32,
    ) -> Result<(), Fault> {
        let blocks = self.grid.cluster().volume();
        if blocks > 1 && !multicast {
            let message = format!("a block of a cluster of {blocks} asks for another one");
            let expected = "`.multicast::cluster::all`, or a cluster of one block";
            return Err(Fault::of_lanes(lanes, message, expected));
        }
        let (places, objects) = (self.addresses(to), self.addresses(mbarrier));
        for lane in each(lanes) {
            let to = self.in_shared(to, lane, places[lane])?;
            self.check_mbarrier_place(mbarrier, lane, objects[lane])?;
            let object = self.place(
                mbarrier.space,
                lane,
                objects[lane],
                MBARRIER_BYTES,
                "access",
                |place| value_of(place),
            )?;
            State::of(object).ok_or_else(|| no_mbarrier(lane, objects[lane]))?;
            let question = Question {
                grid: Rc::clone(&self.grid),
                block: Rc::clone(&self.block),
                warp: self.own.warp,
                lane,
                at: self.at,
                passed: self.barriers_passed(),
                to: to.start,
                mbarrier: offset(mbarrier, objects[lane]) as usize,
                multicast,
            };
            self.questions.push(Box::new(move |block| question.answer(block)));
        }
        Ok(())
    }

    /// Where in shared memory an answer at `address` goes.
    fn in_shared(&self, to: &Lookup, lane: usize, address: u64) -> Result<Range<usize>, Fault> {
        let wrong = |message, expected: String| Err(Fault::of_lane(lane, message, expected));
        if to.space.is_none() && space::space_of(address) != Space::Shared {
            let message = format!("an answer to {address:#x} is not in shared memory");
            return wrong(message, "an address in shared memory".to_owned());
        }
        let offset = offset(to, address);
        if !offset.is_multiple_of(BYTES) {
            let message = format!("an answer of {BYTES} bytes to {address:#x} is misaligned");
            return wrong(message, format!("a multiple of {BYTES}"));
        }
        let length = self.grid.shared;
        if offset + BYTES > length {
            let message = format!(
                "an answer of {BYTES} bytes to {offset:#x} of shared memory is outside of it"
            );
            return wrong(message, format!("an address below {length:#x} there"));
        }
        Ok(offset as usize..(offset + BYTES) as usize)
    }
}

/// Where `address`, which is one of shared memory, is in that.
fn offset(at: &Lookup, address: u64) -> u64 {
    if at.space.is_none() {
        address - space::base(Space::Shared)
    } else {
        address
    }
}
