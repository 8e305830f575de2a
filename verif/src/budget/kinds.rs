//! Totals by kind of storage, as those who build it order it: flip-flops, register files by ports,
//! SRAM by macro.

use super::row::{thousands, Bytes, MemoryShape, Row};
use serde::Serialize;
use std::collections::BTreeMap;

/// Memories of one shape.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Shape {
    /// How many words.
    pub words: usize,
    /// Bits of each.
    pub width: usize,
    /// How many memories are like this.
    pub instances: usize,
    /// Bits of all of them.
    pub bits: u64,
}

/// What is stored in one way.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct KindTotal {
    /// `flip-flops`; else as in [`MemoryShape`]: `register-file`, `sram-two-ports`,
    /// `sram-one-port`.
    pub kind: &'static str,
    /// Words that can be read in a cycle; nothing for flip-flops.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub read_ports: Option<usize>,
    /// Words that can be written in a cycle; nothing for flip-flops.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub write_ports: Option<usize>,
    /// Bits of all of them.
    pub bits: u64,
    /// The same in bytes.
    pub bytes: Bytes,
    /// The memories, by words and width; empty for flip-flops.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub shapes: Vec<Shape>,
}

/// `flip-flops`, as in JSON.
pub const FLIP_FLOPS: &str = "flip-flops";

impl KindTotal {
    /// The totals of rows: flip-flops first, then register files and SRAM by their ports.
    pub fn of(rows: &[Row]) -> Vec<Self> {
        let bits = rows.iter().filter(|row| row.memory.is_none()).map(|row| row.bits).sum();
        let mut kinds = vec![Self {
            kind: FLIP_FLOPS,
            read_ports: None,
            write_ports: None,
            bits,
            bytes: Bytes(bits),
            shapes: Vec::new(),
        }];
        for (memory, instances) in shapes(rows) {
            let MemoryShape { words, width, read_ports, write_ports, kind } = memory;
            let bits = (words * width * instances) as u64;
            let shape = Shape { words, width, instances, bits };
            let ports = (Some(read_ports), Some(write_ports));
            match kinds
                .iter_mut()
                .find(|known| (known.kind, (known.read_ports, known.write_ports)) == (kind, ports))
            {
                Some(known) => {
                    known.bits += bits;
                    known.bytes = Bytes(known.bits);
                    known.shapes.push(shape);
                }
                None => kinds.push(Self {
                    kind,
                    read_ports: ports.0,
                    write_ports: ports.1,
                    bits,
                    bytes: Bytes(bits),
                    shapes: vec![shape],
                }),
            }
        }
        kinds
    }

    /// `register files, 2r 1w`.
    pub fn shown(&self) -> String {
        let ports = format!("{}r {}w", self.read_ports.unwrap_or(0), self.write_ports.unwrap_or(0));
        match self.kind {
            FLIP_FLOPS => FLIP_FLOPS.to_owned(),
            "register-file" => format!("register files, {ports}"),
            "sram-one-port" => "SRAM, 1rw".to_owned(),
            _ => format!("SRAM, {ports}"),
        }
    }

    /// `13 of 128 x 100, 26 of 4 x 11`.
    pub fn shown_shapes(&self) -> String {
        let shapes = self.shapes.iter().map(|shape| {
            let instances = thousands(shape.instances as u64);
            format!("{instances} of {} x {}", thousands(shape.words as u64), shape.width)
        });
        shapes.collect::<Vec<_>>().join(", ")
    }
}

/// How many memories there are of each shape, register files before SRAM, few ports before many.
pub fn shapes(rows: &[Row]) -> Vec<(MemoryShape, usize)> {
    let mut shapes: BTreeMap<_, (MemoryShape, usize)> = BTreeMap::new();
    for (row, memory) in rows.iter().filter_map(|row| Some((row, row.memory.as_ref()?))) {
        let MemoryShape { words, width, read_ports, write_ports, kind } = *memory;
        let order = (kind, read_ports, write_ports, words, width);
        shapes.entry(order).or_insert_with(|| (memory.clone(), 0)).1 += row.instances;
    }
    shapes.into_values().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(instances: usize, memory: Option<(usize, usize, usize, usize, &'static str)>) -> Row {
        let memory = memory.map(|(words, width, read_ports, write_ports, kind)| MemoryShape {
            words,
            width,
            read_ports,
            write_ports,
            kind,
        });
        let each = memory.as_ref().map_or(7, |memory| memory.words * memory.width);
        let bits = (each * instances) as u64;
        Row {
            path: "a".to_owned(),
            module: "prim/Register".to_owned(),
            instances,
            of_each_smx: false,
            register_bits: if memory.is_none() { 7 } else { 0 },
            memory,
            bits,
            bytes: Bytes(bits),
            stated: None,
        }
    }

    #[test]
    fn memories_with_the_same_ports_are_one_kind_and_with_the_same_shape_one_shape() {
        let rows = [
            row(2, Some((32, 8, 2, 1, "register-file"))),
            row(3, None),
            row(1, Some((64, 8, 1, 1, "sram-one-port"))),
            row(1, Some((4, 5, 1, 1, "register-file"))),
            row(4, Some((32, 8, 2, 1, "register-file"))),
            row(1, Some((16, 8, 2, 1, "register-file"))),
        ];
        let kinds = KindTotal::of(&rows);
        let shown: Vec<_> =
            kinds.iter().map(|kind| (kind.shown(), kind.bits, kind.shown_shapes())).collect();
        let expected = [
            ("flip-flops", 21, ""),
            ("register files, 1r 1w", 20, "1 of 4 x 5"),
            ("register files, 2r 1w", 128 + 6 * 256, "1 of 16 x 8, 6 of 32 x 8"),
            ("SRAM, 1rw", 512, "1 of 64 x 8"),
        ];
        let expected =
            expected.map(|(kind, bits, shapes)| (kind.to_owned(), bits, shapes.to_owned()));
        assert_eq!(shown, expected);
        let sum: u64 = kinds.iter().map(|kind| kind.bits).sum();
        assert_eq!(sum, rows.iter().map(|row| row.bits).sum::<u64>());
    }
}
