//! What the timing sees of constants, parameters and textures: in which space, and where.

mod support;

use std::rc::Rc;

use blockyard_contract::port::Dim3;
use blockyard_gpu::host::Body;
use blockyard_gpu::program::{Instruction, Operation, Space, Unit};
use blockyard_ptx::{Arguments, Launch, Machine, Texture};
use support::kernel;

/// What the first warp of kernel `k` does, which 32 threads run.
fn warp(machine: &Rc<Machine>) -> Vec<Instruction> {
    let launch = Launch {
        grid: Dim3::new(1, 1, 1),
        block: Dim3::new(32, 1, 1),
        shared_memory: 0,
        parameters: Arguments::new().long(0).long(0).into_bytes(),
    };
    let Body::Code(code) = machine.launch("k", launch, 0).unwrap().body else {
        panic!("a kernel of code")
    };
    let mut programs = Vec::new();
    code.block(Dim3::new(0, 0, 0), 1, &mut programs).unwrap();
    let mut all = Vec::new();
    loop {
        let mut instruction = Instruction::default();
        programs[0].next(&mut instruction);
        all.push(instruction.clone());
        if matches!(instruction.operation, Operation::Exit | Operation::Fault) {
            return all;
        }
    }
}

/// Of the accesses in `space`: bytes of each lane, and the addresses of lanes 0 and 5.
fn accesses(warp: &[Instruction], of: Space) -> Vec<(u8, u64, u64)> {
    let of = |instruction: &Instruction| match instruction.operation {
        Operation::Memory { space, bytes, .. } if space == of => {
            Some((bytes, instruction.addresses.of(0), instruction.addresses.of(5)))
        }
        _ => None,
    };
    warp.iter().filter_map(of).collect()
}

#[test]
fn constants_and_the_kernels_parameters_lie_apart_and_at_their_offsets() {
    let items = ".const .align 4 .b8 skipped[256];\n.const .align 4 .b8 values[128];";
    let body = "mul.wide.u32 %d0, %t, 4;
mov.u64 %d1, values;
add.u64 %d1, %d1, %d0;
ld.const.u32 %r0, [%d1];
cvta.const.u64 %d2, %d1;
ld.u32 %r1, [%d2];
ld.const.v2.u32 {%r2, %r3}, [values+8];";
    let warp = warp(&support::machine(&kernel(items, body)));
    let seen = accesses(&warp, Space::Constant);
    let [a, b, ref constants @ ..] = seen[..] else { panic!("{seen:?}") };
    assert_eq!((a.0, b.0, b.1 - a.1), (8, 8, 8), "two parameters, the same for all lanes");
    assert_eq!((a.2, b.2), (a.1, b.1));
    let first = constants[0].1;
    assert_eq!(
        constants,
        [(4, first, first + 20), (4, first, first + 20), (8, first + 8, first + 8)]
    );
    assert!(first.abs_diff(a.1) > 1 << 16, "neither is in the other's way");
    assert_eq!(first % 128, 0, "256 bytes lie before it");
}

#[test]
fn what_functions_pass_on_is_nowhere() {
    let function = ".func (.param .u32 out) f(.param .u32 in)
{
.reg .u32 %x;
ld.param.u32 %x, [in];
add.u32 %x, %x, 1;
st.param.u32 [out], %x;
ret;
}";
    let body = "{
.param .u32 given;
.param .u32 got;
st.param.u32 [given], %t;
call (got), f, (given);
ld.param.u32 %r0, [got];
}";
    let warp = warp(&support::machine(&kernel(function, body)));
    assert_eq!(accesses(&warp, Space::Constant).len(), 2, "the kernel's own");
    assert!(!accesses(&warp, Space::Unplaced).is_empty());
}

#[test]
fn a_texture_is_seen_where_each_lane_reads_first() {
    let body = "cvt.rn.f32.u32 %f4, %t;
tex.1d.v4.f32.f32 {%f0, %f1, %f2, %f3}, [tex, {%f4}];
txq.width.b32 %r0, [tex];
tex.1d.v4.f32.s32 {%f0, %f1, %f2, %f3}, [tex, {%t}];";
    let body = format!(".reg .f32 %f<5>;\n{body}");
    let machine = support::machine(&kernel(".global .texref tex;", &body));
    let address = machine.array(&[0; 16]).unwrap();
    let (width, height, depth, pitch, channels) = (4, 1, 1, 64, 4);
    let (normalized, linear, wraps) = (false, false, false);
    let texture =
        Texture { address, width, height, depth, pitch, channels, normalized, linear, wraps };
    assert!(machine.bind("tex", texture));
    let warp = warp(&machine);
    // Lane 5 is outside: the edge goes on for points, and nothing is there for whole coordinates.
    let last = address + 3 * 16;
    assert_eq!(accesses(&warp, Space::Texture), [(16, address, last), (16, address, address)]);
    let special =
        |instruction: &&Instruction| instruction.operation == Operation::Compute(Unit::Special);
    assert_eq!(warp.iter().filter(special).count(), 1, "a question is no access");
}
