//! Places in an order of visit.

use super::verilog::{bit, number_of, number_that_hold, numbers_up_to, or_of_all_above};
use crate::port::step_bits;
use crate::prelude::*;

hdl_module! {
    /// Where each of those that are chosen of `count` stands in the order in which they are
    /// visited: from `first` on, upwards and wrapping. Combinational, no storage.
    ///
    /// ```text
    ///   chosen --> [ count up to each ] --> [ + or - those before first ] --> position[], number
    ///   first ---> [ the last one, and the one behind it                ] --> behind
    /// ```
    pub struct VisitOrder (count: usize) combinational_primitive {
        inputs {
            /// One bit for each that is chosen; always valid.
            chosen: Signal<In, Mask> = Signal::mask(count),
            /// Who is visited first; a number that nobody has comes behind all.
            first: Signal<In, Word> = Signal::id(count),
        }
        outputs {
            /// The place of each that is chosen, from 0; zero for the others.
            position: Vec<Signal<Out, Word>> = Signal::each(count, Word::id(count, 0)),
            /// How many are chosen.
            number: Signal<Out, Word> = Signal::word(step_bits(count)),
            /// The one behind the last that is chosen; `first` where none is.
            behind: Signal<Out, Word> = Signal::id(count),
        }
    }
}

impl Logic for VisitOrder {
    fn update(&mut self) {
        let (chosen, first) = (self.chosen.val(), self.first.val());
        let count = chosen.len();
        let (mut number, mut behind) = (0, first);
        let from = first.index().min(count);
        for at in (from..count).chain(0..from) {
            let is_chosen = chosen.get_bit(at);
            self.position[at].next = first.with(if is_chosen { number } else { 0 });
            if is_chosen {
                number += 1;
                behind = first.with(((at + 1) % count) as u64);
            }
        }
        self.number.next = self.number.val().with(number);
        self.behind.next = behind;
    }

    fn connect(&mut self) {
        self.position.iter_mut().for_each(|port| port.connect());
        self.number.connect();
        self.behind.connect();
    }

    /// A place is the number of those up to it, less those before `first`, or with those from there
    /// on where it is before `first` itself: two sums for all.
    fn hdl(&self) -> Verilog {
        let (count, bits) = (self.position.len(), self.first.val().bits());
        let (high, width) = (count - 1, self.number.val().bits());
        let is_early = (0..count).map(|at| format!("early{}", bit(count, at)));
        let next = match count {
            1 => "last".to_owned(),
            _ => format!("{{last[{}:0], last[{high}]}}", count - 2),
        };
        let mut places = String::new();
        for at in 0..count {
            let bit = bit(count, at);
            places += &format!(
                "    place = up_to[{at}*{width} +: {width}] + (ahead{bit} ? wrapped : straight);\n    \
                 position${at} = chosen{bit} ? place[{top}:0] : {bits}'h0;\n",
                top = bits - 1,
            );
        }
        Verilog::Custom(format!(
            "integer i;\ninteger step;\nreg [{high}:0] ahead;\nreg [{high}:0] early;\n\
             reg [{high}:0] above;\nreg [{high}:0] last;\nreg [{high}:0] next;\n\
             reg [{all}:0] up_to;\nreg [{most}:0] straight;\nreg [{most}:0] wrapped;\n\
             reg [{most}:0] place;\nalways @(*) begin\n    \
             for (i = 0; i < {count}; i = i + 1) ahead[i] = i[{bits}:0] < {{1'h0, first}};\n    \
             early = chosen & ahead;\n{sums}    number = up_to[{all}:{last}];\n    \
             straight = ~({early});\n    wrapped = number + straight;\n{places}    \
             above = (|early) ? early : chosen;\n{or_of_all}    \
             last = above & ~(above >> 1);\n    next = {next};\n    \
             behind = (|chosen) ? {behind} : first;\nend\n",
            all = count * width - 1,
            most = width - 1,
            last = (count - 1) * width,
            sums = numbers_up_to("up_to", "chosen", count, width),
            or_of_all = or_of_all_above("above", count),
            early = number_that_hold(is_early, width),
            behind = number_of("next", count, bits),
        ))
    }
}
