//! Waveforms: VCD, or FST where it begins as one. One that is read shows the values of all its
//! signals at all times.

#![no_main]

use std::panic::{set_hook, take_hook};
use std::sync::{LazyLock, Once};

use blockyard_fuzz::Folder;
use blockyard_waves::Dump;
use libfuzzer_sys::fuzz_target;

static FOLDER: LazyLock<Folder> = LazyLock::new(Folder::new);

/// Most times at which values are looked at.
const FEW: usize = 16;

fuzz_target!(|data: &[u8]| {
    survive_caught_panics();
    let path = FOLDER.write("dump", data);
    let dump = match Dump::open(&path) {
        Ok(dump) => dump,
        Err(error) => return assert!(!error.to_string().is_empty()),
    };
    for signal in dump.signals() {
        let changes = dump.changes(&signal.path).expect("it has the signal");
        assert!(changes.is_sorted_by_key(|(time, _)| *time), "{signal:?}");
        for &time in dump.times().iter().take(FEW) {
            let holds = changes.iter().rev().find(|(from, _)| *from <= time);
            let value = dump.value(&signal.path, time).expect("it has the signal");
            assert_eq!(value.as_ref(), holds.map(|(_, value)| value), "{signal:?} at {time}");
        }
    }
    dump.contents();
});

/// The library that reads dumps may panic, which is caught where it is called. libFuzzer's own hook
/// would end the process there; a panic that nobody catches still ends it.
fn survive_caught_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        drop(take_hook());
        set_hook(Box::new(|panic| {
            let of_library = |location: &str| !location.contains("waves/src");
            if !panic.location().is_some_and(|location| of_library(location.file())) {
                eprintln!("{panic}");
            }
        }));
    });
}
