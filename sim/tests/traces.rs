//! Traces of known sizes, where they are at hand: one of a real program, and those whose cycles
//! another simulator has counted.

mod shared;

use blockyard_sim::gpu::host::{Body, HostCopy, HostProgram};
use blockyard_sim::gpu::program::{Access, Instruction, Operation, Space};
use blockyard_sim::port::Dim3;
use blockyard_sim::workload::trace::{info, open, Architecture};

const REAL: &str = "traces/vectoradd/kernelslist.g";

#[test]
fn a_real_trace_of_an_ampere_gpu_is_understood() {
    let Some(path) = shared::data(REAL) else { return };
    let trace = info(&path).unwrap();
    let [kernel] = &trace.kernels[..] else { panic!("{trace:?}") };
    assert_eq!(kernel.name, "_Z9vectorAddPKfS0_Pfi");
    assert_eq!((kernel.grid, kernel.block), ([196, 1, 1], [256, 1, 1]));
    assert_eq!((kernel.architecture, kernel.tracer_version), (Architecture::Ampere, 5));
    let counts = &kernel.counts;
    assert_eq!((counts.blocks, counts.warps), (196, 196 * 8));
    // 50,000 elements: 1,562 warps are full, one has half of its lanes, five have none.
    let (busy, idle) = (1563, 5);
    assert_eq!(counts.warp_instructions, 17 * busy + 6 * idle);
    assert_eq!((counts.global_loads, counts.global_stores), (2 * busy, busy));
    assert_eq!(counts.constant, busy);
    assert_eq!(counts.unknown_opcodes, 0);
    // Three arrays; the list has the copies of two.
    assert_eq!(counts.footprint, 3 * 200_000_u64.next_multiple_of(128));
    assert_eq!((trace.copies, trace.copied_bytes), (2, 400_000));
}

#[test]
fn the_first_warp_of_the_real_trace_executes_what_its_lines_say() {
    let Some(path) = shared::data(REAL) else { return };
    let launches = open(&path).unwrap().start();
    let [launch] = &launches[..] else { panic!("{launches:?}") };
    let copy = |address| HostCopy { address, bytes: 200_000 };
    assert_eq!(launch.copies, [copy(0x7fb0_fc40_0000), copy(0x7fb0_fc43_0e00)]);
    assert_eq!((launch.registers_per_thread, launch.shared_memory), (12, 0));
    let Body::Code(code) = &launch.body else { panic!("{launch:?}") };
    let mut programs = Vec::new();
    code.block(Dim3::new(0, 0, 0), 8, &mut programs).unwrap();
    assert_eq!(programs.len(), 8);
    let mut instruction = Instruction::default();
    let mut accesses = Vec::new();
    let mut count = 0;
    while count == 0 || instruction.operation != Operation::Exit {
        programs[0].next(&mut instruction);
        count += 1;
        if let Operation::Memory { space: Space::Global, access, bytes } = instruction.operation {
            accesses.push((
                access,
                bytes,
                instruction.addresses.of(0),
                instruction.addresses.of(31),
            ));
        }
    }
    assert_eq!(count, 17, "the exit of no lane in the middle is no exit");
    assert_eq!(instruction.pc, 0x100);
    let expected = [
        (Access::Load, 0x7fb0_fc43_0e00),
        (Access::Load, 0x7fb0_fc40_0000),
        (Access::Store, 0x7fb0_fc46_1c00),
    ];
    assert_eq!(accesses, expected.map(|(access, first)| (access, 4, first, first + 124)));
}

#[test]
fn real_traces_of_a_hopper_gpu_have_no_opcode_that_is_not_known() {
    // Kernels, blocks, instructions, bytes that are touched; copies, and bytes of these.
    let expected = [
        ("h100-btree", [2, 16, 43_664, 52_224, 2, 47_560]),
        ("h100-backprop", [33, 1169, 79_040, 38_016, 5, 37_376]),
    ];
    for (name, expected) in expected {
        let Some(path) = shared::data(&format!("traces/{name}/kernelslist.g")) else { return };
        let trace = info(&path).unwrap();
        let hopper = |architecture| architecture == Architecture::Hopper;
        assert!(trace.kernels.iter().all(|kernel| hopper(kernel.architecture)), "{name}");
        let total = &trace.total;
        assert_eq!((total.unknown_opcodes, total.bulk_copies), (0, 0), "{name}");
        let (kernels, copies) = (trace.kernels.len() as u64, trace.copies);
        let (blocks, instructions) = (total.blocks, total.warp_instructions);
        let got = [kernels, blocks, instructions, total.footprint, copies, trace.copied_bytes];
        assert_eq!(got, expected, "{name}");
        assert_eq!(open(&path).unwrap().start().len() as u64, kernels, "{name}");
    }
}

#[test]
fn compressed_traces_have_the_instructions_that_their_makers_counted() {
    let Some(folder) = shared::data("accelsim") else { return };
    let mut found = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let folder = entry.unwrap().path();
        let Ok(stats) = std::fs::read_to_string(folder.join("stats.txt")) else { continue };
        let stated = |key: &str| {
            let mut pairs = stats.split_whitespace().filter_map(|pair| pair.split_once('='));
            let (_, value) = pairs.find(|(known, _)| *known == key).expect(key);
            value.parse::<u64>().expect(key)
        };
        let trace = info(&folder.join("kernelslist.g")).unwrap();
        let total = trace.total;
        assert_eq!(total.warp_instructions, stated("warp_insts"), "{}", folder.display());
        assert_eq!(total.thread_instructions, stated("thread_insts"), "{}", folder.display());
        assert_eq!(total.blocks, stated("blocks") * stated("kernels"), "{}", folder.display());
        assert_eq!(trace.kernels.len() as u64, stated("kernels"), "{}", folder.display());
        assert_eq!(total.unknown_opcodes, 0, "{}", folder.display());
        found += 1;
    }
    assert!(found >= 10, "only {found} folders with a trace");
}
