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

    /// Declares `name` in `scope`; whether nothing else has that name there, or one of a row's.
    pub fn declare(&mut self, scope: usize, name: &str, named: Named<'a>) -> bool {
        let names = &mut self.0[scope].names;
        let is_free = match named {
            Named::Row { count, .. } => !names.iter().any(|(other, known)| match known {
                _ if other == name => true,
                Named::Row { count: others, .. } => share((name, count), (other, *others)),
                _ => number_in(other, name, count).is_some(),
            }),
            _ => member(names, name).is_none() && !names.contains_key(name),
        };
        names.insert(name.to_owned(), named);
        is_free
    }

    /// What `name` stands for in `scope`.
    pub fn find(&self, name: &str, mut scope: usize) -> Option<Named<'a>> {
        loop {
            let names = &self.0[scope].names;
            if let Some(named) = names.get(name) {
                return (!matches!(named, Named::Row { .. })).then(|| named.clone());
            }
            if let Some(register) = member(names, name) {
                return Some(Named::Register(register));
            }
            scope = self.0[scope].parent?;
        }
    }
}

/// The register called `name` of a row in `names`.
fn member(names: &FxHashMap<String, Named<'_>>, name: &str) -> Option<Reg> {
    let digits = name.len() - name.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    let mut splits = (name.len() - digits..name.len()).filter(|&split| split > 0);
    splits.find_map(|split| {
        let row = &name[..split];
        let Some(Named::Row { count, first }) = names.get(row) else { return None };
        Some(Reg(first.0 + number_in(name, row, *count)?))
    })
}

/// The number of `name` in a row of `count` that begin with `row`, if it is one of them.
fn number_in(name: &str, row: &str, count: u32) -> Option<u32> {
    let number = name.strip_prefix(row)?;
    let canonical = number == "0" || !number.starts_with('0');
    let digits = number.bytes().all(|byte| byte.is_ascii_digit());
    number.parse().ok().filter(|number| canonical && digits && *number < count)
}

/// Whether two rows, of which each begins with a name and has so many, have one in common: `r<20>`
/// and `r1<3>` have `r10`.
fn share(one: (&str, u32), other: (&str, u32)) -> bool {
    let ((short, count), (long, others)) =
        if one.0.len() < other.0.len() { (one, other) } else { (other, one) };
    others > 0 && number_in(&format!("{long}0"), short, count).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether both may be declared between the same braces, in either order; a count makes a row.
    fn both(one: (&str, Option<u32>), other: (&str, Option<u32>)) -> bool {
        let declared = |first: (&str, Option<u32>), second: (&str, Option<u32>)| {
            let mut scopes = Scopes::default();
            let mut declare = |(name, count): (&str, Option<u32>)| {
                let one = Named::Register(Reg(0));
                let named = count.map_or(one, |count| Named::Row { count, first: Reg(0) });
                scopes.declare(0, name, named)
            };
            assert!(declare(first));
            declare(second)
        };
        let ordered = declared(one, other);
        assert_eq!(declared(other, one), ordered, "{one:?} {other:?}");
        ordered
    }

    #[test]
    fn a_name_that_a_row_has_is_taken_and_one_behind_its_end_is_not() {
        assert!(!both(("r", None), ("r", None)) && !both(("r", None), ("r", Some(9))));
        assert!(!both(("r", Some(9)), ("r", Some(2))));
        assert!(!both(("r", Some(9)), ("r8", None)) && both(("r", Some(9)), ("r9", None)));
        for free in ["r01", "r1x", "rx1", "r+1", "s1"] {
            assert!(both(("r", Some(9)), (free, None)), "{free}");
        }
        assert!(!both(("r", Some(11)), ("r1", Some(1))) && both(("r", Some(10)), ("r1", Some(1))));
        assert!(both(("r", Some(99)), ("r1", Some(0))) && both(("r", Some(99)), ("rd", Some(9))));
    }
}
