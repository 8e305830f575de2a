//! Verilator -O3 on the exported Verilog, on the same dense traffic as the hardware's simulation.

use crate::{recorded, CYCLES, LIMITS};
use blockyard::engine::{rtl_module, RtlScheduler, Tap};
use blockyard::export;
use blockyard::replay::{ports, Direction, Port, Sampler, Tool};
use blockyard_rtl::module::Module;
use blockyard_sim::port::{LaunchMode, Outputs, Scheduler};
use blockyard_sim::sched::Composition;
use criterion::{Criterion, Throughput};
use std::cell::RefCell;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::rc::Rc;
use std::time::Duration;

/// Cycles a second of the whole scheduler, from 4 to 132 SMXs.
pub fn bench(criterion: &mut Criterion) {
    if let Some(message) = Tool::Verilator.status().message() {
        println!("{message}");
        return;
    }
    let composition: Composition = "rr+claso".parse().expect("a known scheduler");
    let mut group = criterion.benchmark_group("verilator");
    group.throughput(Throughput::Elements(CYCLES as u64)).sample_size(10);
    for smx in [4, 15, 30, 80, 132] {
        let folder = tempfile::tempdir().expect("a folder");
        let program = build(&composition, smx, folder.path());
        group.bench_function(format!("rr+claso/n{smx}"), |bencher| {
            bencher.iter_custom(|rounds| simulate(&program, rounds));
        });
    }
}

/// Runs the program; it measures itself, so that its start does not count.
fn simulate(program: &Path, rounds: u64) -> Duration {
    let output = Command::new(program).arg(rounds.to_string()).output().expect("it was built");
    let text = String::from_utf8_lossy(&output.stdout);
    Duration::from_nanos(text.trim().parse().expect("nanoseconds"))
}

fn build(composition: &Composition, smx: usize, folder: &Path) -> PathBuf {
    let module =
        rtl_module(composition, LaunchMode::Flat, 1, smx, LIMITS).expect("there is hardware");
    let verilog = export::verilog(module.as_module(), "top").expect("it exports");
    let ports = ports(module.as_module());
    std::fs::write(folder.join("top.v"), verilog).expect("a writable folder");
    std::fs::write(folder.join("inputs.bin"), inputs(composition, smx)).expect("a writable folder");
    let text = harness(&ports, &folder.join("inputs.bin"));
    std::fs::write(folder.join("main.cpp"), text).expect("a writable folder");
    let arguments =
        "--cc --exe --build -O3 --x-assign fast --x-initial fast --noassert -Wno-fatal \
                     -CFLAGS -O3 --top-module top top.v main.cpp";
    let status = Command::new("verilator")
        .args(arguments.split_whitespace())
        .current_dir(folder)
        .stdout(std::process::Stdio::null())
        .status();
    assert!(status.expect("verilator runs").success(), "verilator builds the scheduler");
    folder.join("obj_dir/Vtop")
}

/// The traffic as words of the input ports.
fn inputs(composition: &Composition, smx: usize) -> Vec<u8> {
    struct Words(Sampler, Rc<RefCell<Vec<u8>>>);
    impl Tap for Words {
        fn sample(&mut self, _cycle: u64, module: &dyn Module) {
            let (inputs, _) = self.0.sample(module);
            self.1.borrow_mut().extend(inputs.into_iter().flat_map(u32::to_le_bytes));
        }
    }
    let words = Rc::new(RefCell::new(Vec::new()));
    let mut hardware = RtlScheduler::build(composition, smx, LIMITS).expect("there is hardware");
    let sampler = Sampler::new(hardware.module().as_module());
    hardware.watch(Box::new(Words(sampler, Rc::clone(&words))));
    let mut outputs = Outputs::idle(smx);
    for inputs in recorded(composition, smx) {
        hardware.cycle(&inputs, &mut outputs);
    }
    drop(hardware);
    words.take()
}

fn harness(ports: &[Port], inputs: &Path) -> String {
    let mut drives = String::new();
    let mut row = 0;
    for port in ports.iter().filter(|port| port.direction == Direction::Input) {
        row += port.words();
        let member = format!("top.{}", port.name.replace('$', "__024"));
        let offset = port.offset;
        let line = match port.words() {
            1 => format!("{member} = in[{offset}];"),
            2 => format!("{member} = uint64_t(in[{}]) << 32 | in[{offset}];", offset + 1),
            words => format!("for (int w = 0; w < {words}; w++) {member}[w] = in[{offset} + w];"),
        };
        writeln!(drives, "            {line}").expect("a string takes everything");
    }
    format!(
        r#"#include "Vtop.h"
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>
int main(int, char** argv) {{
    std::vector<uint32_t> rows({CYCLES} * {row});
    FILE* file = fopen("{path}", "rb");
    if (!file || fread(rows.data(), 4, rows.size(), file) != rows.size()) return 1;
    auto start = std::chrono::steady_clock::now();
    uint64_t used = 0;
    for (long round = atol(argv[1]); round > 0; round--) {{
        Vtop top;
        top.reset = 1;
        for (int edge = 0; edge < 4; edge++) {{ top.clock = edge & 1; top.eval(); }}
        for (int cycle = 0; cycle < {CYCLES}; cycle++) {{
            const uint32_t* in = &rows[cycle * {row}];
            top.clock = 0;
{drives}            top.eval();
            used += top.launch_ready;
            top.clock = 1;
            top.eval();
        }}
    }}
    auto time = std::chrono::steady_clock::now() - start;
    if (used == 1) fprintf(stderr, "used\n");
    printf("%lld\n", (long long)std::chrono::duration_cast<std::chrono::nanoseconds>(time).count());
}}
"#,
        path = inputs.display()
    )
}
