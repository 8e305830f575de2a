//! The three ways to write addresses.

use proptest::prelude::*;

use super::*;

/// `addresses` of the lanes `active` as a list, and as a base with deltas.
fn written(active: u32, addresses: &[u64; 32]) -> [String; 2] {
    let lanes: Vec<u64> =
        (0..32).filter(|lane| active >> lane & 1 == 1).map(|lane| addresses[lane]).collect();
    let list: String = lanes.iter().map(|address| format!(" {address:#018x}")).collect();
    let deltas: String =
        lanes.windows(2).map(|pair| format!(" {}", pair[1].wrapping_sub(pair[0]) as i64)).collect();
    let base = lanes.first().copied().unwrap_or(0);
    [format!("0{list}"), format!("2 {base:#x}{deltas}")]
}

fn read(active: u32, addresses: &str) -> Instruction {
    let line = format!("0 {active:08x} 1 R1 LDG.E 1 R2 4 {addresses} 7 ");
    warp_of(&one_block(&[&line, EXIT])).unwrap().swap_remove(0)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn lists_and_deltas_say_the_same(active: u32, addresses in prop::array::uniform32(any::<u64>())) {
        let [list, deltas] = written(active, &addresses);
        let got = read(active, &list);
        for (lane, &address) in addresses.iter().enumerate() {
            let expected = if active >> lane & 1 == 1 { address } else { 0 };
            prop_assert_eq!(got.addresses.of(lane), expected);
        }
        prop_assert_eq!(read(active, &deltas), got);
    }

    #[test]
    fn a_stride_says_the_same_as_the_list_of_its_addresses(
        first in 0_u32..32, lanes in 1_u32..33, base: u64, stride: i32,
    ) {
        // As the tracer writes strides: for neighbouring lanes.
        let lanes = lanes.min(32 - first);
        let active = (u32::MAX >> (32 - lanes)) << first;
        let step = i64::from(stride) as u64;
        let address = |lane: u64| {
            base.wrapping_add(step.wrapping_mul(lane.wrapping_sub(u64::from(first))))
        };
        let addresses = std::array::from_fn(|lane| address(lane as u64));
        let [list, deltas] = written(active, &addresses);
        let got = read(active, &format!("1 {base:#x} {stride}"));
        prop_assert_eq!(&read(active, &list), &got);
        prop_assert_eq!(&read(active, &deltas), &got);
        prop_assert_eq!(got.addresses.of(first as usize), base);
    }
}
