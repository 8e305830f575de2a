//! A small design whose whole text stands here, and what cannot be exported.

// The macros' own items have no docs.
#![allow(missing_docs)]

use super::*;
use blockyard_rtl::module::Fresh;
use blockyard_rtl::prelude::*;
use blockyard_rtl::prim::Register;
use blockyard_rtl::property::Properties;
use expect_test::expect;

port_bundle! {
    /// Whoever asks is answered.
    pub struct AskPorts {
        inputs {
            /// A question.
            ask: Signal<In, U<4>>,
        }
        outputs {
            /// Its answer.
            answer: Signal<Out, U<4>>,
        }
    }
}

hdl_module! {
    /// Keeps a question, and answers with the one before.
    pub struct Cell clocked {
        bundles { ask_ports: AskPorts }
        inputs {
            /// Whether it keeps this one.
            keep: Signal<In, Bit>,
        }
        outputs {
            /// Whether it is the highest one.
            is_last: Signal<Out, Bit>,
        }
        constants { last: Lit<4, 15> }
        children { kept: Register<U<4>> }
        properties { cell_properties }
    }
}

fn cell_properties(_: &Cell) -> Properties {
    let mut p = Properties::of("this page, section 1");
    p.inner("stored", "kept.q");
    p.register("count", 2, "count + keep");
    p.wire("odd", 1, "count[0]");
    p.chosen("watched", 4);
    p.free("anything", 1);
    p.assume("asks", "nobody asks for the last one", "ask != 4'hf");
    p.assert("answers", "it answers with what it keeps", "answer == stored");
    p.cover("full", "the last one is kept", "is_last & (odd | anything | watched == 0)");
    p
}

impl Logic for Cell {
    #[hdl_gen]
    fn update(&mut self) {
        Control::link(&mut self.control, &mut self.kept.control);
        self.kept.d.next = self.kept.q.val();
        if self.keep.val() {
            self.kept.d.next = self.ask_ports.ask.val();
        }
        self.ask_ports.answer.next = self.kept.q.val();
        self.is_last.next = self.kept.q.val() == self.last.val();
    }
}

hdl_module! {
    /// Two cells, of which the second is asked by whoever asks the design.
    pub struct Pair (cells: usize) clocked {
        bundles { ask_ports: AskPorts }
        inputs {
            /// One bit for each cell.
            keep: Signal<In, Mask> = Signal::mask(cells),
            /// Is cut and widened.
            wide: Signal<In, U<12>>,
            /// One bit alone.
            single: Signal<In, Mask> = Signal::mask(1),
        }
        outputs {
            /// `wide` and one more.
            sum: Signal<Out, U<13>>,
            /// Some bits of it.
            cut: Signal<Out, U<5>>,
            /// Which cell keeps one, and has had the highest one.
            lasts: Vec<Signal<Out, Bit>> = Signal::each(cells, false),
            /// `wide`, or nothing.
            chosen: Signal<Out, U<12>>,
            /// Always the same.
            fixed: Signal<Out, U<3>>,
        }
        locals { first: Signal<Local, Bit> }
        constants { one: Lit<13, 1>, nothing: Lit<12, 0>, three: Lit<3, 3> }
        children { cell: Vec<Cell> = (0..cells).map(|_| Cell::fresh()).collect() }
        state { cells: usize = cells }
    }
}

impl Logic for Pair {
    #[hdl_gen]
    fn update(&mut self) {
        self.sum.next = bit_cast::<13, 12>(self.wide.val()) + self.one.val();
        self.cut.next = self.wide.val().get_bits::<5>(4);
        self.first.next = self.single.val().get_bit(0);
        self.fixed.next = self.three.val();
        for i in 0..self.cells {
            Control::link(&mut self.control, &mut self.cell[i].control);
            self.cell[i].keep.next = self.keep.val().get_bit(i) & self.first.val();
            self.lasts[i].next = false;
            if self.keep.val().get_bit(i) {
                self.lasts[i].next = self.cell[i].is_last.val();
            }
        }
        self.cell[0].ask_ports.ask.next = bit_cast::<4, 12>(self.wide.val());
        AskPorts::link(&mut self.ask_ports, &mut self.cell[1].ask_ports);
        self.chosen.next = self.nothing.val();
        if self.first.val() {
            self.chosen.next = self.wide.val();
        } else {
            if self.cell[1].is_last.val() {
                self.chosen.next = !self.wide.val();
            }
        }
    }
}

