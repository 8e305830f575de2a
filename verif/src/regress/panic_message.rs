//! Turns the panic of a case into a message.

use std::any::Any;
use std::cell::RefCell;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;

thread_local! {
    /// `Some` while this thread runs a case; the text is the place of the last panic.
    static PLACE: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Runs `body`; a panic becomes the error `panicked at FILE:LINE:COLUMN: MESSAGE`.
///
/// While `body` runs, panics of this thread are not printed, as the report shows them. Panics of
/// other threads are printed as ever.
pub(crate) fn catch<T>(body: impl FnOnce() -> T) -> Result<T, String> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let previous = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            let ours = PLACE.with_borrow_mut(|place| match place {
                Some(text) => {
                    *text = info.location().map(ToString::to_string).unwrap_or_default();
                    true
                }
                None => false,
            });
            if !ours {
                previous(info);
            }
        }));
    });
    // A case that waits for other work of the pool may run another case inside; hence the restore.
    let outer = PLACE.replace(Some(String::new()));
    // The context of a case is not used again after a panic, and its result does not exist.
    let result = panic::catch_unwind(AssertUnwindSafe(body));
    let place = PLACE.replace(outer).unwrap_or_default();
    result.map_err(|payload| match place.as_str() {
        // A panic that another thread has handed on has lost its place.
        "" => format!("panicked: {}", text_of(payload.as_ref())),
        place => format!("panicked at {place}: {}", text_of(payload.as_ref())),
    })
}

fn text_of(payload: &(dyn Any + Send)) -> &str {
    if let Some(text) = payload.downcast_ref::<&str>() {
        text
    } else if let Some(text) = payload.downcast_ref::<String>() {
        text
    } else {
        "a payload that is not a text"
    }
}

#[cfg(test)]
mod tests {
    use super::catch;

    #[test]
    fn the_message_has_the_place_and_the_text_of_the_panic() {
        let number = 3;
        let message = catch::<()>(|| panic!("queue {number} is gone")).unwrap_err();
        assert!(message.starts_with("panicked at "), "{message}");
        assert!(message.contains("panic_message.rs:"), "{message}");
        assert!(message.ends_with(": queue 3 is gone"), "{message}");
    }

    #[test]
    fn a_panic_inside_a_caught_body_does_not_leak_into_the_outer_one() {
        let outer = catch(|| {
            assert!(catch::<()>(|| panic!("inner")).is_err());
            5
        });
        assert_eq!(outer, Ok(5));
        let later = catch::<()>(|| {
            assert!(catch::<()>(|| panic!("inner")).is_err());
            panic!("outer")
        });
        let later = later.unwrap_err();
        assert!(later.contains("panic_message.rs:") && later.ends_with(": outer"), "{later}");
        let silent = catch::<()>(|| std::panic::panic_any(7)).unwrap_err();
        assert!(silent.ends_with("a payload that is not a text"), "{silent}");
    }
}
