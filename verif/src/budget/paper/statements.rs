//! The statements themselves, one for each number, in the order of the papers.

use super::super::Machine;
use super::Facts;
use blockyard_sim::port::LaunchMode;

/// What a paper states of a part of the hardware.
pub(super) struct Statement {
    /// Of what.
    pub what: &'static str,
    /// Paper and section.
    pub paper: &'static str,
    /// What it says.
    pub states: &'static str,
    /// It is said where all of these rows or modules are, by the ends of their paths.
    pub when: &'static [&'static str],
    /// And only on such a machine.
    pub under: fn(&Machine) -> bool,
    /// What stands for it here.
    pub ours: &'static [Part],
    /// Bits that it states for the whole GPU, for tables as large as ours.
    pub bits: fn(&Facts) -> Option<u64>,
    /// Registers that it counts without a width.
    pub registers: fn(&Facts) -> Option<u64>,
    /// Why ours is not the same.
    pub why: &'static str,
}

/// A row or module by the end of its path, or some bits of each of its words.
pub(super) struct Part {
    pub end: &'static str,
    pub of_each_word: Option<u64>,
}

const fn all(end: &'static str) -> Part {
    Part { end, of_each_word: None }
}

/// Entries of LaPerm's queues on chip, which a shifting one has in two banks.
fn queue_entries(facts: &Facts) -> u64 {
    ["", ".even", ".odd"]
        .iter()
        .map(|bank| facts.words(&format!("slice[*].queue.memory{bank}")))
        .sum()
}

/// Why a steal queue takes more.
const TWICE: &str =
    "twice: both ends are read in a cycle, each from an SRAM with one read port; and what is fetched ahead";

/// A grid's or block's coordinates: 31, 16 and 16 bits.
const DIM3: u64 = 63;

/// What most statements have in common.
const PLAIN: Statement = Statement {
    what: "",
    paper: "",
    states: "",
    when: &[],
    under: |_| true,
    ours: &[],
    bits: |_| None,
    registers: |_| None,
    why: "",
};

const LAPERM: &str = "LaPerm, section IV-E";
const DTBL: &str = "DTBL, section 4.3";
const CLASO: &str = "CLASO, section 3.3";

const CREDIT_WIDTH: &str =
    "the paper counts registers and states no width; bytes are for ours, 32 bits";

