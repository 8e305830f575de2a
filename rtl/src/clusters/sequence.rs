//! The order of the blocks of a grid in clusters.

use super::{ClusterExtent, Place};
use crate::port::BlockId;
use crate::prelude::*;

hdl_module! {
    /// The next block of a grid that goes cluster by cluster, and what comes after it
    /// (`docs/clusters.md`, rule 3).
    ///
    /// ```text
    ///   at, place ------> ( + ) --> block
    ///   place, cluster --> [ + 1 in x, y, z ] ------> next_place, closes
    ///   at, cluster, grid --> [ + cluster in x, y, z ] --> beyond, ends, empty
    /// ```
    ///
    /// Combinational, no storage.
    pub struct ClusterSequence combinational {
        inputs {
            /// The first block of the cluster; within `grid` unless that is empty.
            at: Signal<In, BlockId>,
            /// The place of the next block within the cluster.
            place: Signal<In, Place>,
            /// The extent of the grid, a multiple of `cluster`.
            grid: Signal<In, BlockId>,
            /// The extent of the kernel's clusters.
            cluster: Signal<In, ClusterExtent>,
        }
        outputs {
            /// The next block.
            block: Signal<Out, BlockId>,
            /// The place after `place`; zero after the cluster's last one.
            next_place: Signal<Out, Place>,
            /// The block is its cluster's last one.
            closes: Signal<Out, Bit>,
            /// The first block of the cluster after this one; valid when not `ends`.
            beyond: Signal<Out, BlockId>,
            /// No cluster comes after this one, or the grid is empty.
            ends: Signal<Out, Bit>,
            /// The grid is empty.
            empty: Signal<Out, Bit>,
        }
        locals {
            none: Signal<Local, Bit>,
            index: Signal<Local, BlockId>,
            x: Signal<Local, U<5>>,
            y: Signal<Local, U<5>>,
            z: Signal<Local, U<5>>,
            inner: Signal<Local, Place>,
            last: Signal<Local, Bit>,
            corner: Signal<Local, BlockId>,
            beyond_all: Signal<Local, Bit>,
        }
        constants {
            zero_x: Lit<31, 0>,
            zero: Lit<16, 0>,
            one: Lit<5, 1>,
            first: Constant<Place>,
            start: Lit<4, 0>,
        }
    }
}

impl Logic for ClusterSequence {
    #[hdl_gen]
    fn update(&mut self) {
        self.none.next = (self.grid.val().x == self.zero_x.val())
            | (self.grid.val().y == self.zero.val())
            | (self.grid.val().z == self.zero.val());

        self.index.next.x = self.at.val().x + bit_cast::<31, 4>(self.place.val().x);
        self.index.next.y = self.at.val().y + bit_cast::<16, 4>(self.place.val().y);
        self.index.next.z = self.at.val().z + bit_cast::<16, 4>(self.place.val().z);
        self.block.next = self.index.val();

        // The place after this one.
        self.x.next = bit_cast::<5, 4>(self.place.val().x) + self.one.val();
        self.y.next = bit_cast::<5, 4>(self.place.val().y) + self.one.val();
        self.z.next = bit_cast::<5, 4>(self.place.val().z) + self.one.val();
        self.inner.next = self.place.val();
        self.inner.next.x = self.x.val().get_bits::<4>(0);
        self.last.next = false;
        if self.x.val() == self.cluster.val().x {
            self.inner.next.x = self.start.val();
            self.inner.next.y = self.y.val().get_bits::<4>(0);
            if self.y.val() == self.cluster.val().y {
                self.inner.next.y = self.start.val();
                self.inner.next.z = self.z.val().get_bits::<4>(0);
                self.last.next = self.z.val() == self.cluster.val().z;
            }
        }
        if self.last.val() {
            self.inner.next = self.first.val();
        }
        self.next_place.next = self.inner.val();
        self.closes.next = self.last.val();

        // The cluster after this one.
        self.corner.next = self.at.val();
        self.corner.next.x = self.at.val().x + bit_cast::<31, 5>(self.cluster.val().x);
        self.beyond_all.next = self.none.val();
        if self.corner.val().x == self.grid.val().x {
            self.corner.next.x = self.zero_x.val();
            self.corner.next.y = self.at.val().y + bit_cast::<16, 5>(self.cluster.val().y);
            if self.corner.val().y == self.grid.val().y {
                self.corner.next.y = self.zero.val();
                self.corner.next.z = self.at.val().z + bit_cast::<16, 5>(self.cluster.val().z);
                if self.corner.val().z == self.grid.val().z {
                    self.beyond_all.next = true;
                }
            }
        }
        self.beyond.next = self.corner.val();
        self.ends.next = self.beyond_all.val();
        self.empty.next = self.none.val();
    }
}
