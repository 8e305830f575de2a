//! Streams and hardware work queues, in every launch mode.

use super::*;

const MODES: [LaunchMode; 3] = [LaunchMode::Flat, LaunchMode::Cdp, LaunchMode::Dtbl];

fn kernels(streams: &[Option<u32>]) -> String {
    let kernel = |(number, stream): (usize, &Option<u32>)| {
        let stream = stream.map_or(String::new(), |stream| format!("stream = {stream}\n"));
        format!(
            "[[kernel]]\nname = \"K{number}\"\ngrid = [1, 1, 1]\nblock = [32, 1, 1]\n\
             duration = 100\n{stream}"
        )
    };
    streams.iter().enumerate().map(kernel).collect()
}

#[test]
fn kernels_of_one_stream_run_one_after_the_other() {
    for mode in MODES {
        let seen = run_both(mode, &[], &kernels(&[Some(4), Some(5), Some(4)]));
        assert_eq!(distributed(&seen, "K1"), [(0, 1)], "{mode:?}");
        // K0 runs from 1 on and ends in 101, its bit is high in 102.
        assert_eq!(distributed(&seen, "K2"), [(0, 103)], "{mode:?}");
    }
}

#[test]
fn a_thirty_third_stream_shares_the_queue_of_the_first() {
    for mode in MODES {
        // Room for all of them: only the queue holds the last one back.
        let streams = vec![None; 33];
        let short = kernels(&streams).replacen("duration = 100", "duration = 5", 1);
        let seen = run_both(mode, &[], &short);
        assert_eq!(distributed(&seen, "K31"), [(0, 31)], "{mode:?}");
        // K0 ends in 6, its bit is high in 7, before all of the 32 are distributed; then it is the
        // oldest.
        assert_eq!(distributed(&seen, "K32"), [(0, 32)], "{mode:?}");
        let long = run_both(mode, &[], &kernels(&streams));
        assert_eq!(distributed(&long, "K32"), [(0, 103)], "{mode:?}");
    }
}
