//! When a slot is filled again, how slow an SMX is, and any number of SMXs.

use super::run_text;

fn scenario(gpu: &str, blocks: u64, duration: u64) -> String {
    format!(
        "[gpu]\n{gpu}\n[[kernel]]\nname = \"A\"\ngrid = [{blocks}, 1, 1]\nblock = [32, 1, 1]\n\
         duration = {duration}\n"
    )
}

#[test]
fn a_slot_is_filled_again_exactly_when_its_block_ends() {
    for duration in [1, 2, 3, 100, 4097] {
        let seen = run_text("rr", &scenario("smx = 1\nthread_block_slots = 1", 4, duration));
        let expected: Vec<_> = (0..4).map(|block| (1 + block * duration, 0, block)).collect();
        assert_eq!(seen.blocks(), expected, "duration {duration}");
        // The last block ends, and the kernel one cycle later.
        assert_eq!(seen.kernel("A", 0, "finish"), 1 + 4 * duration + 1);
    }
}

#[test]
fn a_slow_smx_takes_its_factor_rounded_up() {
    for (factor, duration, cycles) in
        [("1.5", 3, 5), ("1.5", 4, 6), ("1.1", 10, 11), ("1.1", 11, 13), ("0.5", 3, 2), ("1", 7, 7)]
    {
        let gpu = format!("smx = 1\nthread_block_slots = 1\nsmx_slowdown = [{factor}]");
        let seen = run_text("rr", &scenario(&gpu, 2, duration));
        assert_eq!(seen.blocks(), [(1, 0, 0), (1 + cycles, 0, 1)], "{factor} x {duration}");
    }
}

#[test]
fn blocks_go_around_any_number_of_smxs_one_a_cycle() {
    for smx in [1, 2, 3, 13, 15, 30, 32] {
        let gpu = format!("smx = {smx}\nthread_block_slots = 2");
        let seen = run_text("rr", &scenario(&gpu, 2 * smx, 1000));
        let expected: Vec<_> =
            (0..2 * smx).map(|block| (1 + block, (block % smx) as usize, block)).collect();
        assert_eq!(seen.blocks(), expected);
        let balanced = run_text("rr+claso(pa=1,pl=0)", &scenario(&gpu, 2 * smx, 1000));
        assert_eq!(balanced.blocks(), expected, "equal cores need no balance");
    }
}

#[test]
fn a_grid_is_walked_with_x_fastest() {
    let text = "[gpu]\nsmx = 1\n[[kernel]]\nname = \"A\"\ngrid = [2, 3, 2]\nblock = [32, 1, 1]\n\
                duration = 50\n";
    let seen = run_text("rr", text);
    let found: Vec<_> = seen.lines.iter().map(|line| (line.x, line.y, line.z)).collect();
    let expected: Vec<_> =
        (0..2).flat_map(|z| (0..3).flat_map(move |y| (0..2).map(move |x| (x, y, z)))).collect();
    assert_eq!(found, expected);
}
