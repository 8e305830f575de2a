//! The figures on a page of text: a label, then values in columns.

use std::fmt::Write;

use super::{
    CoherenceStats, DramStats, EnergyStats, ExecutionStats, FootprintStats, IntervalStats,
    LaunchStats, LocalityStats, PartitionStats, RelativeHitStats, SmxExecutionStats, SmxStats,
    Stats,
};

/// What a rate without accesses shows.
const NOTHING: &str = "-";

/// Columns that labels take.
const LABEL: usize = 22;

/// Columns that a value takes.
const VALUE: usize = 13;

/// The whole page.
pub(super) fn page(stats: &Stats) -> String {
    let mut page = Page::default();
    let finished = stats.kernels.iter().filter(|kernel| kernel.finish.is_some()).count();
    page.title("run", &[]);
    page.row("cycles", &[count(stats.cycles)]);
    if let Some(cycle) = stats.cut_off {
        page.row("cut off at cycle", &[count(cycle)]);
    }
    page.row("kernels", &[count(finished as u64)]);
    page.row("thread blocks", &[count(stats.smx.iter().map(|smx| smx.thread_blocks).sum())]);
    if let Some(cancelled) =
        stats.kernels.iter().filter_map(|kernel| kernel.cancelled).reduce(|a, b| a + b)
    {
        page.row("cancelled blocks", &[count(cancelled)]);
    }
    if let Some(execution) = &stats.execution {
        instructions(&mut page, execution);
    }
    each_smx(&mut page, stats);
    if let Some(stats) = &stats.partitions {
        partitions(&mut page, stats);
    }
    if let Some(stats) = &stats.launches {
        launches(&mut page, stats);
    }
    if let Some(stats) = &stats.footprint {
        footprint(&mut page, stats);
    }
    if let Some(stats) = &stats.intervals {
        intervals(&mut page, stats);
    }
    if let Some(execution) = &stats.execution {
        caches(&mut page, execution);
        network(&mut page, execution);
        if let Some(stats) = &execution.locality {
            locality(&mut page, stats);
        }
        if let Some(stats) = &execution.coherence {
            coherence(&mut page, stats);
        }
        dram(&mut page, &execution.dram);
        energy(&mut page, &execution.energy_nj);
    }
    page.text
}

fn partitions(page: &mut Page, stats: &[PartitionStats]) {
    page.title("partitions", &["kernels", "blocks", "turnaround", "longest"]);
    for (at, partition) in stats.iter().enumerate() {
        let PartitionStats { smx, kernels, thread_blocks, .. } = partition;
        let average = optional(partition.average_turnaround);
        let longest = partition.longest_turnaround.map_or(NOTHING.to_owned(), count);
        let label = format!("{at}: {smx} SMXs");
        page.row(&label, &[count(*kernels), count(*thread_blocks), average, longest]);
    }
}

fn instructions(page: &mut Page, execution: &ExecutionStats) {
    let activity = &execution.activity;
    page.row("warp instructions", &[count(execution.warp_instructions)]);
    page.row("thread instructions", &[count(execution.thread_instructions)]);
    page.row("IPC", &[number(execution.ipc)]);
    page.row("warp activity", &[percent(activity.warp_activity)]);
    page.row("warp occupancy", &[percent(activity.warp_occupancy)]);
    page.row("block occupancy", &[percent(activity.block_occupancy)]);
    if let Some(cycles) = activity.paused_block_cycles {
        page.row("paused block cycles", &[count(cycles)]);
    }
}

fn each_smx(page: &mut Page, stats: &Stats) {
    page.title("each SMX", &["min", "average", "max"]);
    let mut spread = |label: &str, values: Vec<u64>| {
        let (Some(&least), Some(&most)) = (values.iter().min(), values.iter().max()) else {
            return;
        };
        let average = values.iter().sum::<u64>() as f64 / values.len() as f64;
        page.row(label, &[count(least), number(average), count(most)]);
    };
    let of = |value: fn(&SmxStats) -> u64| stats.smx.iter().map(value).collect::<Vec<_>>();
    spread("thread blocks", of(|smx| smx.thread_blocks));
    spread("busy cycles", of(|smx| smx.busy_cycles));
    spread("idle cycles", of(|smx| smx.idle_cycles));
    let executed: Vec<_> = stats.smx.iter().filter_map(|smx| smx.execution.as_ref()).collect();
    let of = |value: fn(&SmxExecutionStats) -> u64| {
        executed.iter().map(|smx| value(smx)).collect::<Vec<_>>()
    };
    spread("issue cycles", of(|smx| smx.activity.issue_cycles));
    spread("memory stalls", of(|smx| smx.activity.memory_stall_cycles));
    spread("scoreboard stalls", of(|smx| smx.activity.scoreboard_stall_cycles));
    spread("pipeline stalls", of(|smx| smx.activity.pipeline_stall_cycles));
    spread("warp instructions", of(|smx| smx.warp_instructions));
}

