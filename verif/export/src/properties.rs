//! The properties of modules, written into their text behind a define.
//!
//! ```text
//! `ifdef BLOCKYARD_PROPERTIES
//!     reg [8:0] stored;
//!     always @(posedge clock) stored <= reset ? 9'h0 : stored + pushes - pops;
//!     // full: it is full with all its words
//!     (* keep *) wire holds$full;
//!     assign holds$full = ~properties$on | (full == (stored == 4));
//!     always @(*) assert(holds$full);
//! `endif // properties
//! ```
//!
//! What the top module assumes is assumed; what a module inside it assumes, its parent has to keep,
//! and it is asserted. An inner signal is a hierarchical name, which Yosys connects once the design
//! is flat: see [`Inner::connect`].

use super::text::{identifiers, module_name};
use super::ExportError;
use blockyard_rtl::property::{Helper, Kind, Properties, Property};
use blockyard_rtl::storage::Declared;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt::{self, Write};

/// The macro that turns properties on.
pub const DEFINE: &str = "BLOCKYARD_PROPERTIES";

/// The macro that makes an assertion of each cover point: it fails in a cycle that has it.
pub const COVERS: &str = "BLOCKYARD_COVERS";

/// Whose properties are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Whose {
    /// Those of the top module.
    Top,
    /// Those of all modules.
    All,
}

/// A wire of the properties that follows a signal of a child.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inner {
    /// Both as in the flat design: `queue.word_0`, `queue.words.memory[0]`.
    wire: String,
    signal: String,
}

impl Inner {
    /// The command of Yosys that connects the two in a flat design.
    pub fn connect(&self) -> String {
        format!("connect -nounset -set \\{} \\{}", self.wire, self.signal)
    }
}

/// Writes properties into the texts of the modules of a design, whose first one is the top.
///
/// # Errors
/// When a property names what there is not, or what is there already.
pub fn insert(
    design: &dyn Declared,
    texts: &mut [String],
    whose: Whose,
) -> Result<Vec<Inner>, ExportError> {
    let at = texts.iter().enumerate().map(|(at, text)| (module_name(text).to_owned(), at));
    let places: HashMap<String, usize> = at.collect();
    let top = texts.first().map(|text| module_name(text).to_owned()).unwrap_or_default();
    let mut walk = Walk { places, texts, inner: Vec::new(), failed: None, whose };
    walk.module(design, &top, "");
    match walk.failed {
        Some(error) => Err(error),
        None => Ok(walk.inner),
    }
}

struct Walk<'a> {
    places: HashMap<String, usize>,
    texts: &'a mut [String],
    inner: Vec<Inner>,
    failed: Option<ExportError>,
    whose: Whose,
}

