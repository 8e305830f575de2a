//! Completions and pages for `man`, which are made from the command line itself.

use super::command::Place;

const COMMANDS: [&str; 14] = [
    "list",
    "run",
    "regress",
    "budget",
    "coverage",
    "verilog",
    "prove",
    "kernel",
    "trace",
    "dram",
    "reproduce",
    "wave",
    "completions",
    "man",
];

#[test]
fn completions_know_every_command_and_option_in_every_shell() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let text = Place::new().fine(&["completions", shell]).stdout;
        for word in COMMANDS.into_iter().chain(["wave-on", "max-cycles", "dispatch-log"]) {
            assert!(text.contains(word), "{shell} does not know {word}");
        }
    }
    Place::new().refused(&["completions", "dos"], &["invalid value 'dos'", "bash", "zsh"]);
}

#[test]
fn there_is_a_page_for_every_command_and_the_first_one_names_them() {
    let place = Place::new();
    let first = place.fine(&["man"]).stdout;
    assert!(first.starts_with(".ie \\n(.g .ds Aq") && first.contains(".TH blockyard 1"), "{first}");
    place.fine(&["man", "--out", "man1"]);
    assert_eq!(place.text("man1/blockyard.1"), first);
    for command in COMMANDS {
        assert!(first.contains(&format!("blockyard\\-{command}(1)")), "{command}");
        let page = place.text(&format!("man1/blockyard-{command}.1"));
        assert!(page.contains(&format!(".TH blockyard-{command} 1")), "{command}");
    }
    for page in ["blockyard-wave-show", "blockyard-wave-diff", "blockyard-trace-info"] {
        assert!(place.text(&format!("man1/{page}.1")).contains(".SH SYNOPSIS"), "{page}");
    }
}

#[test]
fn the_first_help_tells_of_what_is_a_level_below() {
    let help = Place::new().fine(&["--help"]).stdout;
    for words in ["wave show", "wave diff"] {
        assert!(help.contains(words), "{help}");
    }
    let version = Place::new().fine(&["--version"]).stdout;
    assert!(
        version.starts_with(concat!("blockyard ", env!("CARGO_PKG_VERSION"), " (")),
        "{version}"
    );
}
