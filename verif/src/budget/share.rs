//! Which part of the machine's storage a scheduler takes, counted as each paper counts.

use super::row::{Bytes, Module, Row, Total};
use super::Machine;
use serde::Serialize;

/// A part of the machine's storage.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Share {
    /// Whose way of counting: `LaPerm`, `DTBL`, `IKRA`.
    pub way: &'static str,
    /// What of the scheduler is counted.
    pub of: &'static str,
    /// Its bytes.
    pub bytes: f64,
    /// Of what of the machine.
    pub base: &'static str,
    /// The base's bytes.
    pub base_bytes: u64,
    /// The part in percent.
    pub percent: f64,
    /// What the paper states, for its own machine.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub paper: &'static str,
}

/// What LaPerm counts.
pub const PRIORITY_QUEUE: &str = "on-chip priority queue of an SMX";
/// What DTBL counts.
pub const GROUPS: &str = "aggregated group table";
/// What IKRA counts.
pub const STEAL_QUEUE: &str = "steal queue of a CU";
/// What is counted in DTBL's way for every scheduler.
pub const WHOLE: &str = "the whole scheduler";

/// The three ways: what each paper counts, where this scheduler has it, and the whole scheduler.
pub fn shares(
    machine: &Machine,
    modules: &[Module],
    rows: &[Row],
    total: Total,
    of_each_smx: Total,
) -> Vec<Share> {
    let smx = machine.smx as u64;
    let bits = |end: &str| -> u64 {
        let modules = modules.iter().filter(|module| module.path.ends_with(end));
        let rows = rows.iter().filter(|row| row.path.ends_with(end));
        modules.map(|module| module.bits).chain(rows.map(|row| row.bits)).sum()
    };
    let each = |bits: u64| bits as f64 / 8.0 / smx as f64;
    let register_file_and_shared = machine.register_file + machine.shared_memory;
    let cu = register_file_and_shared + machine.l1 + machine.l2_bank;
    let share = |way, of, bytes: f64, (base, base_bytes): (_, u64), paper| Share {
        way,
        of,
        bytes,
        base,
        base_bytes,
        percent: 100.0 * bytes / base_bytes as f64,
        paper,
    };
    let laperm = ("register file and shared memory of an SMX", register_file_and_shared);
    let dtbl = ("register files and shared memory of all SMXs", smx * register_file_and_shared);
    let ikra = ("register file, scratchpad, L1 and local L2 bank of a CU", cu);
    let mut shares = Vec::new();
    let queues = bits("slice[*].queue");
    if queues > 0 {
        let paper = "about 1 %: 3 KB of 288 KB";
        shares.push(share("LaPerm", PRIORITY_QUEUE, each(queues), laperm, paper));
    }
    shares.push(share("LaPerm", "what is an SMX's own", each(of_each_smx.bits), laperm, ""));
    let table = bits("dispatcher.groups");
    if table > 0 {
        let bytes = table as f64 / 8.0;
        shares.push(share("DTBL", GROUPS, bytes, dtbl, "about 0.5 %: 20 KB of 3,952 KB"));
    }
    let whole = total.bits as f64 / 8.0;
    shares.push(share("DTBL", WHOLE, whole, dtbl, ""));
    let steals = bits("units[*].queue.queue[*]");
    if steals > 0 {
        let paper = "less than 0.05 %: 252 bytes of 528 KB";
        shares.push(share("IKRA", STEAL_QUEUE, each(steals), ikra, paper));
    }
    shares.push(share("IKRA", "what is a CU's own", each(of_each_smx.bits), ikra, ""));
    shares
}

impl Share {
    /// The bytes to three decimals, without zeros at the end.
    pub fn shown_bytes(&self) -> String {
        let bits = self.bytes * 8.0;
        if bits.fract() == 0.0 {
            Bytes(bits as u64).to_string()
        } else {
            format!("{:.1}", self.bytes)
        }
    }
}
