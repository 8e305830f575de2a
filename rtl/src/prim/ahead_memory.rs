//! A memory that is told a cycle ahead what it will be asked for.

mod properties;

use super::{Register, RegisterFile, SramTwoPort};
use crate::optional::Optional;
use crate::prelude::*;

/// A memory of more bits is an SRAM.
const REGISTER_FILE_BITS: usize = 1024;

hdl_module! {
    /// `words` words as wide as `zero` (a power of two, at most `2^A`) with a read port and a write
    /// port. Whoever knows in `c` which word it needs in `c + 1` has it then as from a
    /// [`RegisterFile`], and it may be an SRAM.
    ///
    /// ```text
    ///   next_address ---------------------------+--> [ words x T ] --> ( or what was written ) --> data
    ///   write_enable, write_address, write_data +--> [           ]              ^
    ///                                           +--> [ written in that cycle ] -+
    /// ```
    ///
    /// `data` in `c + 1` is the word at `next_address` of cycle `c`, as it is after a write in `c`.
    /// Reset does not touch the words: one is undefined until it is written. Of an address only as
    /// many low bits count as `words` needs. Storage: up to 1 kilobit `words` words of register
    /// file and `A` registers; beyond, `words` words of SRAM, and two words and a bit of registers.
    pub struct AheadMemory [T: Value, const A: usize] [T, A] (zero: T, words: usize) clocked {
        inputs {
            /// The word to show in the next cycle; always valid.
            next_address: Signal<In, U<A>>,
            /// Stores `write_data` at the next rising edge.
            write_enable: Signal<In, Bit>,
            /// The word to write; valid with `write_enable`.
            write_address: Signal<In, U<A>>,
            /// The value to store; valid with `write_enable`.
            write_data: Signal<In, T> = Signal::of(zero),
        }
        outputs {
            /// The word that was asked for; undefined if it was never written.
            data: Signal<Out, T> = Signal::of(zero),
        }
        locals {
            apart: Signal<Local, U<A>> = Signal::optional(is_large(zero, words), U::new(0)),
            meets: Signal<Local, Bit> = Signal::optional(is_large(zero, words), false),
        }
        constants {
            low: Constant<U<A>> = Constant::new(U::new(words as u64 - 1)),
        }
        children {
            file: Optional<RegisterFile<T, A>> =
                Optional::new((!is_large(zero, words)).then(|| RegisterFile::new(zero, words, 1, 0))),
            at: Optional<Register<U<A>>> =
                Optional::new((!is_large(zero, words)).then(|| Register::new(U::new(0)))),
            sram: Optional<SramTwoPort<T, A>> =
                Optional::new(is_large(zero, words).then(|| SramTwoPort::new(zero, words))),
            written: Optional<Register<T>> =
                Optional::new(is_large(zero, words).then(|| Register::new(zero))),
            met: Optional<Register<Bit>> =
                Optional::new(is_large(zero, words).then(|| Register::new(false))),
        }
        state {
            words: usize = words,
            small: usize = usize::from(!is_large(zero, words)),
            large: usize = usize::from(is_large(zero, words)),
        }
        properties { properties::of }
    }
}

fn is_large<T: Value>(zero: T, words: usize) -> bool {
    words * zero.width() > REGISTER_FILE_BITS
}

impl<T: Value + Default, const A: usize> AheadMemory<T, A> {
    /// `words` words of a fixed width.
    pub fn of(words: usize) -> Self {
        Self::new(T::default(), words)
    }
}

impl<T: Value, const A: usize> AheadMemory<T, A> {
    /// How many words there are.
    pub fn words(&self) -> usize {
        self.words
    }

    /// Whether its words are a register file.
    pub(crate) fn is_register_file(&self) -> bool {
        self.large == 0
    }

    /// The name of the array of words in the Verilog, for properties.
    pub(crate) fn array(&self) -> &'static str {
        match self.is_register_file() {
            true => "file.memory",
            false => "sram.memory",
        }
    }

    /// The word at `at`, for whoever checks the state from outside.
    ///
    /// # Panics
    /// When there is no such word.
    pub fn peek(&self, at: usize) -> T {
        match self.is_register_file() {
            true => self.file.peek(at),
            false => self.sram.peek(at),
        }
    }
}

impl<T: Value, const A: usize> Logic for AheadMemory<T, A> {
    #[hdl_gen]
    fn update(&mut self) {
        for _is in 0..self.small {
            Control::link(&mut self.control, &mut self.file.control);
            Control::link(&mut self.control, &mut self.at.control);
            self.file.write_enable[0].next = self.write_enable.val();
            self.file.write_address[0].next = self.write_address.val();
            self.file.write_data[0].next = self.write_data.val();
            self.at.d.next = self.next_address.val();
            self.file.address.next = self.at.q.val();
            self.data.next = self.file.data.val();
        }
        for _is in 0..self.large {
            Control::link(&mut self.control, &mut self.sram.control);
            Control::link(&mut self.control, &mut self.written.control);
            Control::link(&mut self.control, &mut self.met.control);
            self.sram.read_address.next = self.next_address.val();
            self.sram.write_enable.next = self.write_enable.val();
            self.sram.write_address.next = self.write_address.val();
            self.sram.write_data.next = self.write_data.val();

            // The SRAM reads what was there before the write of this cycle.
            self.apart.next = (self.write_address.val() ^ self.next_address.val()) & self.low.val();
            self.meets.next = self.write_enable.val() & !self.apart.val().any();
            self.met.d.next = self.meets.val();
            // Late data pass no choice on their way: without `met` nobody looks at them.
            self.written.d.next = self.write_data.val();
            self.data.next = self.sram.read_data.val();
            if self.met.q.val() {
                self.data.next = self.written.q.val();
            }
        }
    }
}
