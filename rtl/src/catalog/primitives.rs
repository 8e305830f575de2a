//! The primitives.

use super::{entry, Configuration, Entry, Size};
use crate::dispatch::BlockId;
use crate::prim::{
    BudgetArbiter, Bundle, ClaimArbiter, ConstantDivider, CounterBank, CounterFile, Crossbar, Fifo,
    FlagFile, OptionalRegister, PriorityEncoder, Register, RegisterFile, Rotation,
    RoundRobinArbiter, SramOnePort, SramTwoPort, TallyBank,
};
use crate::word::U;

/// See the module.
pub(super) fn entries() -> Vec<Entry> {
    vec![
        entry(
            "prim/register",
            "register with synchronous reset",
            "",
            configurations![
                Small "w8" => Register::<U<8>>::new(),
                Large "block_id" => Register::<BlockId>::new(),
            ],
        ),
        entry(
            "prim/optional_register",
            "register that a configuration may do without",
            "",
            configurations![
                Small "w8" => OptionalRegister::<U<8>>::new(true),
                Small "w8_absent" => OptionalRegister::<U<8>>::new(false),
            ],
        ),
        entry(
            "prim/sram_one_port",
            "synchronous memory, one port",
            "",
            configurations![
                Small "w8_a4" => SramOnePort::<U<8>, 4>::new(),
                Large "w64_a10" => SramOnePort::<U<64>, 10>::new(),
            ],
        ),
        entry(
            "prim/sram_two_port",
            "synchronous memory, one read and one write port",
            "",
            configurations![
                Small "w8_a4" => SramTwoPort::<U<8>, 4>::new(),
                Large "block_id_a7" => SramTwoPort::<BlockId, 7>::new(),
            ],
        ),
        entry(
            "prim/register_file",
            "small memory read in the same cycle",
            "",
            configurations![
                Small "w8_a3_w1_r0" => RegisterFile::<U<8>, 3, 1, 0>::new(8),
                Small "w8_a3_w2_r1_words1" => RegisterFile::<U<8>, 3, 2, 1>::new(1),
                Small "w8_a3_w2_r1_words4" => RegisterFile::<U<8>, 3, 2, 1>::new(4),
                Large "block_id_a5_w2_r3" => RegisterFile::<BlockId, 5, 2, 3>::new(32),
            ],
        ),
        entry(
            "prim/fifo",
            "first-in first-out queue, head visible",
            "",
            configurations![
                Small "w8_a1" => Fifo::<U<8>, 1>::new(),
                Paper "w5_a5" => Fifo::<U<5>, 5>::new(),
                Large "w8_a8" => Fifo::<U<8>, 8>::new(),
            ],
        ),
        entry(
            "prim/priority_encoder",
            "lowest set bit",
            "",
            configurations![
                Small "n1" => PriorityEncoder::<1>::new(),
                Small "n5" => PriorityEncoder::<5>::new(),
                Paper "n32" => PriorityEncoder::<32>::new(),
            ],
        ),
        entry(
            "prim/round_robin_arbiter",
            "one grant from a pointer on",
            "",
            configurations![
                Small "n1" => RoundRobinArbiter::<1>::new(),
                Small "n5" => RoundRobinArbiter::<5>::new(),
                Paper "n13" => RoundRobinArbiter::<13>::new(),
                Large "n32" => RoundRobinArbiter::<32>::new(),
            ],
        ),
        entry(
            "prim/budget_arbiter",
            "as many grants as a budget allows",
            "",
            configurations![
                Small "n1" => BudgetArbiter::<1>::new(),
                Small "n4" => BudgetArbiter::<4>::new(),
                Paper "n14" => BudgetArbiter::<14>::new(),
                Large "n32" => BudgetArbiter::<32>::new(),
            ],
        ),
        entry(
            "prim/bundle",
            "single bits as one word",
            "",
            configurations![
                Small "n1" => Bundle::<1>::new(),
                Large "n32" => Bundle::<32>::new(),
            ],
        ),
        entry(
            "prim/counter_bank",
            "32 counters of things in execution",
            "",
            configurations![
                Small "n1_w2" => CounterBank::<1, 2>::new(),
                Paper "n13_w11" => CounterBank::<13, 11>::new(),
                Large "n32_w11" => CounterBank::<32, 11>::new(),
            ],
        ),
        entry(
            "prim/tally_bank",
            "32 counters of things of which many begin at once",
            "",
            configurations![
                Small "n1_w2" => TallyBank::<1, 2>::new(),
                Paper "n15_w11" => TallyBank::<15, 11>::new(),
                Large "n32_w11" => TallyBank::<32, 11>::new(),
            ],
        ),
        entry(
            "prim/counter_file",
            "memory of counters of what is alive",
            "",
            configurations![
                Small "a1_n1_w2_words1" => CounterFile::<1, 1, 2>::new(1),
                Small "a3_n2_w3_words4" => CounterFile::<3, 2, 3>::new(4),
                Paper "a11_n13_w32_words1024" => CounterFile::<11, 13, 32>::new(1024),
            ],
        ),
        entry(
            "prim/flag_file",
            "flags of the words of a memory",
            "",
            configurations![
                Small "a1_n1_words1" => FlagFile::<1, 1>::new(1),
                Small "a3_n2_words4" => FlagFile::<3, 2>::new(4),
                Paper "a11_n13_words1024" => FlagFile::<11, 13>::new(1024),
            ],
        ),
        entry(
            "prim/claim_arbiter",
            "one claimant for each of several things",
            "",
            configurations![
                Small "n1" => ClaimArbiter::<1>::new(),
                Small "n3" => ClaimArbiter::<3>::new(),
                Paper "n15" => ClaimArbiter::<15>::new(),
                Large "n32" => ClaimArbiter::<32>::new(),
            ],
        ),
        entry(
            "prim/rotation",
            "each word one place down",
            "",
            configurations![
                Small "w8_n1" => Rotation::<U<8>, 1>::new(),
                Small "w8_n3" => Rotation::<U<8>, 3>::new(),
                Paper "block_id_n15" => Rotation::<BlockId, 15>::new(),
            ],
        ),
        entry(
            "prim/crossbar",
            "any word to any place",
            "",
            configurations![
                Small "w8_i1_o1" => Crossbar::<U<8>, 1, 1>::new(),
                Small "w8_i5_o3" => Crossbar::<U<8>, 5, 3>::new(),
                Paper "block_id_i14_o14" => Crossbar::<BlockId, 14, 14>::new(),
                Large "block_id_i32_o32" => Crossbar::<BlockId, 32, 32>::new(),
            ],
        ),
        entry(
            "prim/constant_divider",
            "division by a constant in one cycle",
            "",
            configurations![
                Small "by1" => ConstantDivider::new(1),
                Small "by4" => ConstantDivider::new(4),
                Paper "by14" => ConstantDivider::new(14),
                Large "by64" => ConstantDivider::new(64),
            ],
        ),
    ]
}
