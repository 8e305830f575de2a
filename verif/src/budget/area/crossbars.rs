//! Crossbars in exported Verilog, a module an output.
//!
//! ```text
//!   words, select$0 --[piece]--> data$0      words, select$1 --[piece]--> data$1 ...
//! ```
//!
//! All outputs choose among the same words in the same way: what is a million gates in one module
//! is one piece, mapped once.

use std::collections::BTreeMap;
use std::fmt::Write;

/// Below so many words x bits x outputs a crossbar stays as it is: ABC takes it whole.
const WHOLE: usize = 262_144;

/// The Verilog with its large crossbars in pieces.
pub fn in_pieces(verilog: &str) -> String {
    rewritten(verilog, WHOLE)
}

/// The same, with crossbars of up to so many words x bits x outputs as they are.
fn rewritten(verilog: &str, whole: usize) -> String {
    let (mut text, mut pieces) = (String::new(), BTreeMap::new());
    for part in verilog.split_inclusive("endmodule") {
        let crossbar = Crossbar::read(part);
        match crossbar.filter(|crossbar| crossbar.bits * crossbar.outputs.len() > whole) {
            None => text += part,
            Some(crossbar) => text += &crossbar.in_pieces(&mut pieces),
        }
    }
    pieces.values().for_each(|piece| text += piece);
    text
}

/// A module that is a crossbar and nothing else, as `rtl/src/prim/crossbar.rs` writes it.
struct Crossbar<'a> {
    /// Everything up to what chooses.
    head: &'a str,
    /// Of all words.
    bits: usize,
    /// Of a selector.
    select: &'a str,
    /// Of a word.
    data: &'a str,
    /// The statements of each output.
    outputs: Vec<&'a str>,
}

impl<'a> Crossbar<'a> {
    fn read(module: &'a str) -> Option<Self> {
        const BEGIN: &str = "    integer i;\n    always @(*) begin\n";
        let (head, body) = module.split_once(BEGIN)?;
        let (_, words) = head.rsplit_once("wire [")?;
        let bits = words.split_once(":0] words;")?.0.parse::<usize>().ok()? + 1;
        let range = |port: &str| Some(head.split_once(port)?.0.rsplit_once('[')?.1);
        let (select, data) = (range("] select$0;")?, range("] data$0;")?);
        let end = body.rfind("    end\n")?;
        let mut outputs = Vec::new();
        let mut rest = &body[..end];
        while !rest.is_empty() {
            let next = format!("        data${} = ", outputs.len() + 1);
            let end = rest.find(&next).unwrap_or(rest.len());
            outputs.push(&rest[..end]);
            rest = &rest[end..];
        }
        Some(Self { head, bits, select, data, outputs })
    }

    fn in_pieces(&self, pieces: &mut BTreeMap<String, String>) -> String {
        let Self { head, bits, select, data, outputs } = self;
        let word = data.split(':').next().unwrap_or_default();
        let name = format!("piece$choice${bits}${word}");
        let mut text = (*head).to_owned();
        for output in 0..outputs.len() {
            let _ = writeln!(
                text,
                "wire [{data}] chosen${output};\n{name} choice${output} (.words(words), \
                 .select(select${output}), .data(chosen${output}));\n\
                 always @(*) data${output} = chosen${output};"
            );
        }
        pieces.entry(name.clone()).or_insert_with(|| {
            let chooses = outputs[0].replace("data$0", "data").replace("select$0", "select");
            let chooses = chooses.replace("word$0", &format!("words[{data}]"));
            format!(
                "\nmodule {name}(input [{}:0] words, input [{select}] select, \
                 output reg [{data}] data);\ninteger i;\nalways @(*) begin\n{chooses}end\nendmodule\n",
                bits - 1
            )
        });
        text + "endmodule"
    }
}

#[cfg(test)]
mod tests {
    use super::super::same_machine::assert_same_machine;
    use super::*;
    use crate::export;
    use blockyard_rtl::prim::Crossbar;
    use blockyard_rtl::word::U;
    use rust_hdl::prelude::Block;

    #[test]
    fn a_crossbar_in_pieces_is_the_same_machine() {
        let mut crossbar = Crossbar::of(U::<4>::new(0), 3, 2);
        crossbar.connect_all();
        let whole = export::verilog(&crossbar, "crossbar").expect("Verilog");
        assert_eq!(in_pieces(&whole), whole, "a small one stays");
        let pieces = rewritten(&whole, 0);
        assert_eq!(pieces.matches("piece$choice$12$3 choice").count(), 2, "{pieces}");
        let other_word = ("select == i[4:0]", "select == ~i[4:0]");
        assert_same_machine("crossbar", (&whole, &pieces), other_word, 1);
    }

    #[test]
    fn what_is_no_crossbar_stays_as_it_is() {
        let other =
            "module other(a,b);\ninteger i;\nalways @(*) begin\n    b = a;\nend\nendmodule\n";
        assert_eq!(rewritten(other, 0), other);
    }
}
