//! Memories in exported Verilog, as a chip has them: register files in pieces, SRAM as macros.
//!
//! ```text
//!   write ports --[decode]--> words of flip-flops --[column]--> a bit of a read port
//! ```
//!
//! A register file of many words and ports is more than ABC can take at once, but it is the same
//! few pieces again and again: a decoder a write port, a row of flip-flops a word, a multiplexer a
//! read port and bit. Each piece is a module, which is mapped once. A synchronous memory becomes a
//! black box, whose area a model of macros has.

use std::collections::BTreeSet;
use std::fmt::Write;

/// A memory and the module that is it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemoryModule {
    /// The module's name in the Verilog.
    pub module: String,
    /// How many words.
    pub words: usize,
    /// Bits of each.
    pub width: usize,
    /// Whether it is a black box now.
    pub is_sram: bool,
}

/// Below so many words x bits x ports a register file stays as it is: ABC takes it whole.
const WHOLE: usize = 8192;

/// The Verilog with its memories in pieces, and what they were.
pub fn in_pieces(verilog: &str) -> (String, Vec<MemoryModule>) {
    rewritten(verilog, WHOLE)
}

/// The same, with register files of up to so many words x bits x ports as they are.
fn rewritten(verilog: &str, whole: usize) -> (String, Vec<MemoryModule>) {
    let (mut text, mut memories, mut pieces) = (String::new(), Vec::new(), BTreeSet::new());
    let mut rest = verilog;
    while let Some(start) = rest.find("module ") {
        let end = rest[start..].find("endmodule").map_or(rest.len(), |end| start + end);
        text += &rest[..start];
        let module = &rest[start..end];
        match Memory::read(module) {
            None => text += module,
            Some(memory) => {
                memories.push(memory.module());
                text += &memory.rewritten(&mut pieces, whole);
            }
        }
        let after = (end + "endmodule".len()).min(rest.len());
        text += &rest[end..after];
        rest = &rest[after..];
    }
    text += rest;
    pieces.iter().for_each(|piece| text += &piece.verilog());
    (text, memories)
}

/// A module that is a memory and nothing else, as `rtl/src/prim` writes them.
struct Memory<'a> {
    name: &'a str,
    /// Everything up to the memory: ports.
    head: &'a str,
    words: usize,
    width: usize,
    writes: Vec<WritePort<'a>>,
    reads: Vec<ReadPort<'a>>,
    is_sram: bool,
}

struct WritePort<'a> {
    enable: &'a str,
    address: &'a str,
    data: &'a str,
}

struct ReadPort<'a> {
    data: &'a str,
    address: &'a str,
}

impl<'a> Memory<'a> {
    fn read(module: &'a str) -> Option<Self> {
        let name = module.strip_prefix("module ")?.split('(').next()?.trim();
        let is_memory = |at: &usize| {
            module[*at..].lines().next().is_some_and(|line| line.contains("] memory ["))
        };
        let start = module.match_indices("reg [").map(|(at, _)| at).find(is_memory)?;
        let mut lines = module[start..].lines().map(str::trim).filter(|line| !line.is_empty());
        let (high, last) = lines.next()?.strip_prefix("reg [")?.split_once(":0] memory [0:")?;
        let width = high.parse::<usize>().ok()? + 1;
        let words = last.strip_suffix("];")?.parse::<usize>().ok()? + 1;
        let mut memory = Self {
            name,
            head: &module[..start],
            words,
            width,
            writes: Vec::new(),
            reads: Vec::new(),
            is_sram: false,
        };
        for line in lines {
            memory.line(line)?;
        }
        Some(memory)
    }

    /// Takes a line; nothing where it is of no memory.
    fn line(&mut self, line: &'a str) -> Option<()> {
        if line == "end" || line.starts_with("always @(posedge") {
            return Some(());
        }
        if line.contains("read_data <=") {
            self.is_sram = true;
            return Some(());
        }
        if let Some(write) = line.strip_prefix("if (") {
            let (enable, rest) = write.split_once(") memory[")?;
            let (address, data) = rest.strip_suffix(';')?.split_once("] <= ")?;
            self.writes.push(WritePort { enable, address, data });
            return Some(());
        }
        let read = line.strip_prefix("always @(*) ")?;
        let (data, address) = read.strip_suffix("];")?.split_once(" = memory[")?;
        self.reads.push(ReadPort { data, address });
        Some(())
    }

