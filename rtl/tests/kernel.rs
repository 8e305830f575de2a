//! What each construct of a kernel is in Verilog.

use blockyard_rtl::hdl::Verilog;
use blockyard_rtl::prelude::*;
use rust_hdl::core::verilog_gen::{verilog_combinatorial, verilog_link_extraction};

/// A pair of words.
#[derive(Clone, Copy, Debug, Default, PartialEq, Record)]
struct Pair {
    low: U<3>,
    high: U<5>,
}

hdl_module! {
    /// What a child is.
    struct Inner clocked {
        inputs { d: Signal<In, Bit> }
        outputs { q: Signal<Out, Bit> }
    }
}

impl Logic for Inner {
    #[hdl_gen]
    fn update(&mut self) {
        self.q.next = self.d.val();
    }
}

/// A module of a few signals, of which the kernel is `block`.
macro_rules! kernel {
    ($this:ident $block:block) => {{
        hdl_module! {
            /// It has one of each.
            struct Each clocked {
                inputs {
                    a: Signal<In, U<8>>,
                    bit: Signal<In, Bit>,
                    pair: Signal<In, Pair>,
                    row: Vec<Signal<In, U<8>>> = Signal::each(4, U::new(0)),
                }
                outputs {
                    out: Signal<Out, U<8>>,
                    yes: Signal<Out, Bit>,
                    made: Signal<Out, Pair>,
                    rows: Vec<Signal<Out, U<8>>> = Signal::each(4, U::new(0)),
                }
                children { inner: Inner }
                state { width: usize = 6, count: usize = 2 }
            }
        }

        #[allow(clippy::useless_conversion)]
        impl Logic for Each {
            #[hdl_gen]
            fn update(&mut $this) $block
        }

        Each::new().hdl()
    }};
}

/// The lines of a kernel without the `always` around them.
fn lines(kernel: Verilog) -> Vec<String> {
    let Verilog::Combinatorial(block) = kernel else { panic!("it is a kernel: {kernel:?}") };
    let text = verilog_combinatorial(&block);
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    assert_eq!((lines[0], lines[lines.len() - 1]), ("always @(*) begin", "end"));
    lines[1..lines.len() - 1].iter().map(|line| (*line).to_owned()).collect()
}

#[test]
fn an_assignment_is_one() {
    let text = lines(kernel!(self {
        self.out.next = self.a.val();
        self.inner.d.next = true;
        self.yes.next = self.inner.q.val();
    }));
    assert_eq!(text, ["out = a;", "inner$d = 1'b1;", "yes = inner$q;"]);
}

#[test]
fn operators_stand_where_they_stood() {
    let text = lines(kernel!(self {
        self.out.next = (self.a.val() + self.row[0].val()) & !self.row[1].val();
        self.out.next = self.a.val() - self.a.val() * self.a.val();
        self.out.next = self.a.val() << self.a.val() | self.a.val();
        self.yes.next = (self.a.val() < self.a.val()) ^ (self.a.val() >= self.a.val());
        self.yes.next = (self.a.val() <= self.a.val()) != (self.a.val() > self.a.val());
        self.yes.next = self.a.val() == self.row[3].val();
    }));
    assert_eq!(
        text,
        [
            "out = (a + row$0) & ~row$1;",
            "out = a - a * a;",
            "out = a << a | a;",
            "yes = (a < a) ^ (a >= a);",
            "yes = (a <= a) != (a > a);",
            "yes = a == row$3;",
        ]
    );
}

#[test]
fn bits_and_slices_are_taken_out() {
    let text = lines(kernel!(self {
        self.yes.next = self.a.val().get_bit(5) | self.a.val().any() & self.a.val().all();
        self.out.next = bit_cast::<8, 4>(self.a.val().get_bits::<4>(2));
    }));
    assert_eq!(text, ["yes = a[32'h5] | |a & &a;", "out = ((a[(32'h2)+:(4)]) & 8'hff);"],);
}

#[test]
fn a_cast_has_the_width_that_its_function_says() {
    let text = lines(kernel!(self {
        self.made.next.low = bit_cast::<3, 8>(self.a.val());
        self.made.next.high = bit_cast_of::<5>(bit_cast_to(self.a.val(), self.width));
        self.out.next = self.a.val().into();
    }));
    assert_eq!(
        text,
        [
            "made[(64'h0)+:(3)] = ((a) & 3'h7);",
            "made[(64'h3)+:(5)] = ((((a) & 6'h3f)) & 5'h1f);",
            "out = a;",
        ]
    );
}

#[test]
fn fields_are_slices_of_their_record() {
    let text = lines(kernel!(self {
        self.made.next.low = self.pair.val().low;
        self.made.next.high = self.pair.val().high;
    }));
    assert_eq!(
        text,
        ["made[(64'h0)+:(3)] = pair[(64'h0)+:(3)];", "made[(64'h3)+:(5)] = pair[(64'h3)+:(5)];",]
    );
}

#[test]
fn a_condition_has_one_branch_or_two() {
    let text = lines(kernel!(self {
        if self.bit.val() {
            self.yes.next = true;
        }
        if self.a.val().any() {
            self.yes.next = true;
        } else {
            if self.bit.val() {
                self.yes.next = false;
            }
            self.out.next = self.a.val();
        }
    }));
    assert_eq!(
        text.join(" "),
        "if (bit) begin yes = 1'b1; end if (|a) begin yes = 1'b1; end \
         else begin if (bit) begin yes = 1'b0; end out = a; end"
    );
}

#[test]
fn loops_are_unrolled_as_often_as_the_instance_says() {
    let text = lines(kernel!(self {
        for i in 0..self.count {
            for at in 1..3 {
                self.rows[at + i].next = self.row[i].val();
            }
            self.yes.next = self.a.val().get_bit(i);
        }
    }));
    assert_eq!(
        text,
        [
            "rows$1 = row$0;",
            "rows$2 = row$0;",
            "yes = a[0];",
            "rows$2 = row$1;",
            "rows$3 = row$1;",
            "yes = a[1];",
        ]
    );
}

#[test]
fn ports_are_linked_each_to_each() {
    let kernel = kernel!(self {
        Control::link(&mut self.control, &mut self.inner.control);
    });
    let Verilog::Combinatorial(block) = kernel else { panic!("it is a kernel: {kernel:?}") };
    let links = format!("{:?}", verilog_link_extraction(&block));
    for port in ["clock", "reset"] {
        let details = format!(
            "VerilogLinkDetails {{ my_name: \"{port}\", owner_name: \"control\", \
             other_name: \"inner$control\" }}"
        );
        assert!(links.contains(&details), "{links}");
    }
}

#[test]
fn what_the_kernel_drives_is_connected() {
    let mut inner = Inner::new();
    assert!(!inner.q.connected());
    Logic::connect(&mut inner);
    assert!(inner.q.connected());
}
