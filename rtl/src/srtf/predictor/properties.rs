//! Each event reaches its kernel, and each kernel the divider.

use super::Predictor;
use crate::property::{all, among, Properties};

/// Any one kernel.
pub fn of(_: &Predictor) -> Properties {
    let mut p = Properties::of("SRTF, section 4.1");
    p.chosen("which", 3);
    let its = |port: &str| among("which", (0..8).map(|at| format!("{port}${at}")));
    let of_kernel = |port: &str| among("which", (0..8).map(|at| format!("kernel${at}${port}")));
    for (event, choice) in [
        ("launched", "launch"),
        ("finished", "finished"),
        ("taken", "taken"),
        ("copy", "copy"),
        ("result", "divider$result"),
    ] {
        p.wire(format!("its_{event}"), 1, of_kernel(event));
        let happens = format!("{choice}[0] & {choice}[1 +: 3] == which");
        let about = "an event of this kernel reaches it";
        p.assert(format!("reaches_{event}"), about, format!("its_{event} == ({happens})"));
    }
    for (port, bits) in [("left", 24), ("length", 32), ("sum", 40), ("total", 24)] {
        p.wire(format!("its_{port}"), bits, of_kernel(port));
    }
    p.wire("its_residency", 5, its("residency"));
    p.wire("its_expected", 24, its("total"));
    p.assert("expected", "a kernel expects its own number of blocks", "its_total == its_expected");
    let asked = ["divider$left == its_left", "divider$duration == its_length"];
    p.assert(
        "asked",
        "what is divided is that of the kernel whose block ends",
        format!(
            "~its_finished | {}",
            all(asked.into_iter().chain(["divider$residency == its_residency"]).map(str::to_owned))
        ),
    );
    p.assert(
        "stored",
        "what is stored is that kernel's",
        "~its_result | stored_predicted == its_sum",
    );
    for (port, bits) in [("known", 1), ("remaining", 40), ("predicted", 40)] {
        let shown = match port {
            "known" => "known >> which".to_owned(),
            _ => its(port),
        };
        p.wire(format!("shown_{port}"), bits, shown);
        p.wire(format!("its_{port}"), bits, of_kernel(port));
        p.assert(
            format!("shows_{port}"),
            "what is shown of a kernel is its own",
            format!("shown_{port} == its_{port}"),
        );
    }
    p.cover("asks", "a division begins", "its_finished & its_left != 0 & its_length != 0");
    p
}
