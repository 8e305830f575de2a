//! What a rule puts into a buffer, and what a buffer is as a file.

use super::*;

fn named(name: &str) -> Element {
    Element::named(name).expect(name)
}

/// The elements that `contents` are, drawn for a buffer `x`.
fn drawn(contents: &Contents, name: &str, count: usize, seed: u64) -> Vec<f64> {
    let element = named(name);
    let bytes = contents.bytes(element, count, "x", seed);
    bytes.chunks_exact(element.bytes()).map(|value| element.decode(value).float()).collect()
}

/// Each number once, from the least on.
fn different(mut found: Vec<f64>) -> Vec<f64> {
    found.sort_by(f64::total_cmp);
    found.dedup();
    found
}

fn whole(from: i128, to: i128) -> Contents {
    Contents::Uniform(Number::Integer(from), Number::Integer(to))
}

#[test]
fn zero_a_value_and_an_index_are_as_long_as_the_elements() {
    let two = named("u16");
    assert_eq!(Contents::Zero.bytes(two, 2, "x", 1), [0, 0, 0, 0]);
    assert_eq!(Contents::Value(0x0102).bytes(two, 2, "x", 1), [2, 1, 2, 1]);
    assert_eq!(Contents::Index.bytes(two, 3, "x", 1), [0, 0, 1, 0, 2, 0]);
    assert_eq!(Contents::Bytes(vec![7, 8]).bytes(two, 1, "x", 1), [7, 8]);
    assert_eq!(drawn(&Contents::Index, "f32", 3, 1), [0.0, 1.0, 2.0]);
}

/// Whoever names a seed finds the numbers of an earlier version again. The words behind these
/// were computed apart from this code, by the definition of SplitMix64.
#[test]
fn a_seed_and_a_name_draw_the_same_numbers_for_ever() {
    let bytes = |name, seed| whole(0, 100).bytes(named("u8"), 4, name, seed);
    assert_eq!(bytes("x", 1), [71, 27, 81, 35]);
    assert_eq!(bytes("x", 2), [98, 60, 12, 56]);
    assert_eq!(bytes("y", 1), [63, 73, 18, 75]);
    // The same words as shares of 1, from -8 up to 8.
    let floats = Contents::Uniform(Number::Float(-8.0), Number::Float(8.0));
    let shares = [0.714_495_757, 0.272_629_067, 0.813_313_140, 0.358_856_653];
    for (found, share) in drawn(&floats, "f64", 4, 1).into_iter().zip(shares) {
        assert!((found - (16.0 * share - 8.0)).abs() < 1e-7, "{found}");
    }
}

#[test]
fn whole_numbers_are_drawn_from_the_first_up_to_and_without_the_last() {
    for (name, from, to) in [("i32", -3, 4), ("u8", 253, 256), ("i64", 7, 8)] {
        let all: Vec<f64> = (from..to).map(|value| value as f64).collect();
        assert_eq!(different(drawn(&whole(from, to), name, 300, 1)), all, "{name}");
    }
}

#[test]
fn the_end_is_not_drawn_by_rounding_to_it_either() {
    let step = f64::from(f32::EPSILON);
    // Of the singles from 1 on those before the third: a quarter would be rounded to that.
    let floats = Contents::Uniform(Number::Float(1.0), Number::Float(1.0 + 2.0 * step));
    assert_eq!(different(drawn(&floats, "f32", 300, 1)), [1.0, 1.0 + step]);
    let doubles = Contents::Uniform(Number::Float(1.0), Number::Float(1.0 + f64::EPSILON));
    assert_eq!(different(drawn(&doubles, "f64", 300, 1)), [1.0]);
}

#[test]
fn floats_are_drawn_from_the_whole_range_also_between_whole_numbers() {
    let floats = Contents::Uniform(Number::Float(2.0), Number::Float(4.0));
    for (contents, name) in [(&floats, "f64"), (&floats, "f32"), (&whole(2, 4), "f32")] {
        let found = drawn(contents, name, 1000, 1);
        assert!(found.iter().all(|value| (2.0..4.0).contains(value)), "{name}");
        for quarter in [2.0, 2.5, 3.0, 3.5] {
            let inside = found.iter().filter(|value| (quarter..quarter + 0.5).contains(*value));
            // 250 are to be expected, with a standard deviation of 14.
            assert!((180..320).contains(&inside.count()), "{name} {quarter}");
        }
    }
}

#[test]
fn a_permutation_has_each_index_once() {
    for count in [0, 1, 2, 256] {
        let mut found = drawn(&Contents::Permutation, "u8", count, 1);
        let index = drawn(&Contents::Index, "u8", count, 1);
        assert!(count < 256 || found != index, "256 stay in order once in 256! times");
        found.sort_by(f64::total_cmp);
        assert_eq!(found, index);
    }
}

#[test]
fn each_order_of_a_permutation_is_drawn_as_often_as_any_other() {
    let mut seen = std::collections::BTreeMap::new();
    for seed in 0..600 {
        *seen.entry(Contents::Permutation.bytes(named("u8"), 3, "x", seed)).or_insert(0) += 1;
    }
    // 100 of each of the six are to be expected, with a standard deviation of 9.
    assert_eq!(seen.len(), 6);
    assert!(seen.values().all(|times| (60..140).contains(times)), "{seen:?}");
}

#[test]
fn the_name_of_a_file_says_how_a_buffer_is_written() {
    let bytes = [1, 0, 0xfe, 0xff];
    let written = |name: &str| written(Path::new(name), named("i16"), &bytes);
    assert_eq!(written("x.txt"), b"1\n-2\n");
    assert_eq!(npy::read(&written("x.npy")), Ok((named("i16"), &bytes[..])));
    for name in ["x.bin", "x", "npy", "x.TXT"] {
        assert_eq!(written(name), bytes, "{name}");
    }
}
