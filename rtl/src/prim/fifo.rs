//! A first-in first-out queue.

mod properties;

use super::fifo_state::FifoState;
use super::{Register, RegisterFile};
use crate::prelude::*;

hdl_module! {
    /// A queue of `2^A` words (`A` is 1 to 8) as wide as `zero`, or of fewer ([`Self::of`]), whose
    /// oldest word shows without being asked for.
    ///
    /// ```text
    ///   push, data --> [ 2^A x T ] --> head (valid when not empty), second, next_head
    ///   pop ---------> [head, count] --> empty, full, filled
    /// ```
    ///
    /// A word pushed in `c` shows in `c + 1` at the earliest. Push and pop may come together, also
    /// when the queue is full; else a push into a full queue is ignored, as is a pop of an empty
    /// one. `empty`, `full`, `head` depend on the
    /// state alone. Storage: `2^A` words, 17 registers.
    pub struct Fifo [T: Value, const A: usize] [T, A] (zero: T) clocked {
        inputs {
            /// Appends `data`; ignored when `full`, unless the head is popped in the same cycle.
            push: Signal<In, Bit>,
            /// The word to append; valid with `push`.
            data: Signal<In, T> = Signal::of(zero),
            /// Removes the head; ignored when `empty`.
            pop: Signal<In, Bit>,
        }
        outputs {
            /// No word is stored.
            empty: Signal<Out, Bit>,
            /// `2^A` words are stored.
            full: Signal<Out, Bit>,
            /// The oldest word; valid when not `empty`.
            head: Signal<Out, T> = Signal::of(zero),
            /// The oldest word of the next cycle, in a queue [`Self::with_next_head`]; undefined if
            /// there will be none.
            next_head: Signal<Out, T> = Signal::optional(false, zero),
            /// The word behind the oldest one, in a queue [`Self::with_second`]; depends on the
            /// state alone, undefined unless there is one.
            second: Signal<Out, T> = Signal::optional(false, zero),
            /// Exactly one word is stored, in a queue [`Self::with_second`].
            alone: Signal<Out, Bit> = Signal::optional(false, false),
            /// Words that are stored, in a queue [`Self::of`] some words.
            filled: Signal<Out, U<9>> = Signal::optional(false, U::new(0)),
        }
        locals {
            place: Signal<Local, U<8>>,
            count: Signal<Local, U<9>>,
            tail: Signal<Local, U<8>>,
            after: Signal<Local, U<8>> = Signal::optional(false, U::new(0)),
            pushes: Signal<Local, Bit>,
            pops: Signal<Local, Bit>,
        }
        constants {
            none: Lit<9, 0>,
            one: Lit<8, 1>,
            one_word: Lit<9, 1>,
            depth: Constant<U<9>> = Constant::new(U::new(1 << A)),
        }
        children {
            state: Register<FifoState>,
            words: RegisterFile<T, A> = RegisterFile::new(zero, 1 << A, 1, 0),
        }
        state { tells: usize = 0, looks: usize = 0, shows: usize = 0 }
        properties { properties::of }
    }
}

impl<T: Value, const A: usize> Fifo<T, A> {
    /// Of `words` words, a power of two up to `2^A`, with the port `filled`.
    pub fn of(zero: T, words: usize) -> Self {
        Self {
            filled: Signal::of(U::new(0)),
            depth: Constant::new(U::new(words as u64)),
            words: RegisterFile::new(zero, words, 1, 0),
            tells: 1,
            ..Self::new(zero)
        }
    }

    /// With the ports `second` and `alone`.
    pub fn with_second(zero: T) -> Self {
        Self {
            second: Signal::of(zero),
            alone: Signal::of(false),
            words: RegisterFile::new(zero, 1 << A, 1, 1),
            after: Signal::of(U::new(0)),
            shows: 1,
            ..Self::new(zero)
        }
    }

    /// With the port `next_head`.
    pub fn with_next_head(zero: T) -> Self {
        Self {
            next_head: Signal::of(zero),
            words: RegisterFile::new(zero, 1 << A, 1, 1),
            after: Signal::of(U::new(0)),
            looks: 1,
            ..Self::new(zero)
        }
    }
}

impl<T: Value + Default, const A: usize> Fresh for Fifo<T, A> {
    fn fresh() -> Self {
        Self::new(T::default())
    }
}

impl<T: Value, const A: usize> Logic for Fifo<T, A> {
    #[hdl_gen]
    fn update(&mut self) {
        Control::link(&mut self.control, &mut self.state.control);
        Control::link(&mut self.control, &mut self.words.control);
        self.place.next = self.state.q.val().head;
        self.count.next = self.state.q.val().count;
        self.empty.next = self.count.val() == self.none.val();
        self.full.next = self.count.val() == self.depth.val();
        self.pops.next = self.pop.val() & (self.count.val() != self.none.val());
        self.pushes.next =
            self.push.val() & ((self.count.val() != self.depth.val()) | self.pops.val());
        self.tail.next = self.place.val() + self.count.val().get_bits::<8>(0);
        self.words.write_enable[0].next = self.pushes.val();
        self.words.write_address[0].next = self.tail.val().get_bits::<A>(0);
        self.words.write_data[0].next = self.data.val();
        self.words.address.next = self.place.val().get_bits::<A>(0);
        self.head.next = self.words.data.val();
        for _is in 0..self.tells {
            self.filled.next = self.count.val();
        }
        for _is in 0..self.shows {
            self.after.next = self.place.val() + self.one.val();
            self.words.also_address[0].next = self.after.val().get_bits::<A>(0);
            self.second.next = self.words.also_data[0].val();
            self.alone.next = self.count.val() == self.one_word.val();
        }
        for _is in 0..self.looks {
            self.after.next = self.place.val() + self.one.val();
            self.words.also_address[0].next = self.after.val().get_bits::<A>(0);
            self.next_head.next = self.words.data.val();
            if self.pops.val() {
                self.next_head.next = self.words.also_data[0].val();
            }
            if (self.count.val() == self.none.val())
                | (self.pops.val() & (self.count.val() == self.one_word.val()))
            {
                self.next_head.next = self.data.val();
            }
        }
        self.state.d.next = self.state.q.val();
        if self.pops.val() {
            self.state.d.next.head = self.place.val() + self.one.val();
        }
        if self.pushes.val() & !self.pops.val() {
            self.state.d.next.count = self.count.val() + self.one_word.val();
        }
        if self.pops.val() & !self.pushes.val() {
            self.state.d.next.count = self.count.val() - self.one_word.val();
        }
    }
}
