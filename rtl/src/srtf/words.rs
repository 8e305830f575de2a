//! What is known of eight kernels, on its way between modules that stand in arrays: their ports are
//! whole words, since a port in number of a module in number does not translate.

use super::{AllFacts, AllLimits, AllTimes, Facts, Times};
use crate::port::Needs;
use crate::prelude::*;

hdl_module! {
    /// Puts what is known of the kernels into one word. Wires, no storage.
    pub struct PackFacts combinational {
        inputs {
            /// For each kernel those that are older.
            older: [Signal<In, U<8>>; 8],
            /// What its blocks take.
            needs: [Signal<In, Needs>; 8],
            /// How many of them an empty SMX holds.
            residency: [Signal<In, U<5>>; 8],
            /// Blocks that an SMX is expected to run.
            total: [Signal<In, U<24>>; 8],
        }
        outputs {
            /// The word.
            all: Signal<Out, AllFacts>,
        }
        locals {
            one: Signal<Local, Facts>,
        }
    }
}

impl Logic for PackFacts {
    #[hdl_gen]
    fn update(&mut self) {
        self.one.next.older = self.older[0].val();
        self.one.next.needs = self.needs[0].val();
        self.one.next.residency = self.residency[0].val();
        self.one.next.total = self.total[0].val();
        self.all.next.k0 = self.one.val();
        self.one.next.older = self.older[1].val();
        self.one.next.needs = self.needs[1].val();
        self.one.next.residency = self.residency[1].val();
        self.one.next.total = self.total[1].val();
        self.all.next.k1 = self.one.val();
        self.one.next.older = self.older[2].val();
        self.one.next.needs = self.needs[2].val();
        self.one.next.residency = self.residency[2].val();
        self.one.next.total = self.total[2].val();
        self.all.next.k2 = self.one.val();
        self.one.next.older = self.older[3].val();
        self.one.next.needs = self.needs[3].val();
        self.one.next.residency = self.residency[3].val();
        self.one.next.total = self.total[3].val();
        self.all.next.k3 = self.one.val();
        self.one.next.older = self.older[4].val();
        self.one.next.needs = self.needs[4].val();
        self.one.next.residency = self.residency[4].val();
        self.one.next.total = self.total[4].val();
        self.all.next.k4 = self.one.val();
        self.one.next.older = self.older[5].val();
        self.one.next.needs = self.needs[5].val();
        self.one.next.residency = self.residency[5].val();
        self.one.next.total = self.total[5].val();
        self.all.next.k5 = self.one.val();
        self.one.next.older = self.older[6].val();
        self.one.next.needs = self.needs[6].val();
        self.one.next.residency = self.residency[6].val();
        self.one.next.total = self.total[6].val();
        self.all.next.k6 = self.one.val();
        self.one.next.older = self.older[7].val();
        self.one.next.needs = self.needs[7].val();
        self.one.next.residency = self.residency[7].val();
        self.one.next.total = self.total[7].val();
        self.all.next.k7 = self.one.val();
    }
}

hdl_module! {
    /// Takes what is known of the kernels out of one word. Wires, no storage.
    pub struct UnpackFacts combinational {
        inputs {
            /// The word.
            all: Signal<In, AllFacts>,
        }
        outputs {
            /// For each kernel those that are older.
            older: [Signal<Out, U<8>>; 8],
            /// What its blocks take.
            needs: [Signal<Out, Needs>; 8],
            /// How many of them an empty SMX holds.
            residency: [Signal<Out, U<5>>; 8],
            /// Blocks that an SMX is expected to run.
            total: [Signal<Out, U<24>>; 8],
        }
        locals {
            one: Signal<Local, Facts>,
        }
    }
}