impl Walk<'_> {
    /// `path` names the text, `instance` the module in a flat design.
    fn module(&mut self, module: &dyn Declared, path: &str, instance: &str) {
        let properties = module.properties();
        let is_top = instance.is_empty();
        if !properties.is_empty() && (is_top || !properties.alone) {
            let done = self.write(&properties, path, instance);
            self.failed = self.failed.take().or(done.err());
        }
        if self.whose == Whose::All {
            module.parts(&mut |name, index, part| {
                let name = index.map_or(name.to_owned(), |index| format!("{name}${index}"));
                let below = format!("{instance}{name}.");
                self.module(part, &format!("{path}${name}"), &below);
            });
        }
    }

    fn write(
        &mut self,
        properties: &Properties,
        path: &str,
        instance: &str,
    ) -> Result<(), ExportError> {
        let Some(&at) = self.places.get(path) else {
            return Err(ExportError::Property(format!("there is no text of a module `{path}`")));
        };
        let block = self.block(properties, path, instance)?;
        let end = format!("endmodule // {path}\n");
        self.texts[at] = self.texts[at].replace(&end, &(block + &end));
        Ok(())
    }

    fn block(
        &mut self,
        properties: &Properties,
        path: &str,
        instance: &str,
    ) -> Result<String, ExportError> {
        let declared = declarations(&self.texts[self.places[path]]);
        let clocked = declared.contains_key("clock");
        check_names(properties, &declared, &instances(&self.texts[self.places[path]]), path)?;
        let mut text = format!("`ifdef {DEFINE}\n");
        if !properties.paper.is_empty() {
            let _ = writeln!(text, "    // Properties: {}", properties.paper);
        }
        text += &on(clocked, instance.is_empty());
        let mut clocks = String::new();
        for (name, helper) in &properties.helpers {
            let declaration = |bits: usize| match bits {
                1 => name.clone(),
                _ => format!("[{}:0] {name}", bits - 1),
            };
            let _ = match helper {
                Helper::Inner { path: signal } => {
                    let bits = self.width(path, signal).ok_or_else(|| {
                        ExportError::Property(format!("`{path}` has no inner signal `{signal}`"))
                    })?;
                    self.inner.push(Inner {
                        wire: format!("{instance}{name}"),
                        signal: format!("{instance}{signal}"),
                    });
                    let declared = declaration(bits);
                    writeln!(
                        text,
                        "    wire {declared};\n`ifndef YOSYS\n    assign {name} = {signal};\n`endif"
                    )
                }
                Helper::Chosen { bits } => any(&mut text, "anyconst", name, *bits),
                Helper::Free { bits } => any(&mut text, "anyseq", name, *bits),
                Helper::Register { bits, next } => {
                    let _ = writeln!(
                        clocks,
                        "    always @(posedge clock) {name} <= reset ? {bits}'h0 : {next};"
                    );
                    writeln!(text, "    reg {};", declaration(*bits))
                }
                Helper::Wire { bits, value } => {
                    let _ = writeln!(clocks, "    assign {name} = {value};");
                    writeln!(text, "    wire {};", declaration(*bits))
                }
            };
        }
        text += &clocks;
        properties.properties.iter().for_each(|claim| text += &written(claim, instance.is_empty()));
        Ok(text + "`endif // properties\n")
    }

    /// The width of a signal below a module.
    fn width(&self, path: &str, signal: &str) -> Option<usize> {
        let (module, name) = match signal.rsplit_once('.') {
            Some((children, name)) => (format!("{path}${}", children.replace('.', "$")), name),
            // A word of a memory of its own.
            None => (path.to_owned(), signal),
        };
        let declared = declarations(&self.texts[*self.places.get(&module)?]);
        let (name, word) = match name.split_once('[') {
            Some((name, word)) => (name, word.strip_suffix(']')?.parse::<usize>().ok()),
            None => (name, None),
        };
        // A constant is no signal: a flat design has none of its name.
        let found = declared.get(name).filter(|found| !found.constant)?;
        let is_there = match (found.words, word) {
            (Some(words), Some(word)) => word < words,
            (None, None) => true,
            _ => false,
        };
        is_there.then_some(found.bits)
    }
}

/// Declares any value; a simulator, which has no such thing, takes zero.
fn any(text: &mut String, which: &str, name: &str, bits: usize) -> fmt::Result {
    let range = if bits == 1 { String::new() } else { format!("[{}:0] ", bits - 1) };
    writeln!(
        text,
        "    (* {which} *) wire {range}{name};\n`ifndef YOSYS\n    assign {name} = {bits}'h0;\n`endif"
    )
}

/// When properties are checked: not before the first reset, and not in a cycle with one.
fn on(clocked: bool, is_top: bool) -> String {
    if !clocked {
        return "    wire properties$on = 1'b1;\n".to_owned();
    }
    let begins = match is_top {
        true => "    always @(*) assume(properties$begun | reset);\n",
        false => "",
    };
    format!(
        "    reg properties$begun = 1'b0;\n    always @(posedge clock) properties$begun <= 1'b1;\n    \
         wire properties$on = properties$begun & ~reset;\n{begins}"
    )
}

