//! Traces: a kernel's text, compressed text or frames, or a list of kernels when it begins
//! otherwise. A kernel that is read whole must execute what was counted, in any order of its
//! blocks.

#![no_main]

use std::io::Cursor;
use std::path::Path;
use std::rc::Rc;
use std::sync::LazyLock;

use blockyard_fuzz::{render, Folder};
use blockyard_sim::gpu::host::{Body, HostLaunch, HostProgram};
use blockyard_sim::gpu::program::{Access, Instruction, KernelCode, Operation, Space};
use blockyard_sim::port::Dim3;
use blockyard_sim::workload::trace::{info, kernel_info, open, Counts};
use libfuzzer_sys::fuzz_target;

const GOOD: &[u8] = include_bytes!("../seeds/trace/modes.traceg");

static FOLDER: LazyLock<Folder> = LazyLock::new(Folder::new);

/// A folder of lists, with one kernel that is sound.
static LISTS: LazyLock<Folder> = LazyLock::new(|| {
    let folder = Folder::new();
    folder.write("k.traceg", GOOD);
    folder
});

fuzz_target!(|data: &[u8]| {
    if data.starts_with(b"\xfd7zXZ") {
        compressed("fuzz.traceg.xz", data);
    } else if data.contains(&0) {
        compressed("fuzz.tracez", data);
    } else if data.starts_with(b"Memcpy") || data.starts_with(b"k.traceg") {
        list(data);
    } else {
        text(data);
    }
});

fn text(data: &[u8]) {
    let reader = Box::new(Cursor::new(data.to_vec()));
    match kernel_info(reader, Path::new("k.traceg")) {
        Err(error) => drop(render(&error)),
        Ok(kernel) => {
            let path = FOLDER.write("fuzz.traceg", data);
            let [forwards, backwards] = [false, true].map(|reverse| {
                let launch = only(open(&path).expect("its header was read").start());
                execute(&launch, reverse)
            });
            assert_eq!(forwards, backwards, "the order of blocks");
            let Counts { global_loads, global_stores, global_atomics, .. } = kernel.counts;
            assert_eq!(forwards.0, [global_loads, global_stores, global_atomics]);
            assert_eq!(forwards.1, [kernel.counts.shared, kernel.counts.constant]);
            assert_eq!(forwards.2, kernel.counts.barriers);
        }
    }
}

fn compressed(name: &str, data: &[u8]) {
    let path = FOLDER.write(name, data);
    match info(&path) {
        Err(error) => drop(render(&error)),
        Ok(_) => {
            let [forwards, backwards] = [false, true]
                .map(|reverse| execute(&only(open(&path).expect("it was read").start()), reverse));
            assert_eq!(forwards, backwards, "the order of blocks");
        }
    }
}

fn list(data: &[u8]) {
    let path = LISTS.write("kernelslist.g", data);
    match (info(&path), open(&path)) {
        (Ok(info), Ok(mut program)) => {
            let launches = program.start();
            assert_eq!(info.kernels.len(), launches.len());
            let copies = launches.iter().flat_map(|launch| &launch.copies).count() as u64;
            assert!(copies <= info.copies);
        }
        (Err(whole), Err(opened)) => assert_eq!(render(&whole), render(&opened)),
        (whole, opened) => panic!("{:?}, {:?}", whole.err(), opened.err()),
    }
}

fn only(mut launches: Vec<HostLaunch>) -> HostLaunch {
    assert_eq!(launches.len(), 1);
    launches.remove(0)
}

/// Global loads, stores and atomics; accesses to shared and constant memory; barriers.
type Executed = ([u64; 3], [u64; 2], u64);

/// What all warps execute, blocks taken backwards or not.
fn execute(launch: &HostLaunch, reverse: bool) -> Executed {
    let Body::Code(code) = &launch.body else { panic!("{launch:?}") };
    let code: &Rc<dyn KernelCode> = code;
    let warps = launch.needs().threads / 32;
    let blocks = launch.blocks().expect("checked when it was read");
    let mut executed = Executed::default();
    for at in 0..blocks {
        let linear = if reverse { blocks - 1 - at } else { at };
        let Dim3 { x, y, .. } = launch.grid;
        let block = Dim3::new(linear % x, linear / x % y, linear / x / y);
        let mut programs = Vec::new();
        code.block(block, warps, &mut programs).expect("all of it was read before");
        assert_eq!(programs.len(), warps as usize);
        for mut program in programs {
            let mut instruction = Instruction::default();
            loop {
                program.next(&mut instruction);
                match instruction.operation {
                    Operation::Exit => break,
                    Operation::Barrier => executed.2 += 1,
                    // Nobody counts what textures read.
                    Operation::Compute(_)
                    | Operation::Memory { space: Space::Texture, access: Access::Load, .. } => {}
                    Operation::NamedBarrier(_)
                    | Operation::ClusterArrive
                    | Operation::ClusterWait
                    | Operation::Launch
                    | Operation::Synchronize
                    | Operation::Trigger
                    | Operation::AwaitPredecessor
                    | Operation::Cancel
                    | Operation::Fault => {
                        panic!("a trace has none of these")
                    }
                    Operation::Memory { space, access, bytes } => {
                        assert!(matches!(bytes, 1 | 2 | 4 | 8 | 16), "{bytes} bytes");
                        *match (space, access) {
                            (Space::Global, Access::Load) => &mut executed.0[0],
                            (Space::Global, Access::Store) => &mut executed.0[1],
                            (Space::Global, Access::Atomic) => &mut executed.0[2],
                            (Space::Shared, Access::Atomic) => panic!("an atomic leaves the SMX"),
                            (Space::Shared, _) => &mut executed.1[0],
                            (Space::Constant | Space::Unplaced, _) => &mut executed.1[1],
                            (Space::Cluster, _) => panic!("a trace has no clusters"),
                            (Space::Texture, _) => panic!("textures are read"),
                            (Space::Parameter, _) => panic!("a trace launches nothing"),
                        } += 1;
                    }
                }
            }
        }
    }
    executed
}
