//! Traces of programs that are made here: what stands in the files, and what goes through.

use std::cell::Cell;
use std::path::Path;
use std::rc::Rc;

use super::{Record, Recording};
use crate::diagnostic::{rendered, InputError};
use crate::gpu::host::{Body, HostCopy, HostLaunch, HostProgram, Products};
use crate::port::Dim3;
use crate::program::{Access, Instruction, KernelCode, Operation, Space, Unit, WarpProgram};
use expect_test::expect;

/// Each warp of each block executes these instructions and exits.
struct Code(Vec<Instruction>);

impl KernelCode for Code {
    fn block(
        &self,
        _block: Dim3,
        warps: u32,
        programs: &mut Vec<Box<dyn WarpProgram>>,
    ) -> Result<(), InputError> {
        for warp in 0..warps {
            let mut rest = self.0.clone();
            rest.push(Instruction { pc: 0x100 + warp, ..Instruction::default() });
            rest.reverse();
            programs.push(Box::new(Warp { rest }));
        }
        Ok(())
    }
}

struct Warp {
    rest: Vec<Instruction>,
}

impl WarpProgram for Warp {
    fn next(&mut self, instruction: &mut Instruction) {
        *instruction = self.rest.pop().expect("nothing is asked behind an exit");
    }
}

fn launch(name: &str, blocks: u32, threads: u32, code: Vec<Instruction>) -> HostLaunch {
    let shape = (Dim3::new(blocks, 1, 1), Dim3::new(threads, 1, 1));
    HostLaunch::new(name, shape, Body::Code(Rc::new(Code(code))))
}

/// Records `program`, and gives the files of the trace by their names.
fn recorded(program: Box<dyn HostProgram>) -> Result<impl Fn(&str) -> String, String> {
    let place = tempfile::tempdir().expect("a folder");
    let record = Record::new(&place.path().join("trace")).expect("nothing is there");
    let mut recording = record.watch(program);
    blockyard_ptx::functional::run(&mut recording).map_err(|error| rendered(&error))?;
    record.finish().map_err(|error| rendered(&error))?;
    Ok(move |name: &str| {
        let path = place.path().join("trace").join(name);
        std::fs::read_to_string(path).unwrap_or_else(|error| format!("{name}: {error}"))
    })
}

/// The line of `instruction`.
fn line(instruction: Instruction) -> String {
    let program = vec![launch("k", 1, 32, vec![instruction])];
    let trace = recorded(Box::new(program)).expect("a trace");
    let text = trace("kernel-1.traceg");
    let (_, lines) = text.split_once("insts = 2\n").expect("two instructions");
    lines.lines().next().expect("a line").to_owned()
}

fn memory(space: Space, access: Access, bytes: u8) -> Operation {
    Operation::Memory { space, access, bytes }
}

