//! Which signals of a design have other values than when they were looked at last.
//!
//! rust-hdl's probes visit every signal of a design and format the name of every element of an
//! array, every time. A dump of a long run looks once a cycle, when most of the design stands
//! still; here modules that did not evaluate since are passed by with all below them.
//!
//! [`own_signals`] shows the values of a module's own signals, changed or not.

use crate::value::Value;
use crate::wire::{Constant, Signal};
use rust_hdl::core::direction::Direction;
use std::cell::Cell;

/// Whether a module has evaluated since it was looked at last.
#[doc(hidden)]
#[derive(Clone, Debug)]
pub struct Touched(Cell<bool>);

impl Default for Touched {
    /// Nobody has looked yet.
    fn default() -> Self {
        Self(Cell::new(true))
    }
}

impl Touched {
    /// The module has evaluated.
    #[inline(always)]
    pub fn mark(&self, evaluated: bool) {
        self.0.set(self.0.get() | evaluated);
    }
}

/// Something that has signals: a signal, a module, or an array of either. Signals come in the order
/// in which rust-hdl's probes visit them.
pub trait Watched {
    /// Shows the signals that may have changed.
    fn watch(&self, look: &mut Look);
}

/// The values of a design's signals when they were looked at last.
///
/// Looking takes note in the design: there is one `Changes` for a design.
pub struct Changes {
    /// For each signal the place of its first field in `last`; [`UNWANTED`] for those that nobody
    /// wants.
    first: Vec<u32>,
    last: Vec<u64>,
    extents: Vec<Extent>,
}

const UNWANTED: u32 = u32::MAX;

/// A module with all below it, in the order in which modules are entered.
#[derive(Clone, Copy, Debug)]
struct Extent {
    signals: usize,
    modules: usize,
    wanted: bool,
}

impl Changes {
    /// For `design`, which has settled, and of which the signals are wanted that `wants` says,
    /// numbered in the order in which rust-hdl's probes visit them.
    pub fn new<D: Watched + ?Sized>(design: &D, wants: &dyn Fn(usize) -> bool) -> Self {
        let all = Self { first: Vec::new(), last: Vec::new(), extents: Vec::new() };
        let mut look = Look(Kind::Survey(Survey { wants, all }));
        design.watch(&mut look);
        match look.0 {
            Kind::Survey(Survey { all, .. }) => all,
            Kind::Pass(_) | Kind::Own(_) => unreachable!("a look stays of its kind"),
        }
    }

    /// Calls `see` for up to 64 bits of a field of a wanted signal that are others than at the last
    /// call, or when this was made: with the numbers of the signal and of the field, the place of
    /// the lowest bit in the field, and the bits.
    pub fn see<D: Watched + ?Sized>(&mut self, design: &D, see: &mut See) {
        design.watch(&mut Look(Kind::Pass(Pass { changes: self, see, signal: 0, module: 0 })));
    }
}

/// Takes signal, field, place of the lowest bit, bits.
pub type See<'a> = dyn FnMut(usize, usize, usize, u64) + 'a;

/// Calls `see` for up to 64 bits of a signal of `design` itself, which has settled, the lowest
/// bits first: with the number of the signal among its own, in the order in which rust-hdl's probes
/// visit them, how many bits these are, and the bits. Returns how many signals it has.
pub fn own_signals<D: Watched + ?Sized>(design: &D, see: &mut SeeOwn) -> usize {
    let mut look = Look(Kind::Own(Own { see, signal: 0, inside: false }));
    design.watch(&mut look);
    match look.0 {
        Kind::Own(Own { signal, .. }) => signal,
        Kind::Survey(_) | Kind::Pass(_) => unreachable!("a look stays of its kind"),
    }
}

/// Takes signal, number of bits, bits.
pub type SeeOwn<'a> = dyn FnMut(usize, usize, u64) + 'a;

/// A look at a design, on its way from signal to signal.
pub struct Look<'a>(Kind<'a>);