fn pair() -> Pair {
    let mut pair = Pair::new(2);
    pair.connect_all();
    pair
}

/// What stands behind the define of properties, up to its end.
fn written(text: &str) -> &str {
    let (_, behind) = text.split_once("`ifdef BLOCKYARD_PROPERTIES\n").expect("properties");
    behind.split_once("endmodule").expect("the end of a module").0
}

#[test]
fn a_design_is_written_as_other_tools_want_it() {
    expect![[r#"
        module top(clock,reset,ask,answer,keep,wide,single,sum,cut,lasts$0,lasts$1,chosen,fixed);
            // Module arguments
            input wire  clock;
            input wire  reset;
            input wire  [3:0] ask;
            output wire  [3:0] answer;
            input wire  [1:0] keep;
            input wire  [11:0] wide;
            input wire  [0:0] single;
            output reg  [12:0] sum;
            output reg  [4:0] cut;
            output reg  lasts$0;
            output reg  lasts$1;
            output reg  [11:0] chosen;
            output reg  [2:0] fixed;
            // Constant declarations
            localparam  one = 13'b1;
            localparam  nothing = 12'h0;
            localparam  three = 3'b11;
            // Stub signals
            reg  [3:0] cell$0$ask;
            wire  [3:0] cell$0$answer;
            reg  cell$0$keep;
            wire  cell$0$is_last;
            reg  cell$1$keep;
            wire  cell$1$is_last;
            // Local signals
            reg  first;
            // Sub module instances
            top$cell$0 cell$0(
                .clock(clock),
                .reset(reset),
                .ask(cell$0$ask),
                .answer(cell$0$answer),
                .keep(cell$0$keep),
                .is_last(cell$0$is_last)
            );
            top$cell$0 cell$1(
                .clock(clock),
                .reset(reset),
                .ask(ask),
                .answer(answer),
                .keep(cell$1$keep),
                .is_last(cell$1$is_last)
            );
            // Update code
            always @(*) begin
                sum = {1'h0, wide} + one;
                fixed = three;
            end
            always @(*) begin
                cut = wide[4 +: 5];
            end
            always @(*) begin
                first = single[32'h0];
            end
            always @(*) begin
                cell$0$keep = keep[0] & first;
            end
            always @(*) begin
                lasts$0 = 1'b0;
                if (keep[0]) begin
                    lasts$0 = cell$0$is_last;
                end
            end
            always @(*) begin
                cell$1$keep = keep[1] & first;
            end
            always @(*) begin
                lasts$1 = 1'b0;
                if (keep[1]) begin
                    lasts$1 = cell$1$is_last;
                end
            end
            always @(*) begin
                cell$0$ask = wide[0 +: 4];
            end
            always @(*) begin
                chosen = nothing;
                if (first) begin
                    chosen = wide;
                end
                else begin
                    if (cell$1$is_last) begin
                        chosen = ~wide;
                    end
                end
            end
        endmodule // top

        module top$cell$0(clock,reset,ask,answer,keep,is_last);
            // Module arguments
            input wire  clock;
            input wire  reset;
            input wire  [3:0] ask;
            output reg  [3:0] answer;
            input wire  keep;
            output reg  is_last;
            // Constant declarations
            localparam  last = 4'hf;
            // Stub signals
            reg  [3:0] kept$d;
            wire  [3:0] kept$q;
            // Sub module instances
            top$cell$0$kept kept(
                .clock(clock),
                .reset(reset),
                .d(kept$d),
                .q(kept$q)
            );
            // Update code
            always @(*) begin
                kept$d = kept$q;
                if (keep) begin
                    kept$d = ask;
                end
            end
            always @(*) begin
                answer = kept$q;
            end
            always @(*) begin
                is_last = kept$q == last;
            end
        endmodule // top$cell$0

        module top$cell$0$kept(clock,reset,d,q);
            // Module arguments
            input wire  clock;
            input wire  reset;
            input wire  [3:0] d;
            output reg  [3:0] q;
            // Update code (custom)
            always @(posedge clock) begin
                if (reset) q <= 4'h0;
                else q <= d;
            end
        endmodule // top$cell$0$kept
    "#]]
    .assert_eq(&verilog(&pair(), "top").expect("Verilog"));
}

#[test]
fn properties_stand_behind_their_define() {
    let (text, inner) = with_properties(&pair(), "top", Whose::All).expect("Verilog");
    expect![[r#"
            // Properties: this page, section 1
            reg properties$begun = 1'b0;
            always @(posedge clock) properties$begun <= 1'b1;
            wire properties$on = properties$begun & ~reset;
            wire [3:0] stored;
        `ifndef YOSYS
            assign stored = kept.q;
        `endif
            reg [1:0] count;
            wire odd;
            (* anyconst *) wire [3:0] watched;
        `ifndef YOSYS
            assign watched = 4'h0;
        `endif
            (* anyseq *) wire anything;
        `ifndef YOSYS
            assign anything = 1'h0;
        `endif
            always @(posedge clock) count <= reset ? 2'h0 : count + keep;
            assign odd = count[0];
            // asks: nobody asks for the last one
            (* keep *) wire holds$asks;
            assign holds$asks = ~properties$on | (ask != 4'hf);
            always @(*) assert(holds$asks);
            // answers: it answers with what it keeps
            (* keep *) wire holds$answers;
            assign holds$answers = ~properties$on | (answer == stored);
            always @(*) assert(holds$answers);
            // full: the last one is kept
            (* keep *) wire reached$full;
            assign reached$full = properties$on & (is_last & (odd | anything | watched == 0));
        `ifdef BLOCKYARD_COVERS
            always @(*) assert(~reached$full);
        `else
            always @(*) cover(reached$full);
        `endif
        `endif // properties
    "#]]
    .assert_eq(written(&text));
    let connections: Vec<String> = inner.iter().map(properties::Inner::connect).collect();
    let connect =
        |cell: &str| format!("connect -nounset -set \\cell${cell}.stored \\cell${cell}.kept.q");
    assert_eq!(connections, ["0", "1"].map(connect));
    let mut alone = Cell::new();
    alone.connect_all();
    let (text, _) = with_properties(&alone, "top", Whose::Top).expect("Verilog");
    let properties = written(&text);
    assert!(properties.contains("always @(*) assume(holds$asks);"), "{properties}");
    assert!(properties.contains("always @(*) assume(properties$begun | reset);"), "{properties}");
    let (text, inner) = with_properties(&pair(), "top", Whose::Top).expect("Verilog");
    assert_eq!((text, inner), (verilog(&pair(), "top").expect("Verilog"), Vec::new()));
}

hdl_module! {
    /// Has a name that it must not have.
    pub struct Reserved combinational {
        inputs {
            /// It.
            context: Signal<In, Bit>,
        }
        outputs {
            /// Its value.
            value: Signal<Out, Bit>,
        }
    }
}

impl Logic for Reserved {
    #[hdl_gen]
    fn update(&mut self) {
        self.value.next = self.context.val();
    }
}

#[test]
fn a_reserved_word_is_no_name() {
    let mut reserved = Reserved::new();
    reserved.connect_all();
    let error = verilog(&reserved, "top").expect_err("it is refused");
    assert!(matches!(&error, ExportError::ReservedWord(word) if word == "context"), "{error}");
}

#[test]
fn a_design_that_is_not_connected_is_refused() {
    let error = verilog(&Reserved::new(), "top").expect_err("it is refused");
    assert!(matches!(error, ExportError::Check(_)), "{error}");
}