    fn module(&self) -> MemoryModule {
        MemoryModule {
            module: self.name.to_owned(),
            words: self.words,
            width: self.width,
            is_sram: self.is_sram,
        }
    }

    fn rewritten(&self, pieces: &mut BTreeSet<Piece>, whole: usize) -> String {
        let Self { head, words, width, writes, reads, is_sram, .. } = self;
        if *is_sram {
            // Its end stands at the begin of a line, where modules are told apart by it.
            return format!("(* blackbox *)\n{}\n", head.trim_end());
        }
        let ports = reads.len() + writes.len();
        if words * width * ports <= whole || *words < 2 {
            let body = self.whole();
            return format!("{head}{body}");
        }
        let mut text = (*head).to_owned();
        let (word, column) = (Piece::Word(*width, writes.len()), Piece::Column(*words));
        for (port, write) in writes.iter().enumerate() {
            let decode = Piece::Decode(*words);
            let _ = writeln!(
                text,
                "wire [{}:0] select${port};\n{} decode${port} (.enable({}), .address({}), \
                 .select(select${port}));",
                words - 1,
                decode.name(),
                write.enable,
                write.address
            );
            pieces.insert(decode);
        }
        let data: Vec<&str> = writes.iter().rev().map(|write| write.data).collect();
        for at in 0..*words {
            let select: Vec<String> =
                (0..writes.len()).rev().map(|port| format!("select${port}[{at}]")).collect();
            let _ = writeln!(
                text,
                "wire [{}:0] word${at};\n{} at${at} (.clock(clock), .enable({{{}}}), \
                 .data({{{}}}), .q(word${at}));",
                width - 1,
                word.name(),
                select.join(", "),
                data.join(", ")
            );
        }
        for bit in 0..*width {
            let words: Vec<String> =
                (0..*words).rev().map(|at| format!("word${at}[{bit}]")).collect();
            let _ = writeln!(
                text,
                "wire [{}:0] bit${bit} = {{{}}};",
                words.len() - 1,
                words.join(", ")
            );
        }
        for (port, read) in reads.iter().enumerate() {
            let _ = writeln!(text, "wire [{}:0] read${port};", width - 1);
            for bit in 0..*width {
                let _ = writeln!(
                    text,
                    "{} column${port}${bit} (.words(bit${bit}), .address({}), \
                     .data(read${port}[{bit}]));",
                    column.name(),
                    read.address
                );
            }
            let _ = writeln!(text, "always @(*) {} = read${port};", read.data);
        }
        pieces.insert(word);
        pieces.insert(column);
        text
    }

    /// The memory as it was.
    fn whole(&self) -> String {
        let mut text = format!("reg [{}:0] memory [0:{}];\n", self.width - 1, self.words - 1);
        text += "always @(posedge clock) begin\n";
        for WritePort { enable, address, data } in &self.writes {
            let _ = writeln!(text, "    if ({enable}) memory[{address}] <= {data};");
        }
        text += "end\n";
        for ReadPort { data, address } in &self.reads {
            let _ = writeln!(text, "always @(*) {data} = memory[{address}];");
        }
        text
    }
}

/// A module that register files are made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Piece {
    /// Which of so many words a port writes.
    Decode(usize),
    /// A word of so many bits with so many write ports; the port with the higher number wins.
    Word(usize, usize),
    /// One bit of a read port over so many words.
    Column(usize),
}

impl Piece {
    fn name(self) -> String {
        match self {
            Self::Decode(words) => format!("piece$decode${words}"),
            Self::Word(width, writes) => format!("piece$word${width}${writes}"),
            Self::Column(words) => format!("piece$column${words}"),
        }
    }