fn launches(page: &mut Page, stats: &LaunchStats) {
    page.title("launches from blocks", &[]);
    page.row("device kernels", &[count(stats.device_kernels)]);
    page.row("groups", &[count(stats.groups)]);
    page.row("  coalesced", &[count(stats.coalesced)]);
    page.row("  on chip", &[count(stats.on_chip)]);
    page.row("  in memory", &[count(stats.overflows)]);
    page.row("  fallen back", &[count(stats.fallbacks)]);
    page.row("spilled", &[count(stats.spills)]);
    page.row("refilled", &[count(stats.refills)]);
    page.row("match rate", &[percent(stats.match_rate)]);
    page.row("threads a launch", &[optional(stats.average_threads)]);
    page.row("child blocks", &[count(stats.child_blocks)]);
    page.row("  on parent's SMX", &[count(stats.on_parent_smx)]);
    page.row("  outside cluster", &[count(stats.outside_cluster)]);
    page.row("kernels at once", &[number(stats.executing_kernels)]);
    page.row("average wait", &[optional(stats.average_wait)]);
    page.row("pending bytes, peak", &[count(stats.pending_bytes_peak)]);
    page.row("pending bytes, mean", &[number(stats.pending_bytes_average)]);
}

fn footprint(page: &mut Page, stats: &FootprintStats) {
    page.title("shared footprint", &["blocks", "average"]);
    let rows = [
        ("parent and children", stats.parents, stats.parent_child),
        ("child and siblings", stats.children, stats.child_sibling),
        ("parent and parents", stats.parent_blocks, stats.parent_parents),
    ];
    for (label, blocks, ratio) in rows {
        page.row(label, &[count(blocks), percent(ratio)]);
    }
    page.title("L1 loads of children", &["all", "own hits", "parent's", "sibling's", "others'"]);
    let RelativeHitStats { loads, own_hits, parent_hits, sibling_hits, other_hits } = stats.l1;
    page.row(
        "by who brought",
        &[loads, own_hits, parent_hits, sibling_hits, other_hits].map(count),
    );
}

fn intervals(page: &mut Page, stats: &IntervalStats) {
    page.title("served by DRAM", &[]);
    page.row("for SMXs", &[count(stats.services)]);
    page.row("  behind own", &[percent(stats.behind_own_rate)]);
    page.row("cycles of an interval", &[count(stats.length)]);
    page.row("  most by fewest", &[optional(stats.spread)]);
}

fn caches(page: &mut Page, execution: &ExecutionStats) {
    let ExecutionStats { fetch, l1, l2, load_store, .. } = execution;
    page.title("caches", &["accesses", "hits", "misses", "merged", "hit rate"]);
    let mut row = |label: &str, [accesses, hits, misses]: [u64; 3], merged, rate| {
        let [accesses, hits, misses] = [accesses, hits, misses].map(count);
        page.row(label, &[accesses, hits, misses, merged, percent(rate)]);
    };
    let none = NOTHING.to_owned();
    row("instructions", [fetch.accesses, fetch.hits, fetch.misses], none, fetch.hit_rate);
    row("L1 loads", [l1.accesses, l1.hits, l1.misses], count(l1.merged), l1.hit_rate);
    for (label, cache) in
        [("constants", &execution.constant_cache), ("textures", &execution.texture_cache)]
    {
        if let Some(cache) = cache {
            let counts = [cache.accesses, cache.hits, cache.misses];
            row(label, counts, count(cache.merged), cache.hit_rate);
        }
    }
    row("L2 sectors", [l2.accesses, l2.hits, l2.misses], count(l2.merged), l2.hit_rate);
    page.row("L1 stores", &[count(l1.stores)]);
    page.row("L1 write-backs", &[count(l1.write_backs)]);
    page.row("past the L1", &[count(load_store.past_l1)]);
    page.row("shared memory", &[count(load_store.shared)]);
    page.row("bank conflicts", &[count(load_store.bank_conflicts)]);
    page.row("constant memory", &[count(load_store.constant)]);
    page.row("load/store stalls", &[count(load_store.stall_cycles)]);
}

