//! A trace, in frames or not, is read in memory that grows neither with its blocks nor with its
//! kernels.
//!
//! One test in a process of its own: the high-water mark is the process's.

use std::collections::VecDeque;
use std::fmt::Write as _;
use std::fs::File;
use std::io::Write;
use std::path::Path;

use blockyard_sim::gpu::host::{Body, HostProgram};
use blockyard_sim::gpu::program::{Instruction, Operation, WarpProgram};
use blockyard_sim::port::Dim3;
use blockyard_sim::workload::trace::{info, open};
use liblzma::write::XzEncoder;

const BLOCKS: u32 = 4000;
const WARPS: u32 = 8;
const LOADS: u32 = 4;
/// As many blocks as a large GPU holds.
const RESIDENT: usize = 200;

/// The most memory that this process has had so far, in bytes; `None` where the system does not
/// say.
fn high_water() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix(" kB")?.parse::<u64>().ok().map(|kilobytes| 1024 * kilobytes)
}

fn header() -> String {
    format!(
        "-kernel name = k\n-kernel id = 1\n-grid dim = ({BLOCKS},1,1)\n-block dim = ({},1,1)\n\
         -shmem = 0\n-nregs = 16\n-binary version = 70\n-cuda stream id = 0\n\
         -shmem base_addr = 0x00007f0000000000\n-local mem base_addr = 0x00007f0001000000\n\
         -accelsim tracer version = 4\n#traces format = PC mask ... immediate\n\n",
        32 * WARPS
    )
}

/// The lines of each warp, whose lanes all load from places of their own.
fn lines() -> String {
    let mut lines = String::new();
    for load in 0..LOADS {
        let _ = write!(lines, "{:04x} ffffffff 1 R{load} LDG.E 1 R9 4 0 ", 16 * load);
        for lane in 0..32_u64 {
            let _ = write!(lines, "{:#018x} ", (lane * lane + u64::from(load)) << 12);
        }
        lines.push_str("0\n");
    }
    lines + "0100 ffffffff 0 EXIT 0 0 0"
}

/// Writes the trace of the kernel; gives its size before compression, in bytes.
fn write(path: &Path) -> u64 {
    let mut file = XzEncoder::new(File::create(path).unwrap(), 1);
    let mut size = 0;
    let mut put = |text: &str| {
        file.write_all(text.as_bytes()).unwrap();
        size += text.len() as u64;
    };
    put(&header());
    let lines = lines();
    for block in 0..BLOCKS {
        let mut text = format!("#BEGIN_TB\n\nthread block = {block},0,0\n\n");
        for warp in 0..WARPS {
            let _ = writeln!(text, "warp = {warp}\ninsts = {}\n{lines}\n", LOADS + 1);
        }
        put(&(text + "#END_TB\n\n"));
    }
    file.finish().unwrap();
    size
}

/// Writes the same trace in frames.
fn write_frames(path: &Path) {
    let frame = zstd::bulk::compress(lines().as_bytes(), 3).unwrap();
    let numbers = |to: &mut Vec<u8>, values: &[u32]| {
        to.extend(values.iter().flat_map(|value| value.to_le_bytes()));
    };
    let mut file = header().into_bytes();
    let mut index = Vec::new();
    file.push(0);
    numbers(&mut file, &[0, 2048]);
    numbers(&mut index, &[BLOCKS]);
    for block in 0..BLOCKS {
        numbers(&mut index, &[block, 0, 0, 0, 0, 0, 0, 0, 0, 0, WARPS]);
        for _ in 0..WARPS {
            numbers(&mut index, &[LOADS + 1, 1]);
            index.extend((file.len() as u64).to_le_bytes());
            numbers(&mut index, &[LOADS + 1]);
            numbers(&mut file, &[LOADS + 1, 1, frame.len() as u32]);
            file.extend_from_slice(&frame);
        }
    }
    let place = file.len() as u64;
    file.extend(index);
    file.extend(place.to_le_bytes());
    std::fs::write(path, file).unwrap();
}

fn execute(warp: &mut dyn WarpProgram) -> u64 {
    let mut instruction = Instruction::default();
    let mut count = 0;
    loop {
        warp.next(&mut instruction);
        count += 1;
        if instruction.operation == Operation::Exit {
            return count;
        }
    }
}

#[test]
fn memory_grows_neither_with_finished_blocks_nor_with_finished_kernels() {
    let folder = tempfile::tempdir().unwrap();
    let size = write(&folder.path().join("k.traceg.xz"));
    assert!(size > 64 << 20, "{size} bytes of text");
    write_frames(&folder.path().join("k.tracez"));
    let list = folder.path().join("kernelslist.g");
    // The second, the third and the fourth kernel run at once, a block of each in turn.
    std::fs::write(&list, "k.traceg.xz\nk.traceg.xz\nk.traceg.xz\nk.tracez\n").unwrap();

    let launches = open(&list).unwrap().start();
    let bodies = launches.iter().map(|launch| match &launch.body {
        Body::Code(code) => code,
        Body::Durations(_) | Body::Launching(..) | Body::Contended(..) => panic!("{launch:?}"),
    });
    let bodies: Vec<_> = bodies.collect();
    let order = |kernels: &[usize]| -> Vec<(usize, u32)> {
        (0..BLOCKS).flat_map(|x| kernels.iter().map(move |&kernel| (kernel, x))).collect()
    };
    let mut resident: VecDeque<Vec<Box<dyn WarpProgram>>> = VecDeque::new();
    let mut executed = 0;
    let mut finish = |block: Vec<Box<dyn WarpProgram>>| {
        executed += block.into_iter().map(|mut warp| execute(&mut *warp)).sum::<u64>();
    };
    let mut early = None;
    for (dispatched, (kernel, x)) in order(&[0]).into_iter().chain(order(&[1, 2, 3])).enumerate() {
        let mut programs = Vec::new();
        bodies[kernel].block(Dim3::new(x, 0, 0), WARPS, &mut programs).unwrap();
        resident.push_back(programs);
        if resident.len() > RESIDENT {
            finish(resident.pop_front().unwrap());
        }
        if dispatched == 2 * RESIDENT {
            early = high_water();
        }
    }
    resident.drain(..).for_each(&mut finish);
    assert_eq!(executed, 4 * u64::from(BLOCKS * WARPS * (LOADS + 1)));
    assert_eq!(info(&list).unwrap().total.warp_instructions, executed);

    let (Some(early), Some(late)) = (early, high_water()) else {
        println!("skipped: this system has no /proc/self/status");
        return;
    };
    let text = size >> 20;
    println!(
        "{} MB after {RESIDENT} blocks, {} MB after all; {text} MB of text, four times",
        early >> 20,
        late >> 20
    );
    assert!(late - early < 24 << 20, "{early} bytes early, {late} late");
    assert!(late < 128 << 20, "{late} bytes");
}