impl Logic for UnpackFacts {
    #[hdl_gen]
    fn update(&mut self) {
        self.one.next = self.all.val().k0;
        self.older[0].next = self.one.val().older;
        self.needs[0].next = self.one.val().needs;
        self.residency[0].next = self.one.val().residency;
        self.total[0].next = self.one.val().total;
        self.one.next = self.all.val().k1;
        self.older[1].next = self.one.val().older;
        self.needs[1].next = self.one.val().needs;
        self.residency[1].next = self.one.val().residency;
        self.total[1].next = self.one.val().total;
        self.one.next = self.all.val().k2;
        self.older[2].next = self.one.val().older;
        self.needs[2].next = self.one.val().needs;
        self.residency[2].next = self.one.val().residency;
        self.total[2].next = self.one.val().total;
        self.one.next = self.all.val().k3;
        self.older[3].next = self.one.val().older;
        self.needs[3].next = self.one.val().needs;
        self.residency[3].next = self.one.val().residency;
        self.total[3].next = self.one.val().total;
        self.one.next = self.all.val().k4;
        self.older[4].next = self.one.val().older;
        self.needs[4].next = self.one.val().needs;
        self.residency[4].next = self.one.val().residency;
        self.total[4].next = self.one.val().total;
        self.one.next = self.all.val().k5;
        self.older[5].next = self.one.val().older;
        self.needs[5].next = self.one.val().needs;
        self.residency[5].next = self.one.val().residency;
        self.total[5].next = self.one.val().total;
        self.one.next = self.all.val().k6;
        self.older[6].next = self.one.val().older;
        self.needs[6].next = self.one.val().needs;
        self.residency[6].next = self.one.val().residency;
        self.total[6].next = self.one.val().total;
        self.one.next = self.all.val().k7;
        self.older[7].next = self.one.val().older;
        self.needs[7].next = self.one.val().needs;
        self.residency[7].next = self.one.val().residency;
        self.total[7].next = self.one.val().total;
    }
}

hdl_module! {
    /// Puts what an SMX knows into one word. Wires, no storage.
    pub struct PackTimes combinational {
        inputs {
            /// Cycles that are left of each kernel.
            remaining: [Signal<In, U<40>>; 8],
            /// Its cycles in all.
            predicted: [Signal<In, U<40>>; 8],
            /// Its resident blocks.
            resident: [Signal<In, U<6>>; 8],
        }
        outputs {
            /// The word.
            all: Signal<Out, AllTimes>,
        }
        locals {
            one: Signal<Local, Times>,
        }
    }
}

impl Logic for PackTimes {
    #[hdl_gen]
    fn update(&mut self) {
        self.one.next.remaining = self.remaining[0].val();
        self.one.next.predicted = self.predicted[0].val();
        self.one.next.resident = self.resident[0].val();
        self.all.next.k0 = self.one.val();
        self.one.next.remaining = self.remaining[1].val();
        self.one.next.predicted = self.predicted[1].val();
        self.one.next.resident = self.resident[1].val();
        self.all.next.k1 = self.one.val();
        self.one.next.remaining = self.remaining[2].val();
        self.one.next.predicted = self.predicted[2].val();
        self.one.next.resident = self.resident[2].val();
        self.all.next.k2 = self.one.val();
        self.one.next.remaining = self.remaining[3].val();
        self.one.next.predicted = self.predicted[3].val();
        self.one.next.resident = self.resident[3].val();
        self.all.next.k3 = self.one.val();
        self.one.next.remaining = self.remaining[4].val();
        self.one.next.predicted = self.predicted[4].val();
        self.one.next.resident = self.resident[4].val();
        self.all.next.k4 = self.one.val();
        self.one.next.remaining = self.remaining[5].val();
        self.one.next.predicted = self.predicted[5].val();
        self.one.next.resident = self.resident[5].val();
        self.all.next.k5 = self.one.val();
        self.one.next.remaining = self.remaining[6].val();
        self.one.next.predicted = self.predicted[6].val();
        self.one.next.resident = self.resident[6].val();
        self.all.next.k6 = self.one.val();
        self.one.next.remaining = self.remaining[7].val();
        self.one.next.predicted = self.predicted[7].val();
        self.one.next.resident = self.resident[7].val();
        self.all.next.k7 = self.one.val();
    }
}

