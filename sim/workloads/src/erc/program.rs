//! The host program: one kernel, or two of which the second one arrives later.

use super::kernels::{ErcKernel, KERNELS};
use crate::diagnostic::InputError;
use crate::gpu::host::{Body, HostLaunch, HostProgram};
use crate::key::{asked, Key};
use crate::port::Dim3;

/// What comes before the kernels' names in a workload's.
const PREFIX: &str = "erc/";

/// When the second kernel arrives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ErcOptions {
    /// Percent of the first kernel's run time (Table 3) after which the second one arrives.
    pub offset: u32,
    /// Cycles that are added to that.
    pub stagger: u32,
}

impl Default for ErcOptions {
    /// Nearly together: section 6.1.3's "staggered by up to 100 cycles" (`docs/srtf.md` says why
    /// 75).
    fn default() -> Self {
        Self { offset: 0, stagger: 75 }
    }
}

impl ErcOptions {
    /// Every key that [`ErcOptions::set`] knows.
    pub const KEYS: &'static [Key] = &[
        Key { name: "erc.offset", unit: "percent of the first kernel's run time", default: "0" },
        Key { name: "erc.stagger", unit: "cycles", default: "75" },
    ];

    /// Sets the key `erc.offset` or `erc.stagger`.
    ///
    /// # Errors
    /// An unknown key or a bad value.
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), InputError> {
        let (field, most) = match key {
            "erc.offset" => (&mut self.offset, 1000),
            "erc.stagger" => (&mut self.stagger, 1_000_000),
            _ => {
                let error = InputError::new(format!("unknown key `{key}`"));
                let names = Self::KEYS.iter().map(|key| key.name);
                return Err(error.help(asked(
                    key,
                    names,
                    "the keys are erc.offset and erc.stagger",
                )));
            }
        };
        let digits = value.bytes().all(|byte| byte.is_ascii_digit());
        let number = value.parse().ok().filter(|number| digits && *number <= most);
        *field = number.ok_or_else(|| {
            InputError::new(format!("`{key}` cannot be `{value}`"))
                .help(format!("expected 0 to {most}"))
        })?;
        Ok(())
    }
}

/// One or two kernels of ERCBench, in order of arrival.
#[derive(Clone, Debug, PartialEq)]
pub struct ErcWorkload {
    /// The kernels.
    pub kernels: Vec<ErcKernel>,
    /// When the second one arrives.
    pub options: ErcOptions,
}

impl ErcWorkload {
    /// Whether a workload of that name is one of these.
    pub fn is_named(name: &str) -> bool {
        name.starts_with(PREFIX)
    }

    /// The workload `erc/AES-d` or `erc/AES-d+SHA1`.
    ///
    /// # Errors
    /// A name that is none; the message lists the kernels.
    pub fn new(name: &str, options: ErcOptions) -> Result<Self, InputError> {
        let names = KERNELS.map(|kernel| kernel.name).join(", ");
        let help = format!("expected erc/A or erc/A+B, where A and B are of {names}");
        let parts: Vec<&str> = name.strip_prefix(PREFIX).unwrap_or_default().split('+').collect();
        let kernels = parts.iter().map(|part| {
            ErcKernel::named(part).ok_or_else(|| {
                InputError::new(format!("there is no kernel `{part}` for the workload `{name}`"))
                    .help(help.clone())
            })
        });
        let kernels = kernels.collect::<Result<Vec<_>, _>>()?;
        match kernels.as_slice() {
            [_] => {}
            [first, second] if first.name != second.name => {}
            [first, second] if first == second => {
                let message = format!("the workload `{name}` has the same kernel twice");
                return Err(InputError::new(message).help(help));
            }
            more => {
                let message = format!("the workload `{name}` has {} kernels", more.len());
                return Err(InputError::new(message).help(help));
            }
        }
        Ok(Self { kernels, options })
    }

    /// The cycle in which the second kernel arrives.
    pub fn second_arrives(&self) -> u64 {
        let ErcOptions { offset, stagger } = self.options;
        self.kernels[0].runtime * u64::from(offset) / 100 + u64::from(stagger)
    }

    /// The host program; `seed` decides the durations.
    pub fn program(&self, seed: u64) -> ErcProgram {
        let launches = self.kernels.iter().enumerate().map(|(place, kernel)| HostLaunch {
            stream: place as u32,
            arrive: if place == 0 { 0 } else { self.second_arrives() },
            registers_per_thread: kernel.registers,
            ..HostLaunch::new(
                kernel.name,
                (Dim3::new(kernel.blocks, 1, 1), Dim3::new(kernel.threads, 1, 1)),
                Body::Contended(kernel.durations(seed), kernel.contention()),
            )
        });
        ErcProgram { launches: launches.collect() }
    }
}

/// See the module.
#[derive(Debug)]
pub struct ErcProgram {
    launches: Vec<HostLaunch>,
}

impl HostProgram for ErcProgram {
    fn start(&mut self) -> Vec<HostLaunch> {
        std::mem::take(&mut self.launches)
    }

    fn kernel_finished(&mut self, _name: &str, _instance: u32, _cycle: u64) -> Vec<HostLaunch> {
        Vec::new()
    }

    fn verify(&mut self) -> Result<(), String> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(name: &str) -> String {
        ErcWorkload::new(name, ErcOptions::default()).unwrap_err().to_string()
    }

    #[test]
    fn a_workload_is_one_kernel_or_two_different_ones_in_order_of_arrival() {
        let pair = ErcWorkload::new("erc/SHA1+AES-d", ErcOptions::default()).unwrap();
        assert_eq!(pair.kernels.iter().map(|k| k.name).collect::<Vec<_>>(), ["SHA1", "AES-d"]);
        assert_eq!(ErcWorkload::new("erc/SAD", ErcOptions::default()).unwrap().kernels.len(), 1);
        assert!(refused("erc/SHA2").contains("`SHA2`"));
        assert!(refused("erc/").contains("``"));
        assert!(refused("erc/SAD+SAD").contains("twice"));
        assert!(refused("erc/SAD+SHA1+AES-d").contains("3 kernels"));
    }

    #[test]
    fn the_second_kernel_arrives_at_a_part_of_the_first_ones_run_time() {
        let mut options = ErcOptions::default();
        let arrives = |options| ErcWorkload::new("erc/SAD+SHA1", options).unwrap().second_arrives();
        assert_eq!(arrives(options), 75);
        options.set("erc.offset", "25").unwrap();
        options.set("erc.stagger", "7").unwrap();
        assert_eq!(arrives(options), 441_297 / 4 + 7);
        for (key, value) in
            [("erc.offset", "1001"), ("erc.stagger", "-1"), ("erc.offset", "+1"), ("erc.x", "1")]
        {
            assert!(options.set(key, value).is_err(), "{key}={value}");
        }
    }

    #[test]
    fn every_key_can_be_set_to_its_default_which_changes_nothing() {
        for key in ErcOptions::KEYS {
            let mut options = ErcOptions::default();
            options.set(key.name, key.default).unwrap();
            assert_eq!(options, ErcOptions::default(), "{}", key.name);
        }
    }
}
