//! What a module promises, and what it expects of whoever drives it: properties, in a file beside
//! the module.
//!
//! ```text
//! pub fn of(queue: &Queue) -> Properties {
//!     let mut p = Properties::of("LaPerm, section IV-E");
//!     p.inner("word_0", "words.memory[0]");                   // a signal of a child
//!     p.register("held", 9, "held + pushes - pops");          // a ghost, cleared by reset
//!     p.assert("count", "as many words as were pushed and not popped", "count == held");
//!     p
//! }
//! ```
//!
//! Expressions are Verilog over the module's ports, locals, constants and children's ports
//! (`state$q`), by the names that they have in the export, and over what is declared here. Nothing
//! is checked in a cycle with reset. The export writes them into the module, behind a define, and
//! refuses names that nothing has; `blockyard prove` proves them.

mod queues;

pub(crate) use queues::{first_come, Queues};

use std::fmt::Display;

/// What is claimed of an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// It holds in every cycle that can be reached: a promise of the module.
    Assert,
    /// The same, of the inner state: without it, induction does not see why the promises hold.
    Invariant,
    /// The same, of ghosts, whatever the module does: what is assumed gives it, and no fault breaks
    /// it.
    Ghost,
    /// Whoever drives the module sees to it.
    Assume,
    /// Some cycle that can be reached has it: what is assumed leaves room for it.
    Cover,
}

/// One property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Property {
    /// Names it in the module.
    pub name: String,
    /// What is claimed.
    pub kind: Kind,
    /// The claim in words.
    pub about: &'static str,
    /// The claim in Verilog.
    pub expression: String,
}

/// Something that properties are written with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Helper {
    /// A signal below a child: `words.memory[3]`, as wide as it is there.
    Inner {
        /// Children, the signal, and for a memory the word.
        path: String,
    },
    /// Any value, the same in all cycles.
    Chosen {
        /// Its width.
        bits: usize,
    },
    /// Any value, a new one in each cycle.
    Free {
        /// Its width.
        bits: usize,
    },
    /// A ghost: a register that only properties see; zero after a reset.
    Register {
        /// Its width.
        bits: usize,
        /// Its value in the next cycle.
        next: String,
    },
    /// A value that has a name.
    Wire {
        /// Its width.
        bits: usize,
        /// What it is.
        value: String,
    },
}

/// The properties of a module.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Properties {
    /// The paper and section that they come from; empty for the primitives.
    pub paper: &'static str,
    /// By name, in the order in which they refer to each other; registers may refer to what follows
    /// them.
    pub helpers: Vec<(String, Helper)>,
    /// In order.
    pub properties: Vec<Property>,
    /// They are for the module alone, not for one inside another: what they assume bounds its
    /// sizes.
    pub alone: bool,
}

impl Properties {
    /// None yet; `paper` is the paper and section that they come from.
    pub fn of(paper: &'static str) -> Self {
        Self { paper, ..Self::default() }
    }

    /// See [`Helper::Inner`].
    pub fn inner(&mut self, name: impl Display, path: impl Display) {
        self.help(name, Helper::Inner { path: path.to_string() });
    }

    /// See [`Helper::Chosen`].
    pub fn chosen(&mut self, name: impl Display, bits: usize) {
        self.help(name, Helper::Chosen { bits });
    }

    /// See [`Helper::Free`].
    pub fn free(&mut self, name: impl Display, bits: usize) {
        self.help(name, Helper::Free { bits });
    }

    /// See [`Helper::Register`].
    pub fn register(&mut self, name: impl Display, bits: usize, next: impl Display) {
        self.help(name, Helper::Register { bits, next: next.to_string() });
    }

    /// See [`Helper::Wire`].
    pub fn wire(&mut self, name: impl Display, bits: usize, value: impl Display) {
        self.help(name, Helper::Wire { bits, value: value.to_string() });
    }

    /// See [`Kind::Assert`].
    pub fn assert(&mut self, name: impl Display, about: &'static str, holds: impl Display) {
        self.claim(Kind::Assert, name, about, holds);
    }

    /// See [`Kind::Invariant`].
    pub fn invariant(&mut self, name: impl Display, about: &'static str, holds: impl Display) {
        self.claim(Kind::Invariant, name, about, holds);
    }

    /// See [`Kind::Ghost`].
    pub fn ghost(&mut self, name: impl Display, about: &'static str, holds: impl Display) {
        self.claim(Kind::Ghost, name, about, holds);
    }

    /// See [`Kind::Assume`].
    pub fn assume(&mut self, name: impl Display, about: &'static str, holds: impl Display) {
        self.claim(Kind::Assume, name, about, holds);
    }

    /// See [`Kind::Cover`].
    pub fn cover(&mut self, name: impl Display, about: &'static str, happens: impl Display) {
        self.claim(Kind::Cover, name, about, happens);
    }

    /// The same, for a module that nothing else surrounds: see [`alone`](Self::alone).
    pub fn of_alone(paper: &'static str) -> Self {
        Self { alone: true, ..Self::of(paper) }
    }

    /// Whether there are any.
    pub fn is_empty(&self) -> bool {
        self.properties.is_empty()
    }

    fn help(&mut self, name: impl Display, helper: Helper) {
        self.helpers.push((name.to_string(), helper));
    }

    fn claim(&mut self, kind: Kind, name: impl Display, about: &'static str, text: impl Display) {
        let (name, expression) = (name.to_string(), text.to_string());
        self.properties.push(Property { name, kind, about, expression });
    }
}

/// The one of `words` that `index` counts, from zero on; the last one when it is not below their
/// number.
///
/// # Panics
/// When there are none.
pub fn among(index: impl Display, words: impl IntoIterator<Item = String>) -> String {
    let mut words: Vec<String> = words.into_iter().collect();
    let last = words.pop().expect("a word to choose");
    let choices = words.iter().enumerate();
    let choices: String =
        choices.map(|(at, word)| format!("({index}) == {at} ? {word} : ")).collect();
    format!("({choices}{last})")
}

/// All of these hold.
pub fn all(claims: impl IntoIterator<Item = String>) -> String {
    joined(claims, " & ", "1'b1")
}

/// One of these holds.
pub fn any(claims: impl IntoIterator<Item = String>) -> String {
    joined(claims, " | ", "1'b0")
}

/// Bit `at` of `signal`, which has so many: Verilog has no part of one that has a single one.
pub fn bit(signal: &str, at: usize, bits: usize) -> String {
    match bits {
        1 => signal.to_owned(),
        _ => format!("{signal}[{at}]"),
    }
}

/// How many of these bits are set.
pub fn count(bits: impl IntoIterator<Item = String>) -> String {
    // In 32 bits, whatever the width of what it is compared with.
    format!("(0 + {})", joined(bits, " + ", "0"))
}

fn joined(claims: impl IntoIterator<Item = String>, between: &str, none: &str) -> String {
    let claims: Vec<String> = claims.into_iter().map(|claim| format!("({claim})")).collect();
    match claims.is_empty() {
        true => none.to_owned(),
        false => format!("({})", claims.join(between)),
    }
}
