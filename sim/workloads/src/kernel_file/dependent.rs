//! Launches that may begin before the one before them in their stream has ended
//! (`docs/dependent.md`).

use super::launch::LaunchSpec;
use super::Source;
use crate::diagnostic::InputError;

/// Checks those among `launches`, which the host makes one after the other with nothing before that
/// has not finished.
///
/// # Errors
/// When one has none before it in its stream, or can only begin when everything has finished.
pub fn check(source: &Source, launches: &[LaunchSpec]) -> Result<(), InputError> {
    for (place, launch) in launches.iter().enumerate() {
        let Some(span) = &launch.dependent else { continue };
        let (kernel, stream) = (&launch.kernel, launch.stream);
        let refuse = |message: String, expected| {
            let error = source.error(span, message, expected);
            Err(error.help("a dependent follows the launch before it in its stream"))
        };
        if launch.resident {
            let message = format!("kernel `{kernel}` is a dependent, and resident");
            return refuse(message, "expected one of both");
        }
        if !launches[..place].iter().any(|before| before.stream == stream && !before.resident) {
            let message =
                format!("kernel `{kernel}` is a dependent, and the first one of stream {stream}");
            return refuse(message, "expected a launch of that stream before it");
        }
        if launch.needs_host() {
            let message = format!(
                "kernel `{kernel}` is a dependent, and the host has to do with memory for it"
            );
            return refuse(
                message,
                "expected neither `zero`, `write` nor words of buffers with it",
            );
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::rc::Rc;

    use super::super::KernelFile;
    use super::*;
    use crate::gpu::host::HostProgram;

    const MODULE: &str = ".version 7.8\n.target sm_90\n.address_size 64
        .visible .entry k() { griddepcontrol.launch_dependents; griddepcontrol.wait; ret; }";

    fn parsed(text: &str) -> Result<KernelFile, InputError> {
        let program = blockyard_ptx::load("dependent.ptx", MODULE).expect("a module");
        KernelFile::parse(Path::new("dependent.toml"), text, program)
    }

    fn launch(keys: &str) -> String {
        format!("[[launch]]\ngrid = 1\nblock = 1\n{keys}\n")
    }

    #[test]
    fn a_launch_is_a_dependent_if_it_says_so() {
        let text = [launch(""), launch("dependent = true"), launch("dependent = false")].concat();
        let mut host = Rc::new(parsed(&text).expect("a host file")).host(1).expect("a host");
        let dependents: Vec<bool> =
            host.start().iter().map(|launch| launch.overlap.dependent).collect();
        assert_eq!(dependents, [false, true, false]);
    }

    #[test]
    fn a_dependent_needs_a_launch_before_it_in_its_stream() {
        let first = "kernel `k` is a dependent, and the first one of stream";
        let [plain, dependent] = [launch(""), launch("dependent = true")];
        let inside = "{ grid = 1, block = 1 }, { grid = 1, block = 1, dependent = true }";
        let repeat = |launches: &str| format!("[[repeat]]\ntimes = 2\nlaunch = [{launches}]\n");
        for (text, wrong) in [
            (dependent.clone(), Some("0")),
            (plain.clone() + &launch("stream = 1\ndependent = true"), Some("1")),
            (plain.clone() + &dependent + &dependent, None),
            // Each round begins when everything has finished, and so does what comes behind the
            // last one.
            (plain.clone() + &repeat("{ grid = 1, block = 1, dependent = true }"), Some("0")),
            (repeat(inside), None),
            (repeat(inside) + &dependent, Some("0")),
        ] {
            let found = parsed(&text).err().map(|error| error.to_string());
            assert_eq!(found, wrong.map(|stream| format!("{first} {stream}")), "{text}");
        }
    }

    #[test]
    fn a_dependent_for_which_the_host_writes_and_a_resident_one_are_refused() {
        let buffers = "[buffers]\nx = { type = \"u32\", count = 1 }\n";
        for (keys, wrong) in [
            ("zero = [\"x\"]", "the host has to do with memory for it"),
            ("write = [{ buffer = \"x\", value = 1 }]", "the host has to do with memory for it"),
            ("resident = true", "and resident"),
        ] {
            let grid = if keys.contains("resident") { "" } else { "grid = 1\n" };
            let text = format!(
                "{buffers}{}[[launch]]\n{grid}block = 1\ndependent = true\n{keys}\n",
                launch("")
            );
            let message = parsed(&text).expect_err("refused").to_string();
            assert!(message.ends_with(wrong), "{message}");
        }
    }
}
