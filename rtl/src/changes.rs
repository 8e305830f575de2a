//! Which signals of a design have other values than when they were looked at last.
//!
//! rust-hdl's probes visit every signal of a design and format the name of every element of an array,
//! every time. A dump of a long run looks once a cycle, when most of the design stands still; here
//! modules that did not evaluate since are passed by with all below them.

use rust_hdl::core::atom::Atom;
use rust_hdl::core::direction::Direction;
use rust_hdl::prelude::*;
use std::any::Any;
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

/// Something that has signals: a signal, a module, or an array of either. Signals come in the order in
/// which rust-hdl's probes visit them.
pub trait Watched {
    /// Shows the signals that may have changed.
    fn watch(&self, look: &mut Look);
}

/// The values of a design's signals when they were looked at last.
///
/// Looking takes note in the design: there is one `Changes` for a design.
pub struct Changes {
    /// One a signal; empty for those that nobody wants.
    last: Vec<Option<Box<dyn Any>>>,
    extents: Vec<Extent>,
}

/// A module with all below it, in the order in which modules are entered.
#[derive(Clone, Copy, Debug)]
struct Extent {
    signals: usize,
    modules: usize,
    wanted: bool,
}

impl Changes {
    /// For `design`, of which the signals are wanted that `wants` says, numbered in the order in which
    /// rust-hdl's probes visit them. All of them have changed.
    pub fn new<D: Watched + ?Sized>(design: &D, wants: &dyn Fn(usize) -> bool) -> Self {
        let mut look = Look(Kind::Survey(Survey { wants, signals: 0, extents: Vec::new() }));
        design.watch(&mut look);
        let Look(Kind::Survey(Survey { signals, extents, .. })) = look else {
            unreachable!("a look stays of its kind");
        };
        let unknown = |place| wants(place).then(|| Box::new(()) as Box<dyn Any>);
        Self { last: (0..signals).map(unknown).collect(), extents }
    }

    /// Calls `see` with each wanted signal that has another value than at the last call, and its number.
    pub fn see<D: Watched + ?Sized>(&mut self, design: &D, see: &mut dyn FnMut(usize, &dyn Atom)) {
        design.watch(&mut Look(Kind::Pass(Pass { changes: self, see, signal: 0, module: 0 })));
    }
}

/// A look at a design, on its way from signal to signal.
pub struct Look<'a>(Kind<'a>);

enum Kind<'a> {
    Survey(Survey<'a>),
    Pass(Pass<'a>),
}

/// The first look, at everything.
struct Survey<'a> {
    wants: &'a dyn Fn(usize) -> bool,
    signals: usize,
    extents: Vec<Extent>,
}

/// A look at what has changed.
struct Pass<'a> {
    changes: &'a mut Changes,
    see: &'a mut dyn FnMut(usize, &dyn Atom),
    /// Signals and modules that were passed.
    signal: usize,
    module: usize,
}

impl Look<'_> {
    /// Shows what is in a module, where that is worth a look.
    #[doc(hidden)]
    pub fn module(&mut self, touched: &Touched, show: impl FnOnce(&mut Self)) {
        match &mut self.0 {
            Kind::Survey(survey) => {
                let (number, first) = (survey.extents.len(), survey.signals);
                survey.extents.push(Extent { signals: 0, modules: 0, wanted: false });
                show(self);
                let Kind::Survey(survey) = &mut self.0 else {
                    unreachable!("a look stays of its kind")
                };
                survey.extents[number] = Extent {
                    signals: survey.signals - first,
                    modules: survey.extents.len() - number,
                    wanted: (first..survey.signals).any(survey.wants),
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
        }
    }

    fn signal<T: Synth + 'static>(&mut self, atom: &dyn Atom, value: T) {
        match &mut self.0 {
            Kind::Survey(survey) => survey.signals += 1,
            Kind::Pass(pass) => {
                let place = pass.signal;
                pass.signal += 1;
                let Some(last) = &mut pass.changes.last[place] else { return };
                match last.downcast_mut::<T>() {
                    Some(last) if *last == value => return,
                    Some(last) => *last = value,
                    None => *last = Box::new(value),
                }
                (pass.see)(place, atom);
            }
        }
    }
}

impl<D: Direction, T: Synth + 'static> Watched for Signal<D, T> {
    /// In a design that has settled, a signal's next value is its value.
    #[inline]
    fn watch(&self, look: &mut Look) {
        look.signal(self, self.next);
    }
}

impl<T: Synth + 'static> Watched for Constant<T> {
    fn watch(&self, look: &mut Look) {
        look.signal(self, self.val());
    }
}

impl<const W: usize, const V: u64> Watched for crate::word::Lit<W, V> {
    fn watch(&self, look: &mut Look) {
        look.signal(self, self.val());
    }
}

impl Watched for crate::control::Control {
    fn watch(&self, look: &mut Look) {
        self.clock.watch(look);
        self.reset.watch(look);
    }
}

impl<P: Watched, const K: usize> Watched for [P; K] {
    fn watch(&self, look: &mut Look) {
        self.iter().for_each(|part| part.watch(look));
    }
}
