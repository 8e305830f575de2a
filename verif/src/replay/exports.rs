//! The Verilog of the catalog's configurations, exported once in a process.
//!
//! Lint, simulators and Yosys read the same text, and the export of a scheduler of 132 SMXs takes
//! seconds. All texts together are some tens of megabytes.

use crate::export::ExportError;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// The text of one configuration, once it is there.
type Kept = Arc<Mutex<Option<Arc<str>>>>;

/// A module and its configuration, by their names in the catalog.
pub type Name = (&'static str, &'static str);

static KNOWN: Mutex<BTreeMap<Name, Kept>> = Mutex::new(BTreeMap::new());

/// The text of `name`, made by `export` where it is not known. Who asks meanwhile waits for it.
///
/// # Errors
/// Those of `export`, which is then tried again the next time.
pub fn find(
    name: Name,
    export: impl FnOnce() -> Result<String, ExportError>,
) -> Result<Arc<str>, ExportError> {
    let kept =
        KNOWN.lock().unwrap_or_else(PoisonError::into_inner).entry(name).or_default().clone();
    let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(text) = &*kept {
        return Ok(text.clone());
    }
    let text: Arc<str> = export()?.into();
    *kept = Some(text.clone());
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_exported_once_and_a_failure_is_not_kept() {
        let name = ("no module", "of the catalog");
        let fails = || Err(ExportError::ReservedWord("table".to_owned()));
        assert!(find(name, fails).is_err());
        let first = find(name, || Ok("first".to_owned())).expect("it is exported");
        let second = find(name, || unreachable!("it is known")).expect("it is known");
        assert_eq!((&*first, &*second), ("first", "first"));
    }
}
