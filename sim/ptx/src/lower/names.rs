//! What the names in a function stand for, between which braces.

use rustc_hash::FxHashMap;

use crate::ast::{self, Space};
use crate::program::{Place, Reg};

/// What a name stands for.
#[derive(Clone, Debug)]
pub(super) enum Named<'a> {
    Register(Reg),
    /// Registers whose names are its own and a letter.
    Vector {
        parts: u32,
    },
    /// Registers with numbers from 0 to before `count` behind their name.
    Row {
        count: u32,
        first: Reg,
    },
    Variable(Space, u64),
    /// A parameter of the function itself, and one that it passes on.
    Own(Place),
    Passed(Place),
    Label(u32),
    Targets(&'a [String]),
    /// What a call that names it passes.
    Prototype(&'a [ast::Variable]),
}

/// Names that are known between two braces.
#[derive(Default)]
struct Scope<'a> {
    parent: Option<usize>,
    names: FxHashMap<String, Named<'a>>,
}

/// All scopes of a function: the first is its own.
pub(super) struct Scopes<'a>(Vec<Scope<'a>>);

impl Default for Scopes<'_> {
    fn default() -> Self {
        Self(vec![Scope::default()])
    }
}

impl<'a> Scopes<'a> {
    /// Opens a scope within `parent`; its number.
    pub fn open(&mut self, parent: usize) -> usize {
        self.0.push(Scope { parent: Some(parent), names: FxHashMap::default() });
        self.0.len() - 1
    }

    /// Declares `name` in `scope`; whether nothing else has that name there.
    pub fn declare(&mut self, scope: usize, name: &str, named: Named<'a>) -> bool {
        self.0[scope].names.insert(name.to_owned(), named).is_none()
    }

    /// What `name` stands for in `scope`.
    pub fn find(&self, name: &str, mut scope: usize) -> Option<Named<'a>> {
        loop {
            let names = &self.0[scope].names;
            if let Some(named) = names.get(name) {
                return (!matches!(named, Named::Row { .. })).then(|| named.clone());
            }
            let digits = name.len() - name.trim_end_matches(|c: char| c.is_ascii_digit()).len();
            for split in (name.len() - digits..name.len()).filter(|&split| split > 0) {
                let (row, number) = name.split_at(split);
                let Some(Named::Row { count, first, .. }) = names.get(row) else { continue };
                let canonical = number == "0" || !number.starts_with('0');
                let number =
                    number.parse::<u32>().ok().filter(|number| canonical && number < count);
                if let Some(number) = number {
                    return Some(Named::Register(Reg(first.0 + number)));
                }
            }
            scope = self.0[scope].parent?;
        }
    }
}
