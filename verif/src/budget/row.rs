//! Rows and totals of a budget.

use super::tree::Node;
use blockyard_rtl::storage::{Memory, MemoryKind, Storage};
use serde::{Serialize, Serializer};

/// A number of bits that is shown in bytes, which need not be whole.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Bytes(pub u64);

impl std::fmt::Display for Bytes {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let whole = thousands(self.0 / 8);
        match self.0 % 8 {
            0 => f.pad(&whole),
            rest => {
                let eighths = format!("{:03}", rest * 125);
                f.pad(&format!("{whole}.{}", eighths.trim_end_matches('0')))
            }
        }
    }
}

impl Serialize for Bytes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 % 8 {
            0 => serializer.serialize_u64(self.0 / 8),
            _ => serializer.serialize_f64(self.0 as f64 / 8.0),
        }
    }
}

/// `12,345`.
pub fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A memory, as JSON has it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MemoryShape {
    /// How many words.
    pub words: usize,
    /// Bits of each.
    pub width: usize,
    /// Words that can be read in a cycle.
    pub read_ports: usize,
    /// Words that can be written in a cycle; the same port where `kind` is `sram-one-port`.
    pub write_ports: usize,
    /// `register-file`: read in the same cycle; `sram-two-ports`, `sram-one-port`: in the next.
    pub kind: &'static str,
}

impl From<&Memory> for MemoryShape {
    fn from(memory: &Memory) -> Self {
        Self {
            words: memory.words,
            width: memory.width,
            read_ports: memory.reads,
            write_ports: memory.writes,
            kind: match memory.kind {
                MemoryKind::RegisterFile => "register-file",
                MemoryKind::Sram { one_port: false } => "sram-two-ports",
                MemoryKind::Sram { one_port: true } => "sram-one-port",
            },
        }
    }
}

impl MemoryShape {
    /// Whether it is read in the cycle after.
    pub fn is_sram(&self) -> bool {
        self.kind != "register-file"
    }

    /// `32 x 93, 2r 1w`.
    pub fn shown(&self) -> String {
        let Self { words, width, read_ports, write_ports, kind } = self;
        match *kind {
            "register-file" => format!("{words} x {width}, {read_ports}r {write_ports}w"),
            "sram-one-port" => format!("{words} x {width}, 1rw, SRAM"),
            _ => format!("{words} x {width}, {read_ports}r {write_ports}w, SRAM"),
        }
    }
}

/// What one primitive stores, in all its instances at one place of the hierarchy. No bit is in two
/// rows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Row {
    /// Where: `queues.slice[*].queue.memory`.
    pub path: String,
    /// The primitive: `prim/RegisterFile`.
    pub module: String,
    /// How many there are.
    pub instances: usize,
    /// Whether it belongs to an SMX, or to a cluster of them, alone.
    pub of_each_smx: bool,
    /// Bits of registers of one instance.
    pub register_bits: u64,
    /// The memory of one instance.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory: Option<MemoryShape>,
    /// Bits of all instances.
    pub bits: u64,
    /// The same in bytes.
    pub bytes: Bytes,
    /// What a paper states of the same.
    #[serde(flatten)]
    pub stated: Option<Stated>,
}

/// A module with all below it, in all its instances. Its bits are those of rows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Module {
    /// Where: `queues.slice[*]`; empty for the top.
    pub path: String,
    /// The module: `laperm/LinkedSlice`.
    pub module: String,
    /// How many there are.
    pub instances: usize,
    /// Whether it belongs to an SMX, or to a cluster of them, alone.
    pub of_each_smx: bool,
    /// Bits of registers of all instances.
    pub register_bits: u64,
    /// Bits of memories of all instances.
    pub memory_bits: u64,
    /// The sum.
    pub bits: u64,
    /// The same in bytes.
    pub bytes: Bytes,
    /// What a paper states of the same.
    #[serde(flatten)]
    pub stated: Option<Stated>,
}

impl Module {
    /// Whether a row with this path is the module's own or below it.
    pub fn holds(&self, row: &str) -> bool {
        let below = row.strip_prefix(self.path.as_str());
        self.path.is_empty() || below.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    }
}

/// What a paper states beside a row or a module.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Stated {
    /// Bytes for all instances, if it states or implies them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub paper_bytes: Option<Bytes>,
    /// The same for one of several instances.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub paper_bytes_each: Option<Bytes>,
    /// Paper, section and what it says.
    pub paper: String,
    /// Why ours is not the same; empty when it is.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub why: String,
}

/// Sums of rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Total {
    /// Bits of registers.
    pub register_bits: u64,
    /// Bits of memories: the sum of the next two.
    pub memory_bits: u64,
    /// Bits of memories that are read in the same cycle.
    pub register_file_bits: u64,
    /// Bits of synchronous memories.
    pub sram_bits: u64,
    /// Bits of registers and memories.
    pub bits: u64,
    /// The same in bytes.
    pub bytes: Bytes,
}

impl Total {
    /// The sum of these rows.
    pub fn of<'a>(rows: impl IntoIterator<Item = &'a Row>) -> Self {
        let mut total = Self::default();
        for row in rows {
            match &row.memory {
                Some(memory) if memory.is_sram() => total.sram_bits += row.bits,
                Some(_) => total.register_file_bits += row.bits,
                None => total.register_bits += row.bits,
            }
            total.bits += row.bits;
        }
        total.memory_bits = total.register_file_bits + total.sram_bits;
        total.bytes = Bytes(total.bits);
        total
    }
}

/// The rows of a tree, in its order.
pub fn rows(tree: &Node) -> Vec<Row> {
    let mut rows = Vec::new();
    tree.walk(&mut |node| {
        for (storage, instances) in &node.storage {
            let bits = (storage.bits() * instances) as u64;
            let (register_bits, memory) = match storage {
                Storage::Registers { bits } => (*bits as u64, None),
                Storage::Memory(memory) => (0, Some(memory.into())),
            };
            rows.push(Row {
                path: node.path.clone(),
                module: node.module.clone(),
                instances: *instances,
                of_each_smx: node.of_each_smx,
                register_bits,
                memory,
                bits,
                bytes: Bytes(bits),
                stated: None,
            });
        }
    });
    rows
}

/// The modules of a tree that have parts and store something, the top first.
pub fn modules(tree: &Node) -> Vec<Module> {
    let mut modules = Vec::new();
    tree.walk(&mut |node| {
        let (register_bits, memory_bits) = node.bits();
        let bits = register_bits + memory_bits;
        if bits == 0 || node.parts.is_empty() {
            return;
        }
        modules.push(Module {
            path: node.path.clone(),
            module: node.module.clone(),
            instances: node.instances,
            of_each_smx: node.of_each_smx,
            register_bits,
            memory_bits,
            bits,
            bytes: Bytes(bits),
            stated: None,
        });
    });
    modules
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_show_eighths_and_thousands() {
        assert_eq!(Bytes(63).to_string(), "7.875");
        assert_eq!(Bytes(20).to_string(), "2.5");
        assert_eq!(Bytes(8 * 1_234_567).to_string(), "1,234,567");
        assert_eq!(serde_json::to_string(&[Bytes(63), Bytes(64)]).expect("plain"), "[7.875,8]");
    }
}
