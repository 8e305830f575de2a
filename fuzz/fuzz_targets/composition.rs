//! Names of schedulers. One that is taken has a canonical name and a shortest one, and both mean
//! the same scheduler.

#![no_main]

use blockyard_fuzz::render;
use blockyard_sim::sched::Composition;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else { return };
    match text.parse::<Composition>() {
        Err(error) => drop(render(&error)),
        Ok(composition) => {
            for name in [composition.to_string(), composition.brief()] {
                assert_eq!(name.parse().as_ref(), Ok(&composition), "`{name}`");
            }
            assert!(composition.brief().len() <= composition.to_string().len());
        }
    }
});
