//! Names are checked, and properties are written.

use super::*;
use blockyard_rtl::storage::{PartVisitor, Storage};

const TOP: &str =
    "module top(clock,reset,a);\n    input wire  clock;\n    input wire  reset;\n    \
                   input wire  [3:0] a;\n    top$child child(\n    );\nendmodule // top\n";
const CHILD: &str = "module top$child(clock);\n    input wire  clock;\n    \
                     reg [6:0] memory [0:3];\n    reg  [1:0] q;\nendmodule // top$child\n";

/// A module with properties, as a parent or as the only one.
struct Stated(fn(&mut Properties));

impl Declared for Stated {
    fn kind(&self) -> &'static str {
        "stated"
    }
    fn parts(&self, _see: &mut PartVisitor) {}
    fn storage(&self) -> Vec<Storage> {
        Vec::new()
    }
    fn properties(&self) -> Properties {
        let mut properties = Properties::of("a paper");
        self.0(&mut properties);
        properties
    }
}

fn text(state: fn(&mut Properties)) -> Result<(String, Vec<Inner>), String> {
    let mut texts = [TOP.to_owned(), CHILD.to_owned()];
    let inner =
        insert(&Stated(state), &mut texts, Whose::Top).map_err(|error| error.to_string())?;
    Ok((texts.concat(), inner))
}

#[test]
fn a_property_stands_behind_the_define_with_its_words() {
    let (text, _) = text(|p| p.assert("small", "it is small", "a < 3")).expect("it is written");
    let block = text.split("`ifdef BLOCKYARD_PROPERTIES").nth(1).expect("a block");
    assert!(block.contains("// small: it is small"), "{block}");
    assert!(block.contains("always @(*) assert(holds$small);"), "{block}");
}

#[test]
fn an_inner_signal_is_as_wide_as_it_is_and_connected_by_its_path() {
    let (text, inner) = text(|p| {
        p.inner("word", "child.memory[3]");
        p.inner("state", "child.q");
        p.assert("small", "it is small", "word < 3 & state == 0");
    })
    .expect("it is written");
    assert!(text.contains("wire [6:0] word;") && text.contains("wire [1:0] state;"), "{text}");
    assert_eq!(inner[0].connect(), "connect -nounset -set \\word \\child.memory[3]");
}

#[test]
fn a_name_that_nothing_has_is_refused_wherever_it_stands() {
    let refused = |state, name: &str| {
        let error = text(state).expect_err("it is refused");
        assert!(error.contains(name), "{error}");
    };
    refused(|p| p.assert("c", "", "a < other"), "`other`");
    refused(|p| p.assume("c", "", "reset | gone"), "`gone`");
    refused(
        |p| {
            p.register("ghost", 2, "ghost + nothing");
            p.assert("c", "", "ghost == 0");
        },
        "`nothing`",
    );
    refused(
        |p| {
            p.wire("shown", 2, "a + absent");
            p.assert("c", "", "shown == 0");
        },
        "`absent`",
    );
    refused(
        |p| {
            p.inner("x", "child.missing");
            p.assert("c", "", "x");
        },
        "`child.missing`",
    );
    refused(
        |p| {
            p.inner("x", "nobody.q");
            p.assert("c", "", "x");
        },
        "`nobody.q`",
    );
    refused(
        |p| {
            p.inner("x", "child.memory[4]");
            p.assert("c", "", "x");
        },
        "`child.memory[4]`",
    );
}

#[test]
fn a_name_that_is_taken_is_refused() {
    let error = text(|p| {
        p.register("a", 1, "a");
        p.assert("c", "", "a");
    });
    assert!(error.expect_err("it is refused").contains("`a` is declared twice"));
    let error = text(|p| {
        p.register("child", 1, "a");
        p.assert("c", "", "a");
    });
    assert!(error.expect_err("it is an instance").contains("`child` is declared twice"));
    let error = text(|p| {
        p.assert("c", "", "a");
        p.assert("c", "", "a");
    });
    assert!(error.expect_err("it is refused").contains("named `c`"));
}

#[test]
fn what_a_module_inside_assumes_is_asserted() {
    let claim =
        Property { name: "kept".into(), kind: Kind::Assume, about: "", expression: "a".into() };
    assert!(written(&claim, true).contains("assume(holds$kept)"));
    assert!(written(&claim, false).contains("assert(holds$kept)"));
}