hdl_module! {
    /// Takes what an SMX knows out of one word. Wires, no storage.
    pub struct UnpackTimes combinational {
        inputs {
            /// The word.
            all: Signal<In, AllTimes>,
        }
        outputs {
            /// Cycles that are left of each kernel.
            remaining: [Signal<Out, U<40>>; 8],
            /// Its cycles in all.
            predicted: [Signal<Out, U<40>>; 8],
            /// Its resident blocks.
            resident: [Signal<Out, U<6>>; 8],
        }
        locals {
            one: Signal<Local, Times>,
        }
    }
}

impl Logic for UnpackTimes {
    #[hdl_gen]
    fn update(&mut self) {
        self.one.next = self.all.val().k0;
        self.remaining[0].next = self.one.val().remaining;
        self.predicted[0].next = self.one.val().predicted;
        self.resident[0].next = self.one.val().resident;
        self.one.next = self.all.val().k1;
        self.remaining[1].next = self.one.val().remaining;
        self.predicted[1].next = self.one.val().predicted;
        self.resident[1].next = self.one.val().resident;
        self.one.next = self.all.val().k2;
        self.remaining[2].next = self.one.val().remaining;
        self.predicted[2].next = self.one.val().predicted;
        self.resident[2].next = self.one.val().resident;
        self.one.next = self.all.val().k3;
        self.remaining[3].next = self.one.val().remaining;
        self.predicted[3].next = self.one.val().predicted;
        self.resident[3].next = self.one.val().resident;
        self.one.next = self.all.val().k4;
        self.remaining[4].next = self.one.val().remaining;
        self.predicted[4].next = self.one.val().predicted;
        self.resident[4].next = self.one.val().resident;
        self.one.next = self.all.val().k5;
        self.remaining[5].next = self.one.val().remaining;
        self.predicted[5].next = self.one.val().predicted;
        self.resident[5].next = self.one.val().resident;
        self.one.next = self.all.val().k6;
        self.remaining[6].next = self.one.val().remaining;
        self.predicted[6].next = self.one.val().predicted;
        self.resident[6].next = self.one.val().resident;
        self.one.next = self.all.val().k7;
        self.remaining[7].next = self.one.val().remaining;
        self.predicted[7].next = self.one.val().predicted;
        self.resident[7].next = self.one.val().resident;
    }
}

hdl_module! {
    /// Puts limits into one word. Wires, no storage.
    pub struct PackLimits combinational {
        inputs {
            /// Most resident blocks of each kernel.
            limit: [Signal<In, U<6>>; 8],
        }
        outputs {
            /// The word.
            all: Signal<Out, AllLimits>,
        }
    }
}

impl Logic for PackLimits {
    #[hdl_gen]
    fn update(&mut self) {
        self.all.next.k0 = self.limit[0].val();
        self.all.next.k1 = self.limit[1].val();
        self.all.next.k2 = self.limit[2].val();
        self.all.next.k3 = self.limit[3].val();
        self.all.next.k4 = self.limit[4].val();
        self.all.next.k5 = self.limit[5].val();
        self.all.next.k6 = self.limit[6].val();
        self.all.next.k7 = self.limit[7].val();
    }
}

hdl_module! {
    /// Takes limits out of one word. Wires, no storage.
    pub struct UnpackLimits combinational {
        inputs {
            /// The word.
            all: Signal<In, AllLimits>,
        }
        outputs {
            /// Most resident blocks of each kernel.
            limit: [Signal<Out, U<6>>; 8],
        }
    }
}

impl Logic for UnpackLimits {
    #[hdl_gen]
    fn update(&mut self) {
        self.limit[0].next = self.all.val().k0;
        self.limit[1].next = self.all.val().k1;
        self.limit[2].next = self.all.val().k2;
        self.limit[3].next = self.all.val().k3;
        self.limit[4].next = self.all.val().k4;
        self.limit[5].next = self.all.val().k5;
        self.limit[6].next = self.all.val().k6;
        self.limit[7].next = self.all.val().k7;
    }
}
