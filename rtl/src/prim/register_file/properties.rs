//! What is read is what was written last.

use super::super::verilog::low_bits;
use super::RegisterFile;
use crate::prelude::*;
use crate::property::{among, any, Properties};

/// Any one word is watched.
pub fn of<T: Value, const A: usize>(file: &RegisterFile<T, A>) -> Properties {
    let (bits, words) = (file.data.val().width(), file.words());
    let (writes, also) = (file.write_data.len(), file.also_data.len());
    let is_watched = |address: &str| match words {
        1 => "1'b1".to_owned(),
        _ => format!("{} == place", low_bits(words, A)(address)),
    };
    let mut p = Properties::default();
    (0..words).for_each(|at| p.inner(format!("word_{at}"), format!("memory[{at}]")));
    if words > 1 {
        p.chosen("place", count_bits(words - 1));
    }
    let written = |port| {
        let address = is_watched(&format!("write_address${port}"));
        format!("write_enable${port} & {address}")
    };
    // Of two that write it, the one with the higher number wins.
    let last = (0..writes).rev().map(|port| format!("{} ? write_data${port} : ", written(port)));
    p.register("value", bits, last.collect::<String>() + "value");
    p.register("known", 1, format!("known | {}", any((0..writes).map(written))));
    // In a simulator an address may be unknown in the first cycles.
    let reads = |port: &str, address: &str| {
        format!("(known & {}) !== 1'b1 | {port} == value", is_watched(address))
    };
    let about = "a word that was written is read as it was written last";
    p.assert("reads", about, reads("data", "address"));
    for port in 0..also {
        let (data, address) = (format!("also_data${port}"), format!("also_address${port}"));
        p.assert(format!("reads_{port}"), about, reads(&data, &address));
    }
    let place = if words > 1 { "place" } else { "0" };
    let word = among(place, (0..words).map(|at| format!("word_{at}")));
    p.invariant("kept", "it stays as it is in its place", format!("~known | {word} == value"));
    p.cover(
        "anew",
        "a word is written as it is read",
        "write_enable$0 & known & write_data$0 != data",
    );
    p
}