enum Kind<'a> {
    Survey(Survey<'a>),
    Pass(Pass<'a>),
    Own(Own<'a>),
}

/// The first look, at everything.
struct Survey<'a> {
    wants: &'a dyn Fn(usize) -> bool,
    all: Changes,
}

/// A look at what has changed.
struct Pass<'a> {
    changes: &'a mut Changes,
    see: &'a mut See<'a>,
    /// Signals and modules that were passed.
    signal: usize,
    module: usize,
}

/// A look at what is not further down.
struct Own<'a> {
    see: &'a mut SeeOwn<'a>,
    /// Signals that were passed.
    signal: usize,
    /// Whether the design has been entered.
    inside: bool,
}

impl Look<'_> {
    /// Shows what is in a module, where that is worth a look.
    #[doc(hidden)]
    pub fn module(&mut self, touched: &Touched, show: impl FnOnce(&mut Self)) {
        match &mut self.0 {
            Kind::Survey(Survey { all, .. }) => {
                let (number, first) = (all.extents.len(), all.first.len());
                all.extents.push(Extent { signals: 0, modules: 0, wanted: false });
                touched.0.set(false);
                show(self);
                let Kind::Survey(Survey { all, .. }) = &mut self.0 else {
                    unreachable!("a look stays of its kind")
                };
                all.extents[number] = Extent {
                    signals: all.first.len() - first,
                    modules: all.extents.len() - number,
                    wanted: all.first[first..].iter().any(|first| *first != UNWANTED),
                };
            }
            Kind::Pass(pass) => {
                let extent = pass.changes.extents[pass.module];
                if extent.wanted && touched.0.replace(false) {
                    pass.module += 1;
                    show(self);
                } else {
                    pass.module += extent.modules;
                    pass.signal += extent.signals;
                }
            }
            Kind::Own(own) => {
                if !std::mem::replace(&mut own.inside, true) {
                    show(self);
                }
            }
        }
    }

    fn signal<T: Value>(&mut self, value: T) {
        match &mut self.0 {
            Kind::Survey(Survey { wants, all }) => {
                let wanted = wants(all.first.len());
                all.first.push(if wanted { all.last.len() as u32 } else { UNWANTED });
                if wanted {
                    value.fields(&mut |_, _, bits| all.last.push(bits));
                }
            }
            Kind::Pass(Pass { changes, see, signal, .. }) => {
                let number = *signal;
                *signal += 1;
                let first = changes.first[number];
                if first == UNWANTED {
                    return;
                }
                let (mut last, mut fields) = (changes.last[first as usize..].iter_mut(), 0);
                value.fields(&mut |from, _, bits| {
                    fields += usize::from(from == 0);
                    let last = last.next().expect("the fields that were there at first");
                    if *last != bits {
                        *last = bits;
                        see(number, fields - 1, from, bits);
                    }
                });
            }
            Kind::Own(Own { see, signal, .. }) => {
                value.fields(&mut |_, width, bits| see(*signal, width, bits));
                *signal += 1;
            }
        }
    }
}

impl<D: Direction, T: Value> Watched for Signal<D, T> {
    /// In a design that has settled, a signal's next value is its value.
    #[inline]
    fn watch(&self, look: &mut Look) {
        if self.is_present() {
            look.signal(self.next);
        }
    }
}

impl<T: Value> Watched for Constant<T> {
    fn watch(&self, look: &mut Look) {
        if self.is_present() {
            look.signal(self.val());
        }
    }
}

impl<const W: usize, const V: u64> Watched for crate::word::Lit<W, V> {
    fn watch(&self, look: &mut Look) {
        look.signal(self.val());
    }
}

impl<P: Watched> Watched for Vec<P> {
    fn watch(&self, look: &mut Look) {
        self.iter().for_each(|part| part.watch(look));
    }
}

impl<P: Watched, const K: usize> Watched for [P; K] {
    fn watch(&self, look: &mut Look) {
        self.iter().for_each(|part| part.watch(look));
    }
}