pub(super) const STATEMENTS: &[Statement] = &[
    Statement {
        what: "on-chip priority queues",
        paper: LAPERM,
        states: "24 bytes an entry; 128 entries, 3 KB an SMX; 32 entries under CDP",
        when: &["slice[*].queue.memory", "slice[*].queue"],
        ours: &[all("slice[*].queue")],
        bits: |facts| Some(queue_entries(facts) * 24 * 8),
        why: "an entry has 100 bits, because PC and block configuration are those of its kernel, which 5 bits name, and the next block is kept once a level; what orders the entries is added",
        ..PLAIN
    },
    Statement {
        what: "entries of the priority queues",
        paper: LAPERM,
        states: "24 bytes an entry",
        when: &["slice[*].queue.memory"],
        ours: &[all("slice[*].queue.memory")],
        bits: |facts| Some(queue_entries(facts) * 24 * 8),
        why: "100 bits: PC and block configuration are those of the kernel, the next block is kept once a level; what is fetched ahead is added, linked two words and a bit of registers, shifting (laperm.queue=shifting) five words and 16 bits for two banks",
        ..PLAIN
    },
    Statement {
        what: "index pointers of the levels",
        paper: LAPERM,
        states: "L - 1 index pointers a queue, of no stated width",
        when: &["slice[*].queue.upto[*]"],
        ours: &[all("slice[*].queue.upto[*]")],
        why: "L registers of 12 bits: the last one holds the number of entries in use",
        ..PLAIN
    },
    Statement {
        what: "index pointers of the levels",
        paper: LAPERM,
        states: "L - 1 index pointers a queue, of no stated width",
        when: &["slice[*].queue.links", "slice[*].queue.firsts", "slice[*].queue.lasts"],
        ours: &[all("slice[*].queue.firsts"), all("slice[*].queue.lasts")],
        why: "levels are linked lists, so that nothing shifts: a first and a last entry of each (laperm.queue=shifting has the paper's pointers)",
        ..PLAIN
    },
    Statement {
        what: "queues in memory",
        paper: LAPERM,
        states: "flexible size, allocated during the run",
        when: &["slice[*].overflow"],
        ours: &[all("slice[*].overflow")],
        why: "what finds them in memory and counts what is on its way is on chip",
        ..PLAIN
    },
    Statement {
        what: "queue 0, shared",
        paper: LAPERM,
        states: "768 bytes: 32 entries of 24 bytes",
        when: &["slice[*].queue", "dispatcher.zero"],
        ours: &[all("dispatcher.zero")],
        bits: |_| Some(768 * 8),
        why: "the entries are those of the Kernel Distributor, which holds the kernels anyway; only their order is stored",
        ..PLAIN
    },
    Statement {
        what: "aggregated group table, under LaPerm",
        paper: LAPERM,
        states: "DTBL's tables are reused for the priority queues",
        when: &["slice[*].queue", "dispatcher.zero"],
        under: |machine| machine.launch == LaunchMode::Dtbl,
        bits: |facts| Some(u64::from(facts.machine.table) * 20 * 8),
        why: "the priority queues take the place of DTBL's table (20 bytes an entry, 20 KB with 1,024)",
        ..PLAIN
    },
    Statement {
        what: "aggregated group table",
        paper: DTBL,
        states: "20 bytes an entry; 20 KB with 1,024",
        when: &["dispatcher.groups", "groups.grids"],
        ours: &[all("dispatcher.groups")],
        bits: |facts| Some(facts.words("groups.grids") * 20 * 8),
        why: "20 bytes an entry, a flag that blocks of it were counted, and registers for the words that are fetched ahead",
        ..PLAIN
    },
    Statement {
        what: "AggDim",
        paper: "DTBL, figure 4",
        states: "8 of the 20 bytes of an entry",
        when: &["groups.grids"],
        ours: &[all("groups.grids")],
        bits: |facts| Some(facts.words("groups.grids") * 64),
        why: "63 bits hold three dimensions; the 64th is the entry's `used`; two words and a bit are registers, fetched ahead",
        ..PLAIN
    },
    Statement {
        what: "Param",
        paper: "DTBL, figure 4",
        states: "4 of the 20 bytes of an entry",
        when: &["groups.parameters"],
        ours: &[all("groups.parameters")],
        bits: |facts| Some(facts.words("groups.parameters") * 32),
        ..PLAIN
    },
    Statement {
        what: "Next",
        paper: "DTBL, figure 4",
        states: "4 of the 20 bytes of an entry",
        when: &["groups.nexts"],
        ours: &[all("groups.nexts")],
        bits: |facts| Some(facts.words("groups.nexts") * 32),
        why: "the same; two words and a bit are registers, fetched ahead",
        ..PLAIN
    },
    Statement {
        what: "ExeBL",
        paper: "DTBL, figure 4",
        states: "4 of the 20 bytes of an entry",
        when: &["groups.totals", "groups.counts"],
        ours: &[all("groups.totals"), all("groups.counts"), all("groups.begun")],
        bits: |facts| Some(facts.words("groups.counts") * 32),
        why: "two counts of 16 bits, of blocks that were dispatched and counted, so that an SRAM with two ports does; a flag; two words and a bit of each are registers, fetched ahead",
        ..PLAIN
    },
    Statement {
        what: "NAGEI and LAGEI",
        paper: DTBL,
        states: "part of the 1,096 bytes: 32 entries x (4 + 4 bytes)",
        when: &["dispatcher.lists"],
        ours: &[all("dispatcher.lists")],
        bits: |_| Some(32 * 64),
        ..PLAIN
    },
    Statement {
        what: "FCFS controller's flags",
        paper: DTBL,
        states: "part of the 1,096 bytes: 32 bits",
        when: &["fcfs.firsts"],
        ours: &[all("fcfs.firsts")],
        bits: |_| Some(32),
        ..PLAIN
    },
    Statement {
        what: "SSCR's AGEI",
        paper: DTBL,
        states: "part of the 1,096 bytes: 4 bytes",
        when: &["dispatcher.group_order"],
        bits: |_| Some(32),
        why: "the group that is distributed is the one at NAGEI of the head, so it is not stored twice",
        ..PLAIN
    },
    Statement {
        what: "TBCR's AGEI",
        paper: DTBL,
        states: "part of the 1,096 bytes: 4 bytes a thread-block slot",
        when: &["blocks.smx[*].rest"],
        ours: &[Part { end: "blocks.smx[*].rest", of_each_word: Some(32) }],
        bits: |facts| Some(facts.slots() * 32),
        why: "the same where the slots of an SMX are a power of two; else memories are rounded up to one",
        ..PLAIN
    },
    Statement {
        what: "all new fields but the table",
        paper: DTBL,
        states: "1,096 bytes with 13 SMXs of 16 slots",
        when: &["dispatcher.lists", "fcfs.firsts", "blocks.smx[*].rest"],
        ours: &[
            all("dispatcher.lists"),
            all("fcfs.firsts"),
            Part { end: "blocks.smx[*].rest", of_each_word: Some(32) },
        ],
        bits: |facts| Some(32 * 64 + 32 + 32 + facts.slots() * 32),
        why: "no SSCR.AGEI, 4 bytes",
        ..PLAIN
    },
    Statement {
        what: "local credits",
        paper: CLASO,
        states: "N_kernels x n_core of the N_kernels x (n_core + 1) registers, with 32 kernels",
        when: &["core[*].local_credits"],
        ours: &[all("core[*].local_credits")],
        bits: |facts| Some(32 * facts.smx() * 32),
        registers: |facts| Some(32 * facts.smx()),
        why: CREDIT_WIDTH,
        ..PLAIN
    },
    Statement {
        what: "global credits",
        paper: CLASO,
        states: "N_kernels of the N_kernels x (n_core + 1) registers, with 32 kernels",
        when: &["shared.global_credits"],
        ours: &[all("shared.global_credits")],
        bits: |_| Some(32 * 32),
        registers: |_| Some(32),
        why: CREDIT_WIDTH,
        ..PLAIN
    },
    Statement {
        what: "all credits",
        paper: CLASO,
        states: "N_kernels x (n_core + 1) registers, with 32 kernels",
        when: &["core[*].local_credits", "shared.global_credits"],
        ours: &[all("core[*].local_credits"), all("shared.global_credits")],
        bits: |facts| Some(32 * (facts.smx() + 1) * 32),
        registers: |facts| Some(32 * (facts.smx() + 1)),
        why: CREDIT_WIDTH,
        ..PLAIN
    },
    Statement {
        what: "chunk entry: start",
        paper: "IKRA, section 4.1",
        states: "a dim3 of 63 bits a CU",
        when: &["chunk.entry.entry[*].start"],
        ours: &[all("chunk.entry.entry[*].start")],
        bits: |facts| Some(facts.smx() * DIM3),
        ..PLAIN
    },
    Statement {
        what: "chunk entry: end",
        paper: "IKRA, section 4.1",
        states: "a dim3 of 63 bits a CU",
        when: &["chunk.entry.entry[*].last_block"],
        ours: &[all("chunk.entry.entry[*].last_block")],
        bits: |facts| Some(facts.smx() * DIM3),
        ..PLAIN
    },
    Statement {
        what: "chunk entry: direction",
        paper: "IKRA, section 4.3",
        states: "a bit a CU",
        when: &["chunk.entry.entry[*].onward"],
        ours: &[all("chunk.entry.entry[*].onward")],
        bits: |facts| Some(facts.smx()),
        ..PLAIN
    },
    Statement {
        what: "chunk entry: current block",
        paper: "IKRA, section 4.4",
        states: "a register for the id of the current block a CU, for Steal",
        when: &["chunk.entry.entry[*].current"],
        ours: &[all("chunk.entry.entry[*].current")],
        bits: |facts| Some(facts.smx() * DIM3),
        why: "the same; here all four schedulers have it, so that Reset and Flip keep the bounds of a grid that comes again",
        ..PLAIN
    },
    Statement {
        what: "last CU",
        paper: "IKRA, section 4.1",
        states: "a global register, for Chunk; of no stated width",
        when: &["last.kept"],
        ours: &[all("last.kept")],
        why: "5 bits name one of 32 SMXs",
        ..PLAIN
    },
    Statement {
        what: "steal queue",
        paper: "IKRA, section 4.4",
        states: "63 bits an entry; 32 entries, 2,016 bits or 252 bytes a CU",
        when: &["units[*].queue.queue[*].low"],
        ours: &[all("units[*].queue.queue[*].low"), all("units[*].queue.queue[*].high")],
        bits: |facts| Some(facts.words("units[*].queue.queue[*].low") * DIM3),
        why: TWICE,
        ..PLAIN
    },
    Statement {
        what: "steal queue: head and tail",
        paper: "IKRA, section 4.4",
        states: "a head and a tail a CU, of no stated width",
        when: &["units[*].queue.queue[*].bottom", "units[*].queue.queue[*].held", "units[*].queue.queue[*].ran"],
        ours: &[
            all("units[*].queue.queue[*].bottom"),
            all("units[*].queue.queue[*].held"),
            all("units[*].queue.queue[*].ran"),
        ],
        why: "a place and two counts, of what is held and of what of it has run",
        ..PLAIN
    },
    Statement {
        what: "chunk entry of a nesting level",
        paper: "IKRA, section 8",
        states: "a chunk entry for each level of nested parallelism",
        when: &["homes[*].chunk.start"],
        ours: &[
            all("homes[*].chunk.start"),
            all("homes[*].chunk.last_block"),
            all("homes[*].chunk.onward"),
        ],
        bits: |facts| {
            let entries = facts.rows("homes[*].chunk.start").map(|row| row.instances as u64);
            Some(entries.sum::<u64>() * (2 * DIM3 + 1))
        },
        ..PLAIN
    },
    Statement {
        what: "steal queue of a nesting level",
        paper: "IKRA, section 8",
        states: "a steal queue for each level of nested parallelism; of 32 x 63 bits as in section 4.4",
        when: &["queues[*].queue.low"],
        ours: &[all("queues[*].queue.low"), all("queues[*].queue.high")],
        bits: |facts| Some(facts.words("queues[*].queue.low") * DIM3),
        why: TWICE,
        ..PLAIN
    },
    Statement {
        what: "order of chunk and queue",
        paper: "IKRA, section 4.4",
        states: "an additional direction bit a CU",
        when: &["units[*].queue.first[*]"],
        ours: &[all("units[*].queue.first[*]")],
        bits: |facts| Some(facts.smx()),
        ..PLAIN
    },
    Statement {
        what: "reinitialisation flag",
        paper: "IKRA, section 4.4",
        states: "a flag",
        when: &["units[*].queue.queue[*].low", "former.anew"],
        ours: &[all("former.anew")],
        bits: |_| Some(1),
        ..PLAIN
    },
];
