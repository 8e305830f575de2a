//! A child that a configuration may do without.

use crate::changes::{Look, Watched};
use crate::module::{Child, Module};
use crate::storage::{Part, PartVisitor};
use rust_hdl::prelude::{Block, Logic, Probe};
use std::ops::{Deref, DerefMut};

/// A module, or nothing in its place: no instance, no ports, no storage.
///
/// A kernel names it in loops that run once or not at all: `for _is in 0..self.gated`, where
/// `gated` is a number in the module's `state`.
///
/// # Panics
/// Whoever reaches for a module that is not there.
pub struct Optional<M>(Option<Box<M>>);

impl<M> Optional<M> {
    /// What `module` says.
    pub fn new(module: Option<M>) -> Self {
        Self(module.map(Box::new))
    }
}

impl<M> Deref for Optional<M> {
    type Target = M;

    #[inline]
    fn deref(&self) -> &M {
        self.0.as_deref().expect("the configuration does without this child")
    }
}

impl<M> DerefMut for Optional<M> {
    #[inline]
    fn deref_mut(&mut self) -> &mut M {
        self.0.as_deref_mut().expect("the configuration does without this child")
    }
}

impl<M: Module> Logic for Optional<M> {
    fn update(&mut self) {}
}

impl<M: Module> Block for Optional<M> {
    fn connect_all(&mut self) {
        self.0.iter_mut().for_each(|module| module.connect_all());
    }
    #[inline]
    fn update_all(&mut self) {
        if let Some(module) = &mut self.0 {
            module.update_all();
        }
    }
    #[inline]
    fn has_changed(&self) -> bool {
        self.0.as_ref().is_some_and(|module| module.has_changed())
    }
    fn accept(&self, name: &str, probe: &mut dyn Probe) {
        self.0.iter().for_each(|module| module.accept(name, probe));
    }
}

impl<M: Module> Child for Optional<M> {
    #[inline]
    fn has_news(&self) -> bool {
        self.0.as_ref().is_some_and(|module| Module::has_news(&**module))
    }

    #[inline]
    fn update_stirred(&mut self) {
        self.0.iter_mut().for_each(|module| Module::update_stirred(&mut **module));
    }

    #[inline]
    fn capture(&mut self) -> bool {
        self.0.as_mut().is_some_and(|module| Module::capture(&mut **module))
    }
}

impl<M: Module> Watched for Optional<M> {
    fn watch(&self, look: &mut Look) {
        self.0.iter().for_each(|module| module.watch(look));
    }
}

impl<M: Module> Part for Optional<M> {
    fn show(&self, name: &'static str, see: &mut PartVisitor) {
        self.0.iter().for_each(|module| see(name, None, &**module));
    }
}