fn written(property: &Property, is_top: bool) -> String {
    let Property { name, kind, about, expression } = property;
    let word = match kind {
        Kind::Assume if is_top => "assume",
        Kind::Assume | Kind::Assert | Kind::Invariant | Kind::Ghost => "assert",
        Kind::Cover => {
            return format!(
                "    // {name}: {about}\n    (* keep *) wire reached${name};\n    \
                 assign reached${name} = properties$on & ({expression});\n\
                 `ifdef {COVERS}\n    always @(*) assert(~reached${name});\n\
                 `else\n    always @(*) cover(reached${name});\n`endif\n"
            )
        }
    };
    // Icarus 11 takes assertions without labels alone; the wires have the names.
    format!(
        "    // {name}: {about}\n    (* keep *) wire holds${name};\n    \
         assign holds${name} = ~properties$on | ({expression});\n    \
         always @(*) {word}(holds${name});\n"
    )
}

/// A signal, constant or memory of a module's text.
struct Declaration {
    constant: bool,
    bits: usize,
    /// Of a memory.
    words: Option<usize>,
}

fn declarations(text: &str) -> BTreeMap<&str, Declaration> {
    text.lines().filter_map(declaration).collect()
}

/// The names of the children in a module's text.
fn instances(text: &str) -> HashSet<&str> {
    let heads = text.lines().filter_map(|line| line.strip_prefix("    ")?.strip_suffix('('));
    heads.filter_map(|head| head.split_once(' ').map(|(_, name)| name)).collect()
}

/// What a line like `    reg [62:0] memory [0:31];` declares.
fn declaration(line: &str) -> Option<(&str, Declaration)> {
    let line = line.split(" = ").next()?.trim().trim_end_matches(';');
    let mut words = line.split_whitespace();
    let kind = words.next()?;
    if !matches!(kind, "input" | "output" | "reg" | "wire" | "localparam") {
        return None;
    }
    let constant = kind == "localparam";
    let (mut name, mut bits, mut memory) = ("", 1, None);
    for word in words.filter(|word| !matches!(*word, "reg" | "wire")) {
        match word.strip_prefix('[') {
            None => name = word,
            Some(range) if name.is_empty() => {
                bits = range.split(':').next()?.parse::<usize>().ok()? + 1
            }
            Some(range) => {
                memory =
                    Some(range.strip_prefix("0:")?.strip_suffix(']')?.parse::<usize>().ok()? + 1)
            }
        }
    }
    Some((name, Declaration { constant, bits, words: memory }))
}

/// Names that nothing has, and names that something else has.
fn check_names(
    properties: &Properties,
    declared: &BTreeMap<&str, Declaration>,
    instances: &HashSet<&str>,
    path: &str,
) -> Result<(), ExportError> {
    let refuse = |why: String| Err(ExportError::Property(why));
    let mut known: HashSet<&str> = declared.keys().copied().collect();
    for (name, _) in &properties.helpers {
        if !known.insert(name) || instances.contains(name.as_str()) {
            return refuse(format!("`{name}` is declared twice in `{path}`"));
        }
    }
    let mut claims: HashSet<&str> = HashSet::new();
    for claim in &properties.properties {
        if !claims.insert(&claim.name) {
            return refuse(format!("two properties of `{path}` are named `{}`", claim.name));
        }
    }
    let helpers = properties.helpers.iter().filter_map(|(name, helper)| match helper {
        Helper::Register { next, .. } => Some((name, next)),
        Helper::Wire { value, .. } => Some((name, value)),
        _ => None,
    });
    let claims = properties.properties.iter().map(|claim| (&claim.name, &claim.expression));
    for (name, expression) in helpers.chain(claims) {
        if let Some(unknown) = identifiers(expression).find(|word| !known.contains(word)) {
            return refuse(format!("`{name}` of `{path}` names `{unknown}`, which is not there"));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
