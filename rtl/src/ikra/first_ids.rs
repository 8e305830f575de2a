//! The first ids of one SMX's chunks.

use super::{AffineBound, DerivedChunk, Relation};
use crate::prelude::*;
use crate::prim::RegisterFile;

hdl_module! {
    /// The first linear id of the chunk of SMX `number` in each of four layouts, as it was
    /// assigned, and how a relation moves it (rules 15 and 18 of `docs/ikra.md`).
    ///
    /// ```text
    ///   source --> [ 4 x id ] --> [affine_bound] --> bound --> (to the SMX before)
    ///   target, first_id --> [  ]                      v
    ///                              behind, blocks --> [ = ] --> derived
    /// ```
    ///
    /// | from | to | cycles |
    /// | --- | --- | --- |
    /// | `derives` | `ready` | 33 |
    ///
    /// Storage: 4 x 31 bits of register file, and its child's.
    pub struct FirstIds (number: usize, smxs: usize) clocked {
        inputs {
            /// The source's id is moved.
            derives: Signal<In, Bit>,
            /// The assignment of chunks starts: the id is stored.
            assigns: Signal<In, Bit>,
            /// With `assigns`: the one that was moved, else `first_id`.
            moved: Signal<In, Bit>,
            /// The head's relation; the same from `derives` to `assigns`.
            relation: Signal<In, Relation>,
            /// The head's blocks; the same from `derives` to `assigns`.
            blocks: Signal<In, U<31>>,
            /// The layout from which it is moved; valid with `derives`.
            source: Signal<In, U<2>>,
            /// The layout that gets it; valid with `assigns`.
            target: Signal<In, U<2>>,
            /// The first id of the share; valid with `assigns` and without `moved`.
            first_id: Signal<In, U<31>>,
            /// The bound of the SMX behind this one; valid with `assigns` and `moved`.
            behind: Signal<In, U<31>>,
        }
        outputs {
            /// The id was moved.
            ready: Signal<Out, Bit>,
            /// The id that was moved; valid with `ready`.
            bound: Signal<Out, U<31>>,
            /// The chunk from `bound` on; valid with `assigns`.
            derived: Signal<Out, DerivedChunk>,
        }
        locals {
            own: Signal<Local, U<31>>,
            beyond: Signal<Local, U<31>>,
        }
        constants {
            is_first: Constant<Bit> = Constant::new(number == 0),
            is_last: Constant<Bit> = Constant::new(number + 1 == smxs),
            zero: Lit<31, 0>,
        }
        children {
            ids: RegisterFile<U<31>, 2> = RegisterFile::of(4, 1, 0),
            affine: AffineBound,
        }
    }
}

impl Logic for FirstIds {
    #[hdl_gen]
    fn update(&mut self) {
        Control::link(&mut self.control, &mut self.ids.control);
        Control::link(&mut self.control, &mut self.affine.control);

        self.ids.address.next = self.source.val();
        self.affine.begins.next = self.derives.val();
        self.affine.first.next = self.ids.data.val();
        self.affine.ratio.next = self.relation.val().ratio;
        self.affine.offset.next = self.relation.val().offset;
        self.affine.negative.next = self.relation.val().negative;
        self.affine.blocks.next = self.blocks.val();
        self.ready.next = self.affine.ready.val();

        // Blocks that depend on none before the grid are the first SMX's, those behind it the last
        // one's.
        self.own.next = self.affine.bound.val();
        if self.is_first.val() {
            self.own.next = self.zero.val();
        }
        self.beyond.next = self.behind.val();
        if self.is_last.val() {
            self.beyond.next = self.blocks.val();
        }
        self.bound.next = self.own.val();
        self.derived.next.valid = self.moved.val();
        self.derived.next.first = self.own.val();
        self.derived.next.vacant = self.own.val() == self.beyond.val();

        self.ids.write_enable[0].next = self.assigns.val();
        self.ids.write_address[0].next = self.target.val();
        self.ids.write_data[0].next = self.first_id.val();
        if self.moved.val() {
            self.ids.write_data[0].next = self.own.val();
        }
    }
}
