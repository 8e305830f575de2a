//! The thread block control registers.

use super::{BlockRegister, GroupBlock};
use crate::port::BlockId;
use crate::prelude::*;
use crate::prim::{PriorityEncoder, Register, RegisterFile, SramTwoPort};

hdl_module! {
    /// The thread block control registers (DTBL, section 4.2: TBCR) of one SMX with `slots`
    /// thread-block slots, 1 to 32.
    ///
    /// ```text
    ///   finished, finished_slot --> [ slots in use ] --> slot (lowest free)
    ///   take, block --------------> [ KDEI         ] --> finished_kernel (of finished_slot)
    ///                               [ AGEI, BLKID  ] --> ended_group, ended_block (a cycle later)
    /// ```
    ///
    /// `slot` is combinational in `finished`: the slot of a block that ends counts as free. Whose
    /// resources are free again has to be known in that cycle, the rest waits for an SRAM. Storage:
    /// for each slot (rounded up to a power of two) 5 bits of register file and 95 bits of SRAM;
    /// 127 registers.
    pub struct SlotControl (slots: u64) clocked {
        inputs {
            /// A block ends in this cycle.
            finished: Signal<In, Bit>,
            /// Its slot; valid with `finished`.
            finished_slot: Signal<In, U<5>>,
            /// A block is dispatched to this SMX; only when there is a slot.
            take: Signal<In, Bit>,
            /// What its control register shall hold; valid with `take`.
            block: Signal<In, BlockRegister> => Self::is_taken,
        }
        outputs {
            /// KDEI of the block in `finished_slot`; valid with `finished`.
            finished_kernel: Signal<Out, U<5>>,
            /// AGEI of the block that ended in the cycle before; valid after a cycle with
            /// `finished`.
            ended_group: Signal<Out, U<32>>,
            /// BLKID of it; valid after a cycle with `finished`.
            ended_block: Signal<Out, BlockId>,
            /// The lowest free slot; zero when there is none.
            slot: Signal<Out, U<5>>,
        }
        locals {
            leaves: Signal<Local, U<32>>,
            stays: Signal<Local, U<32>>,
        }
        constants {
            none: Constant<U<32>>,
            one: Constant<U<32>> = Constant::new(U::new(1)),
            all: Constant<U<32>> = Constant::new(U::new((1 << slots) - 1)),
        }
        children {
            in_use: Register<U<32>>,
            free: PriorityEncoder<U<32>>,
            kernels: RegisterFile<U<5>, 5> =
                RegisterFile::of(slots.next_power_of_two() as usize, 1, 0),
            rest: SramTwoPort<GroupBlock, 5> =
                SramTwoPort::new(GroupBlock::default(), slots.next_power_of_two() as usize),
        }
    }
}

impl SlotControl {
    fn is_taken(&self) -> bool {
        self.take.val()
    }
}

impl Logic for SlotControl {
    #[hdl_gen]
    fn update(&mut self) {
        Control::link(&mut self.control, &mut self.in_use.control);
        Control::link(&mut self.control, &mut self.kernels.control);
        Control::link(&mut self.control, &mut self.rest.control);
        self.leaves.next = self.none.val();
        if self.finished.val() {
            self.leaves.next = self.one.val() << self.finished_slot.val();
        }
        self.stays.next = self.in_use.q.val() & !self.leaves.val();
        self.free.request.next = self.all.val() & !self.stays.val();
        self.slot.next = self.free.index.val();
        self.in_use.d.next = self.stays.val();
        if self.take.val() {
            self.in_use.d.next = self.stays.val() | self.free.grant.val();
        }
        self.kernels.address.next = self.finished_slot.val();
        self.finished_kernel.next = self.kernels.data.val();
        self.kernels.write_enable[0].next = self.take.val();
        self.kernels.write_address[0].next = self.free.index.val();
        self.kernels.write_data[0].next = self.block.val().kernel;

        // The SRAM reads what was there before a block that takes the slot at once.
        self.rest.read_address.next = self.finished_slot.val();
        self.ended_group.next = self.rest.read_data.val().group;
        self.ended_block.next = self.rest.read_data.val().block;
        self.rest.write_enable.next = self.take.val();
        self.rest.write_address.next = self.free.index.val();
        self.rest.write_data.next.group = self.block.val().group;
        self.rest.write_data.next.block = self.block.val().block;
    }
}

hdl_module! {
    /// [`SlotControl`] for each of `smxs` SMXs.
    ///
    /// ```text
    ///   finished[s], finished_slot[s] --> [ each SMX     ] --> finished_kernel[s], slot[s]
    ///   taken, block -------------------> [              ] --> ended_group[s], ended_block[s] (a cycle later)
    ///   finished -----------------------> [ ended        ] --> ended
    /// ```
    ///
    /// Latency and storage as [`SlotControl`], `smxs` times, and a register for each SMX.
    pub struct BlockControl (smxs: usize, slots: u64) clocked {
        inputs {
            /// One bit for each SMX: a block ends there.
            finished: Signal<In, Mask> = Signal::mask(smxs),
            /// Its slot; valid with its bit of `finished`.
            finished_slot: Vec<Signal<In, U<5>>> = Signal::each(smxs, U::new(0)),
            /// One bit for each SMX: the block is dispatched there.
            taken: Signal<In, Mask> = Signal::mask(smxs),
            /// What its control register shall hold; valid with a bit of `taken`.
            block: Signal<In, BlockRegister> => Self::is_taken,
        }
        outputs {
            /// KDEI of the block that ends; valid with its bit of `finished`.
            finished_kernel: Vec<Signal<Out, U<5>>> = Signal::each(smxs, U::new(0)),
            /// One bit for each SMX: a block ended there in the cycle before.
            ended: Signal<Out, Mask> = Signal::mask(smxs),
            /// AGEI of that block; valid with its bit of `ended`.
            ended_group: Vec<Signal<Out, U<32>>> = Signal::each(smxs, U::new(0)),
            /// BLKID of it; valid with its bit of `ended`.
            ended_block: Vec<Signal<Out, BlockId>> = Signal::each(smxs, BlockId::default()),
            /// The lowest free slot of each SMX; zero when there is none.
            slot: Vec<Signal<Out, U<5>>> = Signal::each(smxs, U::new(0)),
        }
        children {
            smx: Vec<SlotControl> = (0..smxs).map(|_| SlotControl::new(slots)).collect(),
            just_ended: Register<Mask> = Register::new(Mask::none(smxs)),
        }
        state { smxs: usize = smxs }
    }
}

impl BlockControl {
    fn is_taken(&self) -> bool {
        self.taken.val().any()
    }
}

impl Logic for BlockControl {
    #[hdl_gen]
    fn update(&mut self) {
        Control::link(&mut self.control, &mut self.just_ended.control);
        self.just_ended.d.next = self.finished.val();
        self.ended.next = self.just_ended.q.val();
        for i in 0..self.smxs {
            Control::link(&mut self.control, &mut self.smx[i].control);
            self.smx[i].finished.next = self.finished.val().get_bit(i);
            self.smx[i].finished_slot.next = self.finished_slot[i].val();
            self.smx[i].take.next = self.taken.val().get_bit(i);
            self.smx[i].block.next = self.block.val();
            self.finished_kernel[i].next = self.smx[i].finished_kernel.val();
            self.ended_group[i].next = self.smx[i].ended_group.val();
            self.ended_block[i].next = self.smx[i].ended_block.val();
            self.slot[i].next = self.smx[i].slot.val();
        }
    }
}
