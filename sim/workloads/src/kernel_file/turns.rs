//! Which launches the host makes together.
//!
//! A kernel that launches from the device has finished, for its stream, when what it launched has
//! finished too. The GPU's queues do not wait for that, so the host does: it makes such a launch,
//! and the next one of the same stream when nothing runs any more. So does what it reads from
//! memory or writes there for a launch.

use blockyard_ptx::Program;

use super::launch::LaunchSpec;

/// The launches in order, in turns; each begins when everything before has finished.
pub fn in_turns(program: &Program, launches: Vec<LaunchSpec>) -> Vec<Vec<LaunchSpec>> {
    let mut turns = Vec::new();
    let mut turn = Vec::new();
    let mut busy = Vec::new();
    for launch in launches {
        let something = turn.iter().any(|launch: &LaunchSpec| !launch.resident);
        if something && (launch.needs_host() || busy.contains(&launch.stream)) {
            turns.push(std::mem::take(&mut turn));
            busy.clear();
        }
        let kernel = program.kernels().iter().find(|kernel| kernel.name == launch.kernel);
        if kernel.is_some_and(|kernel| program.info(kernel).launches) {
            busy.push(launch.stream);
        }
        turn.push(launch);
    }
    if !turn.is_empty() {
        turns.push(turn);
    }
    turns
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::rc::Rc;

    use super::super::{argument::Arguments, KernelFile};
    use super::*;
    use crate::gpu::host::HostProgram;
    use crate::port::Dim3;

    const MODULE: &str = ".version 3.2\n.target sm_35\n.address_size 64
        .extern .func (.param .b32 error) cudaLaunchDeviceV2(.param .b64 buffer, .param .b64 stream);
        .visible .entry quiet() { ret; }
        .visible .entry parent() {
            .reg .b64 %rd;
            mov.b64 %rd, 0;
            { .param .b64 buffer; .param .b64 stream; .param .b32 error;
              st.param.b64 [buffer], %rd; st.param.b64 [stream], %rd;
              call.uni (error), cudaLaunchDeviceV2, (buffer, stream); }
            ret;
        }";

    /// How many launches each turn has of those given as kernel and stream.
    fn turns(launches: &[(&str, u32)]) -> Vec<usize> {
        let program = blockyard_ptx::load("turns.ptx", MODULE).expect("a module");
        let extent = Dim3 { x: 1, y: 1, z: 1 };
        let spec = |&(kernel, stream): &(&str, u32)| LaunchSpec {
            kernel: kernel.into(),
            grid: extent.into(),
            resident: false,
            block: extent,
            shared_memory: 0,
            stream,
            dependent: None,
            cluster: None,
            arguments: Arguments::default(),
            zero: Vec::new(),
            writes: Vec::new(),
        };
        let turns = in_turns(&program, launches.iter().map(spec).collect());
        turns.iter().map(Vec::len).collect()
    }

    #[test]
    fn kernels_that_launch_nothing_are_launched_together() {
        assert_eq!(turns(&[("quiet", 0), ("quiet", 0), ("quiet", 1)]), [3]);
        assert_eq!(turns(&[]), [0; 0]);
    }

    #[test]
    fn the_next_kernel_of_the_stream_waits_for_what_was_launched_from_the_device() {
        assert_eq!(turns(&[("parent", 0), ("quiet", 0)]), [1, 1]);
        assert_eq!(turns(&[("parent", 0), ("parent", 0), ("quiet", 0)]), [1, 1, 1]);
        assert_eq!(turns(&[("quiet", 0), ("parent", 0)]), [2]);
    }

    #[test]
    fn other_streams_do_not_wait() {
        assert_eq!(turns(&[("parent", 0), ("parent", 1), ("quiet", 2), ("quiet", 1)]), [3, 1]);
    }

    fn parsed(text: &str) -> Result<KernelFile, crate::diagnostic::InputError> {
        let program = blockyard_ptx::load("turns.ptx", MODULE).expect("a module");
        KernelFile::parse(Path::new("turns.toml"), text, program)
    }

    #[test]
    fn a_resident_kernel_has_no_blocks_and_goes_with_what_follows() {
        let text = "[[launch]]\nkernel = \"quiet\"\nblock = 64\nresident = true\n\
                    [[launch]]\nkernel = \"parent\"\ngrid = 1\nblock = 1\n";
        let mut host = Rc::new(parsed(text).expect("a host file")).host(1).expect("a host");
        let launches = host.start();
        let seen: Vec<_> =
            launches.iter().map(|l| (l.resident, l.grid.volume(), l.block.x)).collect();
        assert_eq!(seen, [(true, 0, 64), (false, 1, 1)]);
        assert_ne!(launches[0].stream, launches[1].stream, "nothing waits behind it");
    }

    #[test]
    fn a_resident_kernel_with_a_grid_or_arguments_and_another_one_without_are_refused() {
        for (keys, expected) in [
            ("resident = true\ngrid = 1", "a resident kernel has a grid"),
            ("resident = true\narguments = []", "a resident kernel has arguments"),
            ("resident = false", "a launch has no grid"),
            ("", "a launch has no grid"),
        ] {
            let text = format!("[[launch]]\nkernel = \"quiet\"\nblock = 1\n{keys}\n");
            let error = parsed(&text).expect_err("refused");
            assert!(error.to_string().contains(expected), "{error}");
        }
    }

    #[test]
    fn every_round_has_all_its_turns() {
        let program = blockyard_ptx::load("turns.ptx", MODULE).expect("a module");
        let launch = |kernel: &str| format!("{{ kernel = \"{kernel}\", grid = 1, block = 1 }}");
        let list = ["quiet", "parent", "quiet"].map(launch).join(", ");
        let text = format!("[[repeat]]\ntimes = 2\nlaunch = [{list}]\n");
        let file = KernelFile::parse(Path::new("turns.toml"), &text, program).expect("a host file");
        let mut host = Rc::new(file).host(1).expect("a host");
        let mut turns = vec![host.start()];
        while turns.last().is_some_and(|turn| !turn.is_empty()) {
            turns.push(host.all_finished(1));
        }
        let names = |turn: &Vec<crate::gpu::host::HostLaunch>| {
            turn.iter().map(|launch| launch.name.to_string()).collect::<Vec<_>>().join(" ")
        };
        let turns: Vec<String> = turns.iter().map(names).collect();
        assert_eq!(turns, ["quiet parent", "quiet", "quiet parent", "quiet", ""]);
    }
}
