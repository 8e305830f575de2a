//! `ikra/steal(relations=on)`.

use super::first_ids::FirstIds;
use super::related_kernels::RelatedKernels;
use super::stealing_smxs::StealingSmxs;
use super::{Relation, Stealing};
use crate::gate::{GateKind, SamplePorts};
use crate::port::{Dispatch, LaunchPorts, Limits, LookupPorts};
use crate::prelude::*;
use crate::prim::{Bundle, Rotation};
use crate::schedulers::scheduler_modules;

hdl_module! {
    /// What [`StealScheduler`](super::StealScheduler) does, for kernels that depend on any of the
    /// last four, block by block or by an affine relation (IKRA, section 8; rules 14 to 19 of
    /// `docs/ikra.md`).
    ///
    /// ```text
    ///   launch, relation --> [related_kernels] --begins, load, layouts--> [stealing_smxs, 4 layouts] --> dispatch
    ///                          | ^ bounds_ready  ^ done, filled              | first_id  ^ derived
    ///                  derives v |               +---------------------------+           |
    ///                        [first_ids of each SMX] <---------------------- +-----------+
    /// ```
    ///
    /// | from | to | cycles |
    /// | --- | --- | --- |
    /// | `launch` accepted | first `dispatch`, chunks kept, assigned or derived | 2, 65 or 98 |
    ///
    /// The rest, and storage, are its children's.
    pub struct RelatedScheduler (smxs: usize, limits: Limits, stealing: Stealing, gates: &[GateKind]) clocked {
        bundles {
            launch_ports: LaunchPorts,
            lookup_ports: LookupPorts,
            sample_ports: SamplePorts = SamplePorts::of(smxs, gates),
        }
        inputs {
            /// Its relation to an earlier kernel; valid with `launch`.
            relation: Signal<In, Relation>,
            /// One bit for each SMX: a block ends there in this cycle.
            finished: Signal<In, Mask> = Signal::mask(smxs),
        }
        outputs {
            /// For each SMX, the block that it receives in this cycle.
            dispatch: Vec<Signal<Out, Dispatch>> = Signal::each(smxs, Dispatch::default()),
            /// One bit for each entry whose kernel has ended; one cycle long.
            finished_kernels: Signal<Out, U<32>>,
        }
        children {
            one: RelatedKernels = RelatedKernels::new(stealing.latency),
            smxs: StealingSmxs = StealingSmxs::new(smxs, 4, limits, stealing, gates),
            ids: Vec<FirstIds> =
                (0..smxs).map(|number| FirstIds::new(number, smxs)).collect(),
            bounds: Rotation<U<31>> = Rotation::new(U::new(0), smxs),
            readies: Bundle<Mask> = Bundle::of(smxs),
        }
        state { count: usize = smxs }
    }
}

scheduler_modules! { RelatedScheduler { native relation } }

impl Logic for RelatedScheduler {
    #[hdl_gen]
    fn update(&mut self) {
        Control::link(&mut self.control, &mut self.one.control);
        Control::link(&mut self.control, &mut self.smxs.control);

        LaunchPorts::link(&mut self.launch_ports, &mut self.one.launch_ports);
        self.one.relation.next = self.relation.val();
        LookupPorts::link(&mut self.lookup_ports, &mut self.one.lookup_ports);
        self.finished_kernels.next = self.one.finished_kernels.val();
        self.one.chunks_ready.next = self.smxs.ready.val();
        self.one.done.next = self.smxs.done.val();
        self.one.filled.next = self.smxs.filled.val();

        self.smxs.assigns.next = self.one.assigns.val();
        self.smxs.begins.next = self.one.begins.val();
        self.smxs.load.next = self.one.load.val();
        self.smxs.layouts.next = self.one.layouts.val();
        self.smxs.running.next = self.one.running.val();
        self.smxs.finish.next = self.one.finish.val();
        self.smxs.head.next = self.one.head.val();
        self.smxs.kernel.next = self.one.kernel.val();
        self.smxs.finished.next = self.finished.val();
        SamplePorts::link(&mut self.sample_ports, &mut self.smxs.sample_ports);
        for i in 0..self.count {
            self.dispatch[i].next = self.smxs.dispatch[i].val();
        }

        // Where chunks begin that follow from an earlier kernel's.
        for i in 0..self.count {
            Control::link(&mut self.control, &mut self.ids[i].control);
            self.ids[i].derives.next = self.one.derives.val();
            self.ids[i].assigns.next = self.one.assigns.val();
            self.ids[i].moved.next = self.one.moved.val();
            self.ids[i].relation.next = self.one.head_relation.val();
            self.ids[i].blocks.next = self.one.kernel.val().blocks;
            self.ids[i].source.next = self.one.source.val();
            self.ids[i].target.next = self.one.target.val();
            self.ids[i].first_id.next = self.smxs.first_id[i].val();
            self.bounds.word[i].next = self.ids[i].bound.val();
            self.ids[i].behind.next = self.bounds.data[i].val();
            self.readies.bits[i].next = self.ids[i].ready.val();
            self.smxs.derived[i].next = self.ids[i].derived.val();
        }
        self.one.bounds_ready.next = self.readies.word.val().all();
    }
}