fn network(page: &mut Page, execution: &ExecutionStats) {
    let traffic = &execution.traffic;
    page.title("network", &["read", "write", "write-back", "reply", "forward", "flit-hops"]);
    let kinds = [
        traffic.read_flits,
        traffic.write_flits,
        traffic.write_back_flits,
        traffic.reply_flits,
        traffic.forward_flits,
        traffic.flit_hops,
    ];
    page.row("flits", &kinds.map(count));
}

fn locality(page: &mut Page, stats: &LocalityStats) {
    page.title("domains of memory", &["requests", "bytes"]);
    page.row("local", &[stats.local_requests, stats.local_bytes].map(count));
    page.row("remote", &[stats.remote_requests, stats.remote_bytes].map(count));
    page.row("remote share", &[percent(stats.remote_rate)]);
    for (domain, pages) in stats.pages.iter().flatten().enumerate() {
        page.row(&format!("pages in {domain}"), &[count(*pages)]);
    }
}

fn coherence(page: &mut Page, stats: &CoherenceStats) {
    page.title("coherence", &[]);
    page.row("remote L1 hits", &[count(stats.remote_hits)]);
    page.row("bounced loads", &[count(stats.bounced_loads)]);
    page.row("ownership requests", &[count(stats.ownership_requests)]);
    page.row("transfers", &[count(stats.transfers)]);
    page.row("give-ups", &[count(stats.give_ups)]);
    page.row("self-invalidations", &[count(stats.self_invalidations)]);
}

fn dram(page: &mut Page, dram: &DramStats) {
    page.title("DRAM", &["reads", "writes", "activates", "precharges"]);
    let commands = [dram.reads, dram.writes, dram.activates, dram.precharges];
    page.row("commands", &commands.map(count));
    page.row("row-hit rate", &[percent(dram.row_hit_rate)]);
    page.row("efficiency", &[optional(dram.efficiency)]);
    page.row("bus utilization", &[percent(dram.bus_utilization)]);
    page.row("bytes a cycle", &[optional(dram.bytes_per_cycle)]);
}

fn energy(page: &mut Page, energy: &EnergyStats) {
    page.title("dynamic energy", &["nJ", "share"]);
    let components = [
        ("core", energy.core()),
        ("  instructions", energy.instructions),
        ("  pipeline", energy.pipeline),
        ("  registers", energy.registers),
        ("  units", energy.units),
        ("  constant memory", energy.constant),
        ("shared memory", energy.shared_memory),
        ("L1", energy.l1),
        ("L2", energy.l2),
        ("network", energy.network),
        ("DRAM", energy.dram()),
        ("total", energy.total),
    ];
    for (label, value) in components {
        let share = (energy.total > 0.0).then(|| value / energy.total);
        page.row(label, &[number(value), percent(share)]);
    }
}

fn count(value: u64) -> String {
    value.to_string()
}

fn number(value: f64) -> String {
    format!("{value:.3}")
}

fn optional(value: Option<f64>) -> String {
    value.map_or(NOTHING.to_owned(), number)
}

fn percent(rate: Option<f64>) -> String {
    rate.map_or(NOTHING.to_owned(), |rate| format!("{:.1} %", 100.0 * rate))
}

/// The text so far.
#[derive(Default)]
struct Page {
    text: String,
}

impl Page {
    /// A heading with those of its columns, after an empty line.
    fn title(&mut self, title: &str, columns: &[&str]) {
        if !self.text.is_empty() {
            self.text.push('\n');
        }
        self.line(title, columns);
    }

    fn row(&mut self, label: &str, values: &[String]) {
        self.line(&format!("  {label}"), values);
    }

    fn line(&mut self, label: &str, values: &[impl AsRef<str>]) {
        let mut line = format!("{label:<LABEL$}");
        for value in values {
            // Wide values push the line out rather than run together.
            write!(line, " {:>VALUE$}", value.as_ref()).expect("a string takes everything");
        }
        self.text.push_str(line.trim_end());
        self.text.push('\n');
    }
}
