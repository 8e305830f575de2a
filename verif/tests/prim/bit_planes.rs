//! State space: numbers of six bits; random ones, of one, a few and many.

use crate::harness::{fresh, random};
use blockyard_rtl::module::settle;
use blockyard_rtl::prim::BitPlanes;
use blockyard_rtl::word::U;
use rand::RngExt;

#[test]
fn each_plane_has_its_bit_of_every_number_and_the_first_one_the_highest() {
    for count in [1, 3, 65, 132] {
        let mut module = fresh(BitPlanes::new(count));
        let mut random = random(count as u64);
        for _ in 0..200 {
            let numbers: Vec<u64> = (0..count).map(|_| random.random_range(0..64)).collect();
            for (port, &number) in module.number.iter_mut().zip(&numbers) {
                port.next = U::new(number);
            }
            settle(&mut module);
            for (place, plane) in module.plane.iter().enumerate() {
                for (at, number) in numbers.iter().enumerate() {
                    let bit = number >> (5 - place) & 1 == 1;
                    assert_eq!(plane.val().get_bit(at), bit, "plane {place}, number {at}");
                }
            }
        }
    }
}
