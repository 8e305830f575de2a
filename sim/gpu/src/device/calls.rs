//! API calls of the device runtime: which launches make one call, and how long it takes.
//!
//! A call is made by threads of one warp that launch the same kernel; a call of `x` threads takes
//! `b + A x` cycles (DTBL, section 5.1 and Table 3). A warp makes calls for different kernels, and
//! further calls of a thread that has made one, one after the other.

use std::collections::VecDeque;
use std::rc::Rc;

use crate::config::LaunchConfig;
use crate::host::{DeviceLaunch, StatedLaunch, StatedLaunches};
use crate::port::LaunchMode;
use crate::program::WARP_LANES;
use crate::warp_set::slots;

/// Cycles from a call to the hardware. A call takes at least one.
#[derive(Clone, Copy, Debug, Default)]
pub struct CallLatency {
    /// Whatever the number of threads.
    base: u64,
    /// For each thread.
    thread: u64,
}

impl CallLatency {
    /// What a thread's call takes that launches a kernel (CDP: stream, parameters, launch) or a
    /// group (DTBL: parameters).
    pub fn of_launch(mode: LaunchMode, config: &LaunchConfig) -> Self {
        let parameters = [config.parameters, config.parameters_thread];
        match mode {
            _ if config.ideal => Self::default(),
            LaunchMode::Flat => Self::default(),
            LaunchMode::Cdp => {
                let stream = [config.stream, 0];
                Self::sum([stream, parameters, [config.device, config.device_thread]])
            }
            LaunchMode::Dtbl => Self::sum([parameters]),
        }
    }

    /// What the launch of a group takes in addition that becomes a device kernel: it needs no
    /// stream.
    pub fn of_fallback(config: &LaunchConfig) -> Self {
        if config.ideal {
            return Self::default();
        }
        Self::sum([[config.device, config.device_thread]])
    }

    fn sum<const N: usize>(parts: [[u32; 2]; N]) -> Self {
        let sum = |which: usize| parts.iter().map(|part| u64::from(part[which])).sum();
        Self { base: sum(0), thread: sum(1) }
    }

    /// Cycles of a call by `threads` threads.
    pub fn cycles(self, threads: usize) -> u64 {
        (self.base + self.thread * threads as u64).max(1)
    }

    /// Cycles of `calls`, one after the other.
    pub fn cycles_of(self, calls: &VecDeque<Call>) -> u64 {
        calls.iter().map(|call| self.cycles(call.threads())).sum()
    }
}

/// One call by threads of one warp.
pub struct Call {
    /// The threads' numbers on their SMX, in increasing order.
    threads: Vec<u16>,
    what: What,
}

/// What each thread of a call launches.
enum What {
    Known(Vec<DeviceLaunch>),
    Stated(Rc<dyn StatedLaunches>, Vec<usize>),
}

impl Call {
    /// How many threads make it.
    pub fn threads(&self) -> usize {
        self.threads.len()
    }

    /// The lowest of them.
    pub fn first(&self) -> u16 {
        self.threads[0]
    }

    /// What it launches, by hardware thread. To be asked when the call begins.
    pub fn launches(self) -> Vec<(u16, DeviceLaunch)> {
        let launches = match self.what {
            What::Known(launches) => launches,
            What::Stated(of, numbers) => numbers.into_iter().map(|n| of.launch(n)).collect(),
        };
        self.threads.into_iter().zip(launches).collect()
    }
}

/// The calls of the warp in slot `warp` of its SMX that executes a launch instruction, in order.
pub fn of_warp(warp: usize, launches: Vec<DeviceLaunch>) -> VecDeque<Call> {
    let kernel = |launch: &DeviceLaunch| {
        let DeviceLaunch { name, block, registers_per_thread, shared_memory, .. } = launch;
        (name.clone(), *block, *registers_per_thread, *shared_memory)
    };
    let thread = |launch: &DeviceLaunch| warp * WARP_LANES + launch.thread as usize % WARP_LANES;
    let launches = launches.into_iter();
    let launches = launches.map(|launch| (thread(&launch) as u16, kernel(&launch), launch));
    let calls = into_calls(launches).into_iter().map(|call| {
        let (threads, launches) = call.into_iter().unzip();
        Call { threads, what: What::Known(launches) }
    });
    calls.collect()
}

