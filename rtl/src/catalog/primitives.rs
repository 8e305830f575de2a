//! The primitives.

use super::{entry, Configuration, Entry, Size};
use crate::module::Fresh;
use crate::port::BlockId;
use crate::prim::{
    AheadMemory, BitPlanes, BudgetArbiter, Bundle, ClaimArbiter, ConstantDivider, CounterBank, Crossbar, Enough,
    EnoughInAll, Fifo,
    FlagFile, OptionalRegister, Pack, Popcount, PriorityEncoder, Quotient, Register, RegisterFile, Residents, Rotation,
    RoundRobinArbiter, SramOnePort, SramTwoPort, TallyBank, Unpack, VisitOrder,
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
                Small "w8" => Register::new(U::<8>::new(0)),
                Large "block_id" => Register::new(BlockId::default()),
            ],
        ),
        entry(
            "prim/optional_register",
            "register that a configuration may do without",
            "",
            configurations![
                Small "w8" => OptionalRegister::new(true, U::<8>::new(0)),
                Small "w8_absent" => OptionalRegister::new(false, U::<8>::new(0)),
            ],
        ),
        entry(
            "prim/sram_one_port",
            "synchronous memory, one port",
            "",
            configurations![
                Small "w8_a4" => SramOnePort::<U<8>, 4>::new(U::new(0), 16),
                Large "w64_a10" => SramOnePort::<U<64>, 10>::new(U::new(0), 1024),
            ],
        ),
        entry(
            "prim/sram_two_port",
            "synchronous memory, one read and one write port",
            "",
            configurations![
                Small "w8_a4" => SramTwoPort::<U<8>, 4>::new(U::new(0), 16),
                Small "w8_a4_words4" => SramTwoPort::<U<8>, 4>::new(U::new(0), 4),
                Large "block_id_a7" => SramTwoPort::<BlockId, 7>::new(BlockId::default(), 128),
            ],
        ),
        entry(
            "prim/ahead_memory",
            "memory whose address is given a cycle ahead",
            "",
            configurations![
                Small "w8_a4_words4" => AheadMemory::<U<8>, 4>::of(4),
                Small "w64_a5_words16" => AheadMemory::<U<64>, 5>::of(16),
                Small "w64_a5_words32" => AheadMemory::<U<64>, 5>::of(32),
                Large "block_id_a7" => AheadMemory::<BlockId, 7>::of(128),
            ],
        ),
        entry(
            "prim/register_file",
            "small memory read in the same cycle",
            "",
            configurations![
                Small "w8_a3_w1_r0" => RegisterFile::<U<8>, 3>::of(8, 1, 0),
                Small "w8_a3_w2_r1_words1" => RegisterFile::<U<8>, 3>::of(1, 2, 1),
                Small "w8_a3_w2_r1_words4" => RegisterFile::<U<8>, 3>::of(4, 2, 1),
                Large "block_id_a5_w2_r3" => RegisterFile::<BlockId, 5>::of(32, 2, 3),
            ],
        ),
        entry(
            "prim/fifo",
            "first-in first-out queue, head visible",
            "",
            configurations![
                Small "w8_a1" => Fifo::<U<8>, 1>::fresh(),
                Paper "w5_a5" => Fifo::<U<5>, 5>::fresh(),
                Small "w8_a3_words2" => Fifo::<U<8>, 3>::of(U::new(0), 2),
                Small "w8_a3_next_head" => Fifo::<U<8>, 3>::with_next_head(U::new(0)),
                Large "w8_a8" => Fifo::<U<8>, 8>::fresh(),
            ],
        ),
        entry(
            "prim/priority_encoder",
            "lowest set bit",
            "",
            configurations![
                Small "n1" => PriorityEncoder::of(1),
                Small "n5" => PriorityEncoder::of(5),
                Paper "n32" => PriorityEncoder::of(32),
                Large "n33" => PriorityEncoder::of(33),
                Large "n132" => PriorityEncoder::of(132),
            ],
        ),
        entry(
            "prim/round_robin_arbiter",
            "one grant from a pointer on",
            "",
            configurations![
                Small "n1" => RoundRobinArbiter::new(1),
                Small "n5" => RoundRobinArbiter::new(5),
                Paper "n13" => RoundRobinArbiter::new(13),
                Large "n32" => RoundRobinArbiter::new(32),
                Large "n33" => RoundRobinArbiter::new(33),
                Large "n132" => RoundRobinArbiter::new(132),
            ],
        ),
        entry(
            "prim/visit_order",
            "places in the order of visit of those that are chosen",
            "",
            configurations![
                Small "n1" => VisitOrder::new(1),
                Small "n5" => VisitOrder::new(5),
                Paper "n15" => VisitOrder::new(15),
                Large "n33" => VisitOrder::new(33),
                Large "n132" => VisitOrder::new(132),
            ],
        ),
        entry(
            "prim/popcount",
            "how many bits are set",
            "",
            configurations![
                Small "n1" => Popcount::new(1),
                Small "n5" => Popcount::new(5),
                Paper "n13" => Popcount::new(13),
                Large "n33" => Popcount::new(33),
                Large "n132" => Popcount::new(132),
            ],
        ),
        entry(
            "prim/budget_arbiter",
            "as many grants as a budget allows",
            "",
            configurations![
                Small "n1" => BudgetArbiter::new(1),
                Small "n4" => BudgetArbiter::new(4),
                Paper "n14" => BudgetArbiter::new(14),
                Large "n32" => BudgetArbiter::new(32),
                Large "n33" => BudgetArbiter::new(33),
                Large "n132" => BudgetArbiter::new(132),
            ],
        ),
        entry(
            "prim/bundle",
            "single bits as one word",
            "",
            configurations![
                Small "n1" => Bundle::of(1),
                Large "n32" => Bundle::of(32),
                Large "n33" => Bundle::of(33),
                Large "n132" => Bundle::of(132),
            ],
        ),
        entry(
            "prim/pack",
            "words as one word",
            "",
            configurations![
                Small "n2" => Pack::<U<3>, 2>::new(U::new(0)),
                Large "n8" => Pack::<U<40>, 8>::new(U::new(0)),
            ],
        ),
        entry(
            "prim/unpack",
            "one word as words",
            "",
            configurations![
                Small "n2" => Unpack::<U<3>, 2>::new(U::new(0)),
                Large "n8" => Unpack::<U<40>, 8>::new(U::new(0)),
            ],
        ),
        entry(
            "prim/counter_bank",
            "32 counters of things in execution",
            "",
            configurations![
                Small "n1_w2" => CounterBank::new(1, 2, 6),
                Paper "n13_w11" => CounterBank::new(13, 11, 6),
                Large "n32_w11" => CounterBank::new(32, 11, 6),
                Wide "n132_w14" => CounterBank::new(132, 14, 8),
            ],
        ),
        entry(
            "prim/tally_bank",
            "32 counters of things of which many begin at once",
            "",
            configurations![
                Small "n1_w2" => TallyBank::new(1, 2),
                Paper "n15_w11" => TallyBank::new(15, 11),
                Large "n32_w11" => TallyBank::new(32, 11),
                Wide "n132_w14" => TallyBank::new(132, 14),
            ],
        ),
        entry(
            "prim/flag_file",
            "flags of the words of a memory",
            "",
            configurations![
                Small "a1_n1_words1" => FlagFile::<1>::new(1, 1),
                Small "a3_n2_words4" => FlagFile::<3>::new(4, 2),
                Paper "a11_n13_words1024" => FlagFile::<11>::new(1024, 13),
            ],
        ),
        entry(
            "prim/claim_arbiter",
            "one claimant for each of several things",
            "",
            configurations![
                Small "n1" => ClaimArbiter::new(1),
                Small "n3" => ClaimArbiter::new(3),
                Paper "n15" => ClaimArbiter::new(15),
                Large "n32" => ClaimArbiter::new(32),
                Large "n33" => ClaimArbiter::new(33),
                Large "n132" => ClaimArbiter::new(132),
            ],
        ),
        entry(
            "prim/residents",
            "resident blocks of each SMX, against a limit",
            "",
            configurations![
                Small "n1" => Residents::new(1),
                Small "n4" => Residents::new(4),
                Paper "n14" => Residents::new(14),
                Large "n32" => Residents::new(32),
                Large "n132" => Residents::new(132),
            ],
        ),
        entry(
            "prim/rotation",
            "each word one place down",
            "",
            configurations![
                Small "w8_n1" => Rotation::new(U::<8>::new(0), 1),
                Small "w8_n3" => Rotation::new(U::<8>::new(0), 3),
                Paper "block_id_n15" => Rotation::new(BlockId::default(), 15),
            ],
        ),
        entry(
            "prim/crossbar",
            "any word to any place",
            "",
            configurations![
                Small "w8_i1_o1" => Crossbar::of(U::<8>::new(0), 1, 1),
                Small "w8_i5_o3" => Crossbar::of(U::<8>::new(0), 5, 3),
                Paper "block_id_i14_o14" => Crossbar::of(BlockId::default(), 14, 14),
                Large "block_id_i32_o32" => Crossbar::of(BlockId::default(), 32, 32),
                Large "w8_i132_o1" => Crossbar::of(U::<8>::new(0), 132, 1),
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
                Large "by65" => ConstantDivider::new(65),
                Large "by132" => ConstantDivider::new(132),
                Large "by256" => ConstantDivider::new(256),
            ],
        ),
        entry(
            "prim/bit_planes",
            "each bit of many numbers as a word",
            "",
            configurations![
                Small "n1" => BitPlanes::new(1),
                Small "n3" => BitPlanes::new(3),
                Large "n132" => BitPlanes::new(132),
            ],
        ),
        entry(
            "prim/quotient",
            "how often one number is contained in another, at most 63 times",
            "",
            configurations![
                Small "w4" => Quotient::new(4),
                Paper "w18" => Quotient::new(18),
            ],
        ),
        entry(
            "prim/enough",
            "whether enough of some bits are up",
            "",
            configurations![
                Small "w1" => Enough::new(1, 0..1),
                Small "w5_from2" => Enough::new(5, 2..5),
                Large "w132" => Enough::new(132, 64..80),
            ],
        ),
        entry(
            "prim/enough_in_all",
            "whether some counts are enough in all",
            "",
            configurations![
                Small "w1" => EnoughInAll::new(&[1]),
                Small "w2_3" => EnoughInAll::new(&[2, 3]),
                Large "w60_18_54" => EnoughInAll::new(&[60, 18, 54]),
            ],
        ),
    ]
}