    fn verilog(self) -> String {
        let name = self.name();
        match self {
            Self::Decode(words) => {
                let high = words.ilog2() - 1;
                let mut text = format!(
                    "\nmodule {name}(input enable, input [{high}:0] address, output [{}:0] select);\n",
                    words - 1
                );
                for word in 0..words {
                    let _ = writeln!(text, "assign select[{word}] = enable & address == {word};");
                }
                text + "endmodule\n"
            }
            Self::Word(width, writes) => {
                let mut text = format!(
                    "\nmodule {name}(input clock, input [{}:0] enable, input [{}:0] data, \
                     output reg [{}:0] q);\nalways @(posedge clock) begin\n",
                    writes - 1,
                    writes * width - 1,
                    width - 1
                );
                for port in 0..writes {
                    let (high, low) = ((port + 1) * width - 1, port * width);
                    let _ = writeln!(text, "    if (enable[{port}]) q <= data[{high}:{low}];");
                }
                text + "end\nendmodule\n"
            }
            Self::Column(words) => {
                let levels = words.ilog2();
                let mut text = format!(
                    "\nmodule {name}(input [{}:0] words, input [{}:0] address, output data);\n",
                    words - 1,
                    levels - 1
                );
                let mut from = "words".to_owned();
                for level in (0..levels).rev() {
                    let half = 1usize << level;
                    let _ = writeln!(
                        text,
                        "wire [{}:0] half${level} = address[{level}] ? {from}[{}:{half}] : {from}[{}:0];",
                        half - 1,
                        2 * half - 1,
                        half - 1
                    );
                    from = format!("half${level}");
                }
                let _ = writeln!(text, "assign data = {from}[0];\nendmodule");
                text
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::same_machine::assert_same_machine;
    use super::*;

    /// A register file as it is exported, with two write ports and two read ports.
    const FOUR_WORDS: &str = "module top$file(clock,write_enable$0,write_address$0,write_data$0,\
        write_enable$1,write_address$1,write_data$1,address,data,also_address$0,also_data$0);
    input wire  clock;
    input wire  write_enable$0;
    input wire  [3:0] write_address$0;
    input wire  [2:0] write_data$0;
    input wire  write_enable$1;
    input wire  [3:0] write_address$1;
    input wire  [2:0] write_data$1;
    input wire  [3:0] address;
    output reg  [2:0] data;
    input wire  [3:0] also_address$0;
    output reg  [2:0] also_data$0;
    // Update code (custom)
    reg [2:0] memory [0:3];
    always @(posedge clock) begin
        if (write_enable$0) memory[write_address$0[1:0]] <= write_data$0;
        if (write_enable$1) memory[write_address$1[1:0]] <= write_data$1;
    end
    always @(*) data = memory[address[1:0]];
    always @(*) also_data$0 = memory[also_address$0[1:0]];
endmodule // top$file
";

    const SRAM: &str = "module ram(clock,reset,address,write_enable,write_data,read_data);
    input wire  clock;
    input wire  reset;
    input wire  [1:0] address;
    input wire  write_enable;
    input wire  [6:0] write_data;
    output reg  [6:0] read_data;
    reg [6:0] memory [0:3];
    always @(posedge clock) begin
        if (reset) read_data <= 7'h0;
        else read_data <= memory[address];
        if (write_enable) memory[address] <= write_data;
    end
endmodule
";

    #[test]
    fn a_small_register_file_stays_as_it_is_and_is_known() {
        let (text, memories) = in_pieces(FOUR_WORDS);
        assert!(text.contains("reg [2:0] memory [0:3];") && !text.contains("piece$"), "{text}");
        let module = "top$file".to_owned();
        assert_eq!(memories, [MemoryModule { module, words: 4, width: 3, is_sram: false }]);
    }

    #[test]
    fn a_synchronous_memory_is_a_black_box_and_other_modules_stay() {
        let other = "module other(a,b);\n    input wire a;\n    output reg b;\n    \
                     always @(*) b = a;\nendmodule\n";
        let (text, memories) = in_pieces(&format!("{other}{SRAM}{other}"));
        assert!(text.starts_with(other) && text.ends_with(other), "{text}");
        assert!(text.contains("(* blackbox *)\nmodule ram(") && !text.contains("memory"), "{text}");
        assert!(text.contains("read_data;\nendmodule\n"), "{text}");
        let module = "ram".to_owned();
        assert_eq!(memories, [MemoryModule { module, words: 4, width: 7, is_sram: true }]);
    }

    #[test]
    fn what_is_more_than_a_memory_stays_as_it_is() {
        let more = FOUR_WORDS.replace("    end\n", "    end\n    assign x = y;\n");
        assert_eq!(in_pieces(&more), (more.clone(), Vec::new()));
    }

    #[test]
    fn a_register_file_in_pieces_is_the_same_machine() {
        let (pieces, _) = rewritten(FOUR_WORDS, 0);
        assert!(pieces.contains("piece$word$3$2") && !pieces.contains("memory"), "{pieces}");
        // Six cycles are enough to write each word and to read it at both ports.
        let second_port = ("if (enable[1])", "if (enable[0])");
        assert_same_machine("top$file", (FOUR_WORDS, &pieces), second_port, 6);
    }
}