#[test]
fn a_kernel_s_file_has_its_header_and_the_lines_of_its_warps_block_by_block() {
    let add = Instruction {
        pc: 0x10,
        operation: Operation::Compute(Unit::Integer),
        active: 0xff,
        destination: Some(7),
        sources: [Some(3), None, Some(4), None],
        ..Instruction::default()
    };
    let mut first = launch("one", 2, 64, vec![add]);
    first.registers_per_thread = 40;
    first.shared_memory = 16;
    first.stream = 3;
    let trace = recorded(Box::new(vec![first])).expect("a trace");
    expect![[r"
        -kernel name = one
        -kernel id = 1
        -grid dim = (2,1,1)
        -block dim = (64,1,1)
        -shmem = 16
        -nregs = 40
        -binary version = 80
        -cuda stream id = 3
        -shmem base_addr = 0x0
        -local mem base_addr = 0x0
        -accelsim tracer version = 5
        -enable lineinfo = 0

        #traces format = PC mask dest_num [reg_dests] opcode src_num [reg_srcs] mem_width [adrrescompress?] [mem_addresses]

        #BEGIN_TB

        thread block = 0,0,0

        warp = 0
        insts = 2
        0010 000000ff 1 R7 IADD3 2 R3 R4 0 
        0100 ffffffff 0 EXIT 0 0 

        warp = 1
        insts = 2
        0010 000000ff 1 R7 IADD3 2 R3 R4 0 
        0101 ffffffff 0 EXIT 0 0 

        #END_TB

        #BEGIN_TB

        thread block = 1,0,0

        warp = 0
        insts = 2
        0010 000000ff 1 R7 IADD3 2 R3 R4 0 
        0100 ffffffff 0 EXIT 0 0 

        warp = 1
        insts = 2
        0010 000000ff 1 R7 IADD3 2 R3 R4 0 
        0101 ffffffff 0 EXIT 0 0 

        #END_TB
    "]]
    .assert_eq(&trace("kernel-1.traceg"));
}

#[test]
fn the_list_has_copies_before_the_kernel_that_follows_them_and_kernels_in_order_of_launch() {
    let mut first = launch("one", 1, 32, Vec::new());
    first.copies =
        vec![HostCopy { address: 0x100, bytes: 8 }, HostCopy { address: 0x200, bytes: 9 }];
    // An empty grid has a file without blocks.
    let trace =
        recorded(Box::new(vec![first, launch("none", 0, 32, Vec::new())])).expect("a trace");
    expect![[r"
        MemcpyHtoD,0x100,8
        MemcpyHtoD,0x200,9
        kernel-1.traceg
        kernel-2.traceg
    "]]
    .assert_eq(&trace("kernelslist.g"));
    let none = trace("kernel-2.traceg");
    assert!(none.starts_with("-kernel name = none\n-kernel id = 2\n"), "{none}");
    assert!(none.ends_with("[mem_addresses]\n"), "{none}");
}

#[test]
fn a_header_has_no_more_registers_than_the_format_knows() {
    for (registers, written) in [(255, "-nregs = 255\n"), (256, "-nregs = 255\n")] {
        let mut kernel = launch("k", 0, 32, Vec::new());
        kernel.registers_per_thread = registers;
        let trace = recorded(Box::new(vec![kernel])).expect("a trace");
        assert!(trace("kernel-1.traceg").contains(written), "{registers}");
    }
}

#[test]
fn an_opcode_stands_for_what_the_timing_knows_of_an_instruction() {
    use Access::{Atomic, Load, Store};
    let address = |operation| {
        let mut instruction = Instruction { operation, active: 1, ..Instruction::default() };
        instruction.addresses.list_mut()[0] = 0x40;
        instruction
    };
    for (operation, expected) in [
        (Operation::Compute(Unit::Integer), "IADD3 0 0 "),
        (Operation::Compute(Unit::Single), "FADD 0 0 "),
        (Operation::Compute(Unit::Double), "DADD 0 0 "),
        (Operation::Compute(Unit::Special), "MUFU 0 0 "),
        (Operation::Compute(Unit::Tensor), "HMMA 0 0 "),
        (Operation::Barrier, "BAR 0 0 "),
        (memory(Space::Global, Load, 4), "LDG 0 4 0 0x40 "),
        (memory(Space::Global, Store, 8), "STG 0 8 0 0x40 "),
        (memory(Space::Global, Atomic, 4), "RED 0 4 0 0x40 "),
        (memory(Space::Shared, Load, 16), "LDS 0 16 0 0x40 "),
        (memory(Space::Shared, Store, 1), "STS 0 1 0 0x40 "),
        (memory(Space::Shared, Atomic, 4), "ATOMS 0 4 0 0x40 "),
        (memory(Space::Constant, Load, 4), "LDC 0 4 0 0x40 "),
        (memory(Space::Parameter, Load, 8), "LDC 0 8 0 0x40 "),
        (memory(Space::Texture, Load, 4), "TEX 0 4 0 0x40 "),
        // Nobody knows where: it has no addresses.
        (memory(Space::Unplaced, Load, 4), "LDC 0 0 "),
    ] {
        let written = line(address(operation));
        assert_eq!(written, format!("0000 00000001 0 {expected}"), "{operation:?}");
    }
    let answered =
        Instruction { destination: Some(9), ..address(memory(Space::Global, Atomic, 4)) };
    assert_eq!(line(answered), "0000 00000001 1 R9 ATOMG 0 4 0 0x40 ");
}

#[test]
fn the_register_that_is_always_zero_is_no_destination() {
    let writes = |register| {
        line(Instruction {
            operation: Operation::Compute(Unit::Single),
            destination: Some(register),
            ..Instruction::default()
        })
    };
    assert_eq!(writes(254), "0000 ffffffff 1 R254 FADD 0 0 ");
    assert_eq!(writes(255), "0000 ffffffff 0 FADD 0 0 ");
}

#[test]
fn addresses_are_those_of_active_lanes_or_one_and_a_stride() {
    let load = |active| Instruction {
        operation: memory(Space::Global, Access::Load, 4),
        active,
        ..Instruction::default()
    };
    let mut listed = load(0b1010_0100);
    for (lane, address) in listed.addresses.list_mut().iter_mut().enumerate() {
        *address = 0x1000 + 0x10 * (lane as u64);
    }
    assert_eq!(line(listed.clone()), "0000 000000a4 0 LDG 0 4 0 0x1020 0x1050 0x1070 ");
    // The address is that of the first active lane.
    let mut strided = load(0b1010_0100);
    strided.addresses.set_stride(0x1000, 0x10);
    assert_eq!(line(strided), "0000 000000a4 0 LDG 0 4 1 0x1020 16 ");
    let mut downwards = load(1);
    downwards.addresses.set_stride(0x1000, 4_u64.wrapping_neg());
    assert_eq!(line(downwards), "0000 00000001 0 LDG 0 4 1 0x1000 -4 ");
    // No lane takes part.
    listed.active = 0;
    assert_eq!(line(listed), "0000 00000000 0 LDG 0 0 ");
}

#[test]
fn what_the_format_does_not_have_ends_the_run_and_names_the_block() {
    for (operation, what) in [
        (Operation::Launch, "a launch from the device"),
        (Operation::Synchronize, "waiting for what the device has launched"),
        (Operation::Trigger, "letting dependent kernels begin"),
        (Operation::AwaitPredecessor, "waiting for the kernel before"),
        (Operation::Cancel, "asking for a block that has not started"),
        (Operation::ClusterArrive, "the barrier of a cluster"),
        (Operation::ClusterWait, "the barrier of a cluster"),
        (memory(Space::Cluster, Access::Load, 4), "shared memory of another block"),
    ] {
        let refused = Instruction { operation, ..Instruction::default() };
        let said = recorded(Box::new(vec![launch("k", 1, 32, vec![refused])])).err();
        let expected = format!("kernel `k`, block (0, 0, 0): the run cannot be recorded: {what}");
        let said = said.unwrap_or_default().replace("\n  │ ", " ");
        assert!(said.contains(&expected), "{operation:?}: {said}");
    }
}

#[test]
fn a_file_that_cannot_be_written_is_told_at_the_end_by_the_name_that_it_would_have() {
    let place = tempfile::tempdir().expect("a folder");
    let record = Record::new(&place.path().join("trace")).expect("nothing is there");
    std::fs::remove_dir(record.part.path()).expect("it is empty");
    let mut recording = record.watch(Box::new(vec![launch("k", 1, 32, Vec::new())]));
    blockyard_ptx::functional::run(&mut recording).expect("the run goes on");
    let error = record.finish().expect_err("its folder is gone");
    let name = Path::new("trace").join("kernel-1.traceg");
    assert!(error.to_string().contains(name.to_str().expect("text")), "{error}");
}

/// A program that answers whatever it is asked with something of its own.
struct Answers;

impl HostProgram for Answers {
    fn start(&mut self) -> Vec<HostLaunch> {
        vec![launch("first", 0, 32, Vec::new())]
    }

    fn kernel_finished(&mut self, name: &str, _instance: u32, _cycle: u64) -> Vec<HostLaunch> {
        let second = launch("second", 0, 32, Vec::new());
        if name == "first" {
            vec![second]
        } else {
            Vec::new()
        }
    }

    fn all_finished(&mut self, _cycle: u64) -> Vec<HostLaunch> {
        vec![launch("third", 0, 32, Vec::new())]
    }

    fn products(&mut self) -> Products {
        Products { printed: "printed".to_owned(), files: Vec::new() }
    }

    fn remark(&self) -> Option<String> {
        Some("a remark".to_owned())
    }

    fn verify(&mut self) -> Result<(), String> {
        Err("wrong".to_owned())
    }
}

#[test]
fn a_recording_answers_as_its_program_does() {
    let place = tempfile::tempdir().expect("a folder");
    let record = Record::new(&place.path().join("trace")).expect("nothing is there");
    let mut recording: Recording = record.watch(Box::new(Answers));
    let names = |launches: Vec<HostLaunch>| {
        launches.iter().map(|launch| launch.name.to_string()).collect::<Vec<_>>()
    };
    assert_eq!(names(recording.start()), ["first"]);
    assert_eq!(names(recording.kernel_finished("first", 0, 1)), ["second"]);
    assert_eq!(names(recording.all_finished(2)), ["third"]);
    assert_eq!(recording.products().printed, "printed");
    assert_eq!(recording.remark().as_deref(), Some("a remark"));
    assert_eq!(recording.verify(), Err("wrong".to_owned()));
    record.finish().expect("all three files are there");
    let list = std::fs::read_to_string(place.path().join("trace/kernelslist.g"));
    assert_eq!(list.expect("a list"), "kernel-1.traceg\nkernel-2.traceg\nkernel-3.traceg\n");
}

/// Code of a file, whose blocks work in clusters, and whose warps count what is announced.
struct Announced(Rc<Cell<[u32; 2]>>);

struct Counts(Rc<Cell<[u32; 2]>>);

impl KernelCode for Announced {
    fn block(
        &self,
        _block: Dim3,
        _warps: u32,
        programs: &mut Vec<Box<dyn WarpProgram>>,
    ) -> Result<(), InputError> {
        programs.push(Box::new(Counts(Rc::clone(&self.0))));
        Ok(())
    }

    fn works_in_cluster(&self) -> bool {
        true
    }

    fn file(&self) -> Option<&Path> {
        Some(Path::new("k.ptx"))
    }
}

impl WarpProgram for Counts {
    fn next(&mut self, instruction: &mut Instruction) {
        *instruction = Instruction::default();
    }

    fn announce(&self) {
        let [operands, data] = self.0.get();
        self.0.set([operands + 1, data]);
    }

    fn announce_data(&self) {
        let [operands, data] = self.0.get();
        self.0.set([operands, data + 1]);
    }
}

#[test]
fn watched_code_is_that_of_the_same_file_and_hears_what_is_announced() {
    let place = tempfile::tempdir().expect("a folder");
    let record = Record::new(&place.path().join("trace")).expect("nothing is there");
    let counts = Rc::default();
    let one = Dim3::new(1, 1, 1);
    let code = Body::Code(Rc::new(Announced(Rc::clone(&counts))));
    let plain = launch("plain", 1, 1, Vec::new());
    let program = vec![HostLaunch::new("k", (one, one), code), plain];
    let launches = record.watch(Box::new(program)).start();
    let codes = launches.iter().map(|launch| match &launch.body {
        Body::Code(code) => Rc::clone(code),
        _ => panic!("it has code"),
    });
    let codes: Vec<Rc<dyn KernelCode>> = codes.collect();
    assert_eq!(codes[0].file(), Some(Path::new("k.ptx")));
    assert!(codes[0].works_in_cluster() && !codes[1].works_in_cluster());
    let mut programs = Vec::new();
    codes[0].block(Dim3::new(0, 0, 0), 1, &mut programs).expect("a block");
    programs[0].announce();
    programs[0].announce_data();
    programs[0].announce_data();
    assert_eq!(counts.get(), [1, 2]);
}
