//! Where the memory is in domains: which of them SMXs and slices are in.

use crate::config::GpuConfig;

/// See the module.
#[derive(Debug)]
pub struct Domains {
    /// For each SMX its domain.
    smxs: Vec<u8>,
    /// Slices of a domain.
    slices: u16,
}

impl Domains {
    /// Those of `config`, if its memory is in domains.
    pub fn new(config: &GpuConfig) -> Option<Self> {
        let slices = (config.slices() / config.memory_domains()) as u16;
        Some(Self { smxs: config.domain_of_smx()?, slices })
    }

    /// That of `smx`.
    pub fn of_smx(&self, smx: u8) -> u8 {
        self.smxs[usize::from(smx)]
    }

    /// That of `slice`.
    pub fn of_slice(&self, slice: u16) -> u8 {
        (slice / self.slices) as u8
    }

    /// The slice that is the `own`-th one of `domain`.
    pub fn slice(&self, domain: u8, own: u16) -> u16 {
        u16::from(domain) * self.slices + own
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// `k20c` with three domains of 2, 6 and 5 SMXs and 4 slices each, flits of 40 bytes, and what
    /// is set beside.
    pub fn three(set: &[(&str, &str)]) -> GpuConfig {
        let mut config = GpuConfig::preset("k20c").unwrap();
        for (key, value) in [("smx.domains", "[2, 6, 5]")].iter().chain(set) {
            config.set(key, value).unwrap();
        }
        config
    }

    #[test]
    fn smxs_are_in_the_domains_of_the_configuration_and_slices_in_equal_shares() {
        let domains = Domains::new(&three(&[("memory.placement", "domains")])).unwrap();
        assert_eq!([0, 1, 2, 7, 8, 12].map(|smx| domains.of_smx(smx)), [0, 0, 1, 1, 2, 2]);
        assert_eq!([0, 3, 4, 7, 8, 11].map(|slice| domains.of_slice(slice)), [0, 0, 1, 1, 2, 2]);
        assert_eq!([(0, 0), (1, 3), (2, 1)].map(|(of, own)| domains.slice(of, own)), [0, 7, 9]);
    }

    #[test]
    fn one_memory_is_in_no_domain() {
        assert!(Domains::new(&GpuConfig::preset("h100").unwrap()).is_none());
    }
}
