//! Lists of DRAM requests, with `key=value` settings behind a line `---`. Every request of a list
//! that is read completes, and not before the channel can have answered.

#![no_main]

use std::path::Path;

use blockyard_fuzz::{render, with_settings};
use blockyard_sim::gpu::channel::alone::{run, Case, Settings, Summary};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let (text, pairs) = with_settings(text);
    let mut settings = match Settings::from_pairs(pairs) {
        Ok(settings) => settings,
        Err(error) => {
            render(&error);
            Settings::default()
        }
    };
    if settings.validate().is_err() {
        settings = Settings::default();
    }
    let cases = match Case::read("list.csv", text) {
        Ok(cases) => cases,
        Err(error) => return drop(render(&error)),
    };
    if let Err(error) = settings.check_addresses(&cases, Path::new("list.csv"), text) {
        render(&error);
        return;
    }
    for case in &cases {
        let done = run(&settings, case);
        assert_eq!(done.complete.len(), case.requests.len());
        for (request, &complete) in case.requests.iter().zip(&done.complete) {
            assert!(complete > request.arrive_cycle, "{request:?} is complete in {complete}");
        }
        assert!(!format!("{:?}", Summary::of(case, &done)).is_empty());
    }
});
