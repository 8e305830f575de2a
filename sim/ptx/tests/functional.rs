//! Running without timing: who waits for others in memory gets what they write.

mod support;

use blockyard_ptx::Arguments;

/// Threads add one to a counter and wait until all `%all` of them have; then each leaves 1.
const MEET: &str = ".visible .entry meet(.param .u64 counter, .param .u64 to, .param .u32 all)
{
.reg .b32 %mine, %found, %all, %x, %n, %b;
.reg .b64 %c, %t;
.reg .pred %p;
ld.param.u64 %c, [counter];
ld.param.u64 %t, [to];
ld.param.u32 %all, [all];
mov.u32 %x, %tid.x;
mov.u32 %n, %ntid.x;
mov.u32 %b, %ctaid.x;
mad.lo.u32 %x, %b, %n, %x;
mad.wide.u32 %t, %x, 4, %t;
atom.global.add.u32 %mine, [%c], 1;
WAIT:
ld.volatile.global.u32 %found, [%c];
setp.lt.u32 %p, %found, %all;
@%p bra WAIT;
st.global.u32 [%t], 1;
ret;
}
";

fn meet(blocks: u32, threads: u32) -> Vec<u32> {
    let machine = support::machine(&support::module(MEET));
    let all = blocks * threads;
    let counter = machine.array(&[0u32]).unwrap();
    let to = machine.array(&vec![0u32; all as usize]).unwrap();
    let arguments = Arguments::new().long(counter).long(to).word(all);
    support::run(&machine, "meet", (blocks, threads), arguments).unwrap();
    machine.words(to, u64::from(all)).unwrap()
}

#[test]
fn a_warp_that_spins_sees_what_later_warps_of_its_block_write() {
    assert_eq!(meet(1, 96), [1; 96]);
}

#[test]
fn blocks_that_spin_see_what_later_blocks_write() {
    assert_eq!(meet(5, 64), [1; 320]);
}
