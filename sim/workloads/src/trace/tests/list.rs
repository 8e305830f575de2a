//! Lists of kernels, and the launches that they become.

use super::*;
use crate::gpu::host::{Body, HostCopy, HostProgram};
use crate::trace::{info, open};

#[test]
fn kernels_are_launched_in_the_order_of_the_list_with_the_copies_before_them() {
    let place = Place::new();
    place.write("a.traceg", one_block(&[EXIT]).replace("made", "a"));
    let other = one_block(&[EXIT]).replace("stream id = 0", "stream id = 94826418238");
    let other = other.replace("-shmem = 0", "-shmem = 48").replace("nregs = 16", "nregs = 17");
    place.write("b.traceg.xz", xz(other.as_bytes()));
    let list = "MemcpyHtoD,0x00007fb0fc400000,200\nMemcpyHtoD,100,3\r\n\nb.traceg.xz\n\
                MemcpyDtoH,0x0,7\nMemcpyHtoD,0x0,4\na.traceg\nb.traceg.xz\nMemcpyHtoD,0x0,4";
    let list = place.write("kernelslist.g", list);
    let mut program = open(&list).unwrap();
    let launches = program.start();
    let copy = |address, bytes| HostCopy { address, bytes };
    assert_eq!(launches.len(), 3);
    let [first, second, third] = &launches[..] else { unreachable!() };
    assert_eq!((&*first.name, &*second.name, &*third.name), ("made", "a", "made"));
    assert_eq!(first.copies, [copy(0x7fb0_fc40_0000, 200), copy(0x100, 3)]);
    assert_eq!((second.copies.as_slice(), third.copies.as_slice()), (&[copy(0, 4)][..], &[][..]));
    assert_eq!([first.stream, second.stream, third.stream], [0, 1, 0], "numbered as they come");
    assert_eq!((first.registers_per_thread, first.shared_memory), (17, 48));
    assert_eq!((first.grid, first.block), (Dim3::new(1, 1, 1), Dim3::new(64, 1, 1)));
    assert!(program.start().is_empty() && program.kernel_finished("a", 0, 7).is_empty());
    assert_eq!(program.verify(), Ok(()));

    let info = info(&list).unwrap();
    assert_eq!((info.copies, info.copied_bytes, info.kernels.len()), (4, 211, 3));
    assert_eq!(info.kernels[0].stream, 94_826_418_238);
}

#[test]
fn opcodes_that_no_table_has_are_remarked_on_once_they_were_read() {
    let place = Place::new();
    let path = place.write("k.traceg", one_block(&["0 ffffffff 0 WHAT.IS.THIS 0 0 0", EXIT]));
    let mut program = open(&path).unwrap();
    let launches = program.start();
    assert_eq!(program.remark(), None);
    let Body::Code(code) = &launches[0].body else { panic!("{launches:?}") };
    instructions(&**code, Dim3::new(0, 0, 0), 2).unwrap();
    let remark = program.remark().unwrap();
    assert!(remark.ends_with(": WHAT.IS.THIS"), "{remark}");
}

#[test]
fn each_file_of_a_list_is_named_once() {
    let place = Place::new();
    place.write("a.traceg", "");
    place.write("b.traceg", "");
    let list = place.write("kernelslist.g", "a.traceg\nb.traceg\nMemcpyHtoD,0x0,4\na.traceg\n");
    let files = crate::trace::list::files(&list).unwrap();
    let names: Vec<_> = files.iter().map(|file| file.file_name().unwrap()).collect();
    assert_eq!(names, ["kernelslist.g", "a.traceg", "b.traceg"]);
}

#[test]
fn the_trace_of_one_kernel_is_a_list_of_itself() {
    let place = Place::new();
    let path = place.write("k.traceg", one_block(&[EXIT]));
    assert_eq!(open(&path).unwrap().start().len(), 1);
    let path = place.write("k.traceg.xz", xz(one_block(&[EXIT]).as_bytes()));
    assert_eq!(open(&path).unwrap().start().len(), 1);
}

#[test]
fn the_counts_of_a_trace_are_those_of_its_lines() {
    let lines = [
        "0000 0000000f 1 R1 LDG 1 R2 4 1 0x1000 128 0",
        "0010 00000003 0 STG 1 R2 8 0 0x1000 0x107c 0",
        "0020 ffffffff 0 RED 1 R2 4 1 0x8000 4 0",
        "0030 ffffffff 1 R1 LDS 1 R2 4 1 0x0 4 0",
        "0040 ffffffff 1 R1 LDC 0 0 0",
        "0050 ffffffff 0 BAR.SYNC 0 0 0",
        "0060 ffffffff 0 WHAT.IS.THIS 0 0 0",
        "0070 00000000 0 EXIT 0 0 0",
        "0080 ffffffff 0 FADD 0 0 0",
    ];
    let place = Place::new();
    let path = place.write("k.traceg", one_block(&lines));
    let total = info(&path).unwrap().total;
    assert_eq!((total.blocks, total.warps), (1, 2));
    assert_eq!(total.warp_instructions, 9 + 1, "the exits that are added do not count");
    assert_eq!(total.thread_instructions, 4 + 2 + 6 * 32 + 32);
    let global = [total.global_loads, total.global_stores, total.global_atomics];
    assert_eq!(global, [1, 1, 1]);
    assert_eq!([total.shared, total.constant, total.barriers], [1, 1, 1]);
    assert_eq!(total.unknown_opcodes, 1);
    // Four lines of the load; the store ends in the second of them; one line of the reduction.
    assert_eq!((total.footprint, total.footprint_grain), (5 * 128, 128));
}
