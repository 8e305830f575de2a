//! How many blocks of a kernel one SMX may hold.

use crate::prelude::*;
use crate::prim::{ConstantDivider, RegisterFile, Tagged};

hdl_module! {
    /// A cap for each of 32 kernels: its blocks divided by the SMXs, rounded up.
    ///
    /// ```text
    ///   blocks + smx - 1 --> [ / smx ] --> min 63 --> [ 32 caps ] --> cap
    ///   launch ---------------------------------------->   ^
    ///   kernel ---------------------------------------------+
    /// ```
    ///
    /// `cap` is combinational in `kernel`; what is loaded in `c` is read in `c + 1`. Storage: 32 x
    /// 6 bits; undefined for an entry that was never loaded.
    pub struct CapTable (smx: u64) clocked {
        inputs {
            /// A kernel is accepted into this entry.
            launch: Signal<In, Tagged>,
            /// Its thread blocks; valid with `launch`.
            blocks: Signal<In, U<31>>,
            /// The kernel that is asked about.
            kernel: Signal<In, U<5>>,
        }
        outputs {
            /// Its cap, at most 63.
            cap: Signal<Out, U<6>>,
        }
        locals {
            rounding_up: Signal<Local, U<32>>,
            quotient: Signal<Local, U<32>>,
            bounded: Signal<Local, U<6>>,
        }
        constants {
            round: Constant<U<32>> = Constant::new(U::new(smx - 1)),
            most: Lit<32, 63>,
            most_cap: Lit<6, 63>,
        }
        children {
            divider: ConstantDivider = ConstantDivider::new(smx),
            caps: RegisterFile<U<6>, 5> = RegisterFile::of(32, 1, 0),
        }
    }
}

impl Logic for CapTable {
    #[hdl_gen]
    fn update(&mut self) {
        Control::link(&mut self.control, &mut self.caps.control);
        self.rounding_up.next = bit_cast::<32, 31>(self.blocks.val()) + self.round.val();
        self.divider.dividend.next = self.rounding_up.val();
        self.quotient.next = self.divider.quotient.val();
        self.bounded.next = self.most_cap.val();
        if self.quotient.val() < self.most.val() {
            self.bounded.next = self.quotient.val().get_bits::<6>(0);
        }
        self.caps.write_enable[0].next = self.launch.val().valid;
        self.caps.write_address[0].next = self.launch.val().entry;
        self.caps.write_data[0].next = self.bounded.val();
        self.caps.address.next = self.kernel.val();
        self.cap.next = self.caps.data.val();
    }
}
