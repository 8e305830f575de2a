//! Which policy, and its parameters.

use super::KERNELS;
use std::fmt;

/// The runtime-aware policies that have hardware.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Policy {
    /// `srtf`.
    Shortest,
    /// `srtf/adaptive`: it shares where the shortest-first schedule is unfair.
    Adaptive,
}

/// The parameters of `srtf` and `srtf/adaptive`; `docs/srtf.md`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SrtfConfig {
    /// Which one.
    pub policy: Policy,
    /// Blocks that must end in a sample, at least 1.
    pub sample: u8,
    /// Resident blocks of the fastest kernel on an SMX while sharing, 1 to 16.
    pub limit: u8,
    /// Percent of difference between slowdowns above which a schedule is unfair, at most 1,000.
    pub threshold: u16,
}

impl SrtfConfig {
    /// The defaults: one block (section 4), a limit of 3 and a threshold of 0.5 (section 5.1.2).
    pub const fn new(policy: Policy) -> Self {
        Self { policy, sample: 1, limit: 3, threshold: 50 }
    }

    /// The threshold as the hardware has it: 256ths, rounded down.
    pub const fn threshold_in_256ths(&self) -> u32 {
        self.threshold as u32 * 256 / 100
    }

    /// Sets the parameter `key`.
    ///
    /// # Errors
    /// What was expected of the value; `None` when the policy has no such key.
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), Option<&'static str>> {
        let digits = value.bytes().all(|byte| byte.is_ascii_digit());
        let number = if digits { value.parse::<u16>().ok() } else { None };
        let adaptive = self.policy == Policy::Adaptive;
        match key {
            "sample" => {
                let sample = number.filter(|n| (1..=255).contains(n));
                self.sample = sample.ok_or(Some("1 to 255"))? as u8;
            }
            "limit" if adaptive => {
                let limit = number.filter(|n| (1..=16).contains(n));
                self.limit = limit.ok_or(Some("1 to 16"))? as u8;
            }
            "threshold" if adaptive => {
                self.threshold = number.filter(|n| *n <= 1000).ok_or(Some("0 to 1000"))?;
            }
            _ => return Err(None),
        }
        Ok(())
    }
}

impl fmt::Display for SrtfConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { policy, sample, limit, threshold } = self;
        match policy {
            Policy::Shortest => write!(f, "srtf(sample={sample})"),
            Policy::Adaptive => {
                write!(f, "srtf/adaptive(sample={sample},limit={limit},threshold={threshold})")
            }
        }
    }
}

/// Run times that are known from outside, in cycles, of the kernels in order of launch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct RuntimeList {
    cycles: [u64; KERNELS],
    known: u8,
}

impl RuntimeList {
    /// What a list that can be read looks like.
    pub const EXPECTED: &'static str = "one to eight numbers of cycles: 24853:416563";

    /// The list of these run times; `None` when there are none or more than eight, or one is zero.
    pub fn new(runtimes: &[u64]) -> Option<Self> {
        let mut cycles = [0; KERNELS];
        let sound = (1..=KERNELS).contains(&runtimes.len()) && !runtimes.contains(&0);
        cycles.get_mut(..runtimes.len())?.copy_from_slice(runtimes);
        sound.then_some(Self { cycles, known: runtimes.len() as u8 })
    }

    /// Reads `24853:416563`.
    pub fn parse(text: &str) -> Option<Self> {
        let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        let number = |part: &str| part.parse().ok().filter(|_| digits(part));
        Self::new(&text.split(':').map(number).collect::<Option<Vec<_>>>()?)
    }

    /// The run time of the kernel that was launched as number `ordinal`, from 0.
    pub fn of(&self, ordinal: u64) -> Option<u64> {
        let known = &self.cycles[..usize::from(self.known)];
        known.get(usize::try_from(ordinal).ok()?).copied()
    }
}

impl fmt::Display for RuntimeList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let known = &self.cycles[..usize::from(self.known)];
        let parts: Vec<_> = known.iter().map(u64::to_string).collect();
        write!(f, "{}", parts.join(":"))
    }
}

/// Policies that are told how long kernels run (sections 2 and 6.2.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OracleKind {
    /// `sjf`: the shortest job first.
    Shortest,
    /// `ljf`: the longest one.
    Longest,
    /// `srtf/zero-sampling`: the shortest remaining time, without a sample.
    Remaining,
}

/// An oracle with what it knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct OracleConfig {
    /// Which one.
    pub kind: OracleKind,
    /// What it knows.
    pub runtimes: RuntimeList,
    /// Cycles after the first launch in which nothing is dispatched.
    pub wait: u16,
}

impl fmt::Display for OracleConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kind, runtimes, wait } = self;
        match kind {
            OracleKind::Shortest => write!(f, "sjf(runtimes={runtimes},wait={wait})"),
            OracleKind::Longest => write!(f, "ljf(runtimes={runtimes},wait={wait})"),
            OracleKind::Remaining => write!(f, "srtf/zero-sampling(runtimes={runtimes})"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn run_times_are_read_in_order_and_written_as_they_were() {
        let list = RuntimeList::parse("24853:416563").unwrap();
        assert_eq!([list.of(0), list.of(1), list.of(2)], [Some(24853), Some(416_563), None]);
        assert_eq!(list.to_string(), "24853:416563");
        assert!(RuntimeList::parse("1:2:3:4:5:6:7:8").is_some());
        for bad in ["", ":", "0", "1:0", "1:", "+1", "x", "1:2:3:4:5:6:7:8:9", "1,2"] {
            assert_eq!(RuntimeList::parse(bad), None, "{bad}");
        }
    }

    #[test]
    fn a_threshold_in_percent_is_rounded_down_to_256ths() {
        let mut config = SrtfConfig::new(Policy::Adaptive);
        assert_eq!(config.threshold_in_256ths(), 128, "0.5");
        for (percent, parts) in [("0", 0), ("1", 2), ("99", 253), ("1000", 2560)] {
            config.set("threshold", percent).unwrap();
            assert_eq!(config.threshold_in_256ths(), parts, "{percent}");
        }
    }

    #[test]
    fn only_the_adaptive_policy_has_a_limit_and_a_threshold() {
        let mut plain = SrtfConfig::new(Policy::Shortest);
        assert_eq!(plain.set("limit", "3"), Err(None));
        assert_eq!(plain.set("threshold", "3"), Err(None));
        assert_eq!(plain.set("sample", "0"), Err(Some("1 to 255")));
        assert_eq!(plain.set("sample", "255"), Ok(()));
        assert_eq!(plain.to_string(), "srtf(sample=255)");
        let mut adaptive = SrtfConfig::new(Policy::Adaptive);
        assert_eq!(adaptive.set("limit", "17"), Err(Some("1 to 16")));
        assert_eq!(adaptive.set("threshold", "1001"), Err(Some("0 to 1000")));
        assert_eq!(adaptive.to_string(), "srtf/adaptive(sample=1,limit=3,threshold=50)");
    }
}