/// The calls of a block of stated duration whose warps are in the slots of the set `warps`: for
/// each cycle after its start and each of its warps those that begin then, in order.
pub fn of_block(
    warps: u64,
    of: &Rc<dyn StatedLaunches>,
    launches: &[StatedLaunch],
) -> Vec<(u64, VecDeque<Call>)> {
    let slots: Vec<usize> = slots(warps).collect();
    let warp = |launch: &StatedLaunch| launch.thread as usize / WARP_LANES;
    let mut warps: Vec<(u64, usize)> = launches.iter().map(|l| (l.at, warp(l))).collect();
    warps.sort_unstable();
    warps.dedup();
    let calls = warps.into_iter().map(|key| {
        let own = launches.iter().filter(|launch| (launch.at, warp(launch)) == key);
        let own = own.map(|launch| {
            let thread = slots[key.1] * WARP_LANES + launch.thread as usize % WARP_LANES;
            (thread as u16, launch.kernel, launch.number)
        });
        let calls = into_calls(own).into_iter().map(|call| {
            let (threads, numbers) = call.into_iter().unzip();
            Call { threads, what: What::Stated(of.clone(), numbers) }
        });
        (key.0, calls.collect())
    });
    calls.collect()
}

/// Launches with thread and kernel as calls, in order of each one's first launch, by thread within.
fn into_calls<K: PartialEq, T>(launches: impl Iterator<Item = (u16, K, T)>) -> Vec<Vec<(u16, T)>> {
    let mut calls: Vec<(K, Vec<(u16, T)>)> = Vec::new();
    for (thread, kernel, launch) in launches {
        let fits = |(of, call): &&mut (K, Vec<(u16, T)>)| {
            *of == kernel && call.iter().all(|(other, _)| *other != thread)
        };
        match calls.iter_mut().find(fits) {
            Some((_, call)) => call.push((thread, launch)),
            None => calls.push((kernel, vec![(thread, launch)])),
        }
    }
    let sorted = |(_, mut call): (K, Vec<(u16, T)>)| {
        call.sort_by_key(|(thread, _)| *thread);
        call
    };
    calls.into_iter().map(sorted).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::GpuConfig;

    #[test]
    fn calls_take_what_table_3_states() {
        let config = GpuConfig::preset("k20c").unwrap().launch;
        let cdp = CallLatency::of_launch(LaunchMode::Cdp, &config);
        assert_eq!(cdp.cycles(1), 7165 + (8023 + 129) + (12187 + 1592));
        assert_eq!(cdp.cycles(32), 7165 + (8023 + 32 * 129) + (12187 + 32 * 1592));
        let dtbl = CallLatency::of_launch(LaunchMode::Dtbl, &config);
        assert_eq!((dtbl.cycles(1), dtbl.cycles(2)), (8023 + 129, 8023 + 2 * 129));
        let fallback = CallLatency::of_fallback(&config);
        assert_eq!((fallback.cycles(1), fallback.cycles(3)), (12187 + 1592, 12187 + 3 * 1592));
    }

    #[test]
    fn an_ideal_call_takes_one_cycle() {
        let mut config = GpuConfig::preset("k20c").unwrap().launch;
        config.ideal = true;
        for mode in [LaunchMode::Cdp, LaunchMode::Dtbl] {
            assert_eq!(CallLatency::of_launch(mode, &config).cycles(32), 1);
        }
        assert_eq!(CallLatency::of_fallback(&config).cycles(32), 1);
    }

    fn calls(launches: &[(u16, char, u32)]) -> Vec<Vec<(u16, u32)>> {
        into_calls(launches.iter().copied())
    }

    #[test]
    fn threads_of_a_warp_launch_one_kernel_in_one_call_and_different_ones_one_after_the_other() {
        let seen = calls(&[(5, 'C', 0), (4, 'D', 1), (3, 'C', 2)]);
        assert_eq!(seen, [vec![(3, 2), (5, 0)], vec![(4, 1)]]);
    }

    #[test]
    fn a_second_launch_of_a_thread_is_a_second_call() {
        let seen = calls(&[(1, 'C', 0), (1, 'C', 1), (2, 'C', 2), (1, 'C', 3)]);
        assert_eq!(seen, [vec![(1, 0), (2, 2)], vec![(1, 1)], vec![(1, 3)]]);
    }
}
