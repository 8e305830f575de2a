//! The files of a kit.

use super::assertions;
use super::closed_loop::ClosedLoop;
use super::constraints;
use super::names::without_dollars;
use super::ports::{self, KitPort};
use super::wrapper::{CORE, WRAPPER};
use super::{package, recording, wrapper, KitError, KitSpec};
use crate::engine::rtl_module;
use crate::export::{self, properties::Whose};
use crate::regress::StopFlag;
use crate::replay::{Direction, PortTrace};
use serde::Serialize;
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// Files that are the same in every kit, by their names in it.
const FIXED: [(&str, &str); 6] = [
    ("README.md", include_str!("files/README.md")),
    ("blockyard.f", include_str!("files/blockyard.f")),
    ("synth/blockyard.ys", include_str!("files/blockyard.ys")),
    ("cocotb/Makefile", include_str!("files/Makefile")),
    ("cocotb/blockyard_bench.py", include_str!("files/blockyard_bench.py")),
    ("cocotb/test_blockyard.py", include_str!("files/test_blockyard.py")),
];

/// The map of the ports, as JSON.
#[derive(Serialize)]
struct PortMap<'a> {
    /// What this is, and of which version: fields may be added to a version, none changes.
    schema: &'static str,
    version: u32,
    scheduler: String,
    about: &'a str,
    top: &'static str,
    core: &'static str,
    wrapper: &'static str,
    package: &'static str,
    clock: Clock,
    reset: Reset,
    smx: Smx,
    ports: &'a [KitPort],
}

#[derive(Serialize)]
struct Clock {
    name: &'static str,
    edge: &'static str,
}

#[derive(Serialize)]
struct Reset {
    name: &'static str,
    active: &'static str,
    kind: &'static str,
}

/// How many SMXs there are, and what each holds.
#[derive(Serialize)]
struct Smx {
    count: usize,
    threads: u32,
    registers: u32,
    shared_memory: u32,
    thread_block_slots: u32,
}

/// The kernels of the closed loop, as JSON.
#[derive(Serialize)]
struct Plan {
    schema: &'static str,
    version: u32,
    kernels: Vec<PlannedKernel>,
}

#[derive(Serialize)]
struct PlannedKernel {
    /// Cycles from a block's dispatch to its end.
    duration: u64,
    grid: [u32; 3],
    /// What a block takes of its SMX.
    threads: u32,
    registers: u32,
    shared_memory: u32,
    /// The ports of the wrapper while it is offered.
    offer: Map<String, Value>,
}

/// The name of the exported module.
const TOP: &str = "blockyard_top";

/// The files of a kit by their names in it, with `/` between folders; the recording of traffic is
/// not whole once `stop` is raised.
///
/// # Errors
/// When there is no such hardware, it cannot be exported, or its run in lockstep fails.
pub fn files(spec: &KitSpec, stop: &StopFlag) -> Result<BTreeMap<String, String>, KitError> {
    let KitSpec { composition, launch, storage, plan, limits, about, .. } = spec;
    let module = rtl_module(composition, *launch, *storage, plan.clone(), *limits)?;
    let verilog = export::with_properties(module.as_module(), CORE, Whose::All)?.0;
    let verilog = assertions::sampled(&without_dollars(&verilog)?);
    let ports = ports::of(module.as_module());
    let recordings = recording::record(spec, stop)?;
    let map = PortMap {
        schema: "blockyard-ports",
        version: 1,
        scheduler: composition.to_string(),
        about,
        top: TOP,
        core: CORE,
        wrapper: WRAPPER,
        package: package::PACKAGE,
        clock: Clock { name: "clock", edge: "rising" },
        reset: Reset { name: "reset", active: "high", kind: "synchronous" },
        smx: Smx {
            count: plan.smx(),
            threads: limits.threads,
            registers: limits.registers,
            shared_memory: limits.shared_memory,
            thread_block_slots: limits.thread_block_slots,
        },
        ports: &ports,
    };
    let head = format!("// {composition} for {about}\n");
    let mut files: BTreeMap<String, String> =
        FIXED.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect();
    let core = include_str!("files/blockyard.core").replace("SCHEDULER", &composition.to_string());
    let made = [
        ("ports.json", json(&map)),
        ("blockyard.core", core.replace("ABOUT", about)),
        ("rtl/blockyard_core.sv", format!("{head}\n{verilog}")),
        ("rtl/blockyard_pkg.sv", format!("{head}\n{}", package::text(&ports))),
        ("rtl/blockyard.sv", format!("{head}\n{}", wrapper::text(&ports))),
        ("synth/blockyard.sdc", constraints::text(&ports)),
        ("cocotb/replay.csv", recording::csv(&recordings.random)),
        ("cocotb/closed_loop.csv", recording::csv(&recordings.closed_loop.trace)),
        ("cocotb/closed_loop.json", json(&planned(&recordings.closed_loop, &ports))),
    ];
    files.extend(made.into_iter().map(|(name, text)| (name.to_owned(), text)));
    Ok(files)
}

fn json(value: &impl Serialize) -> String {
    serde_json::to_string_pretty(value).expect("numbers and texts are JSON") + "\n"
}

fn planned(closed_loop: &ClosedLoop, ports: &[KitPort]) -> Plan {
    let ClosedLoop { kernels, offered, trace } = closed_loop;
    let kernels = kernels.iter().zip(offered).map(|(planned, &cycle)| {
        let (grid, needs) = (planned.launch.grid, planned.launch.needs);
        PlannedKernel {
            duration: planned.duration,
            grid: [grid.x, grid.y, grid.z],
            threads: needs.threads,
            registers: needs.registers,
            shared_memory: needs.shared_memory,
            offer: offer(trace, cycle, ports),
        }
    });
    Plan { schema: "blockyard-closed-loop", version: 1, kernels: kernels.collect() }
}

/// What the ports of the wrapper that offer a kernel carry in a cycle.
fn offer(trace: &PortTrace, cycle: usize, ports: &[KitPort]) -> Map<String, Value> {
    let inputs = trace.ports_of(Direction::Input);
    let offering =
        inputs.filter(|port| matches!(&*port.name, "launch" | "relation" | "work_queue"));
    let mut offer = Map::new();
    for port in offering {
        let words = port.value(&trace.cycles[cycle].inputs);
        let bit = |place: usize| u64::from(words[place / 32] >> (place % 32) & 1);
        let taken_apart = ports.iter().find(|taken_apart| taken_apart.top_name == port.name);
        for field in taken_apart.into_iter().flat_map(|port| &port.fields) {
            let value =
                (field.low..=field.high).rev().fold(0, |value, place| value << 1 | bit(place));
            offer.insert(field.wrapper.clone(), value.into());
        }
    }
    offer
}
