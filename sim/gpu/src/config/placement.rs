//! Near which SMXs an address lies (`docs/gpu.md`, "Memory in domains").

use serde::{Deserialize, Serialize};

use super::validate::{refused, within};
use super::{GpuConfig, Topology};
use crate::diagnostic::InputError;

/// Where pages of memory lie.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MemoryConfig {
    /// Whether the memory is in the domains of the SMXs, and what lies in which.
    pub placement: Placement,
    /// Bytes that lie in one domain under first touch; a power of two.
    pub page: u32,
}

impl Default for MemoryConfig {
    fn default() -> Self {
        Self { placement: Placement::Interleaved, page: 1 << 16 }
    }
}

/// What lies in which domain of the memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Placement {
    /// There are none: all channels are equally near.
    Interleaved,
    /// Addresses are spread over the channels of all domains, as without them (MCM-GPU, section
    /// 3.2).
    Domains,
    /// A page lies in the domain of the SMX that asks for something of it first (MCM-GPU, section
    /// 5.3).
    FirstTouch,
    /// Each partition of the SMXs has a memory to itself, as MIG's instances.
    Partitions,
}

impl GpuConfig {
    /// Domains of the memory, or parts; 1 where it is equally near to all SMXs.
    pub fn memory_domains(&self) -> u32 {
        match self.memory.placement {
            Placement::Interleaved => 1,
            Placement::Domains | Placement::FirstTouch => self.smx.domains.len().max(1) as u32,
            Placement::Partitions => self.smx.partitions.len().max(1) as u32,
        }
    }

    /// For each SMX its domain of the memory; `None` where that has none.
    ///
    /// # Panics
    /// When the configuration is not sound.
    pub fn domain_of_smx(&self) -> Option<Vec<u8>> {
        match self.memory.placement {
            Placement::Interleaved => None,
            Placement::Domains | Placement::FirstTouch => {
                let of = |(domain, &smxs)| vec![domain; smxs as usize];
                Some((0..).zip(&self.smx.domains).flat_map(of).collect())
            }
            Placement::Partitions => {
                let partitions = self.partitions().expect("a sound configuration");
                let of = |smx| partitions.iter().position(|smxs| smxs[smx]).map(|own| own as u8);
                let all = (0..self.smx.count as usize).map(of).collect::<Option<_>>();
                Some(all.expect("a sound configuration"))
            }
        }
    }

    /// Whether the memory can be in the domains that are stated.
    ///
    /// # Errors
    /// When there are none, or they cannot have equally many channels; when the memory is in
    /// partitions of which not exactly one has each SMX; when the network is a mesh; when a page or
    /// a link is out of range.
    pub(super) fn validate_placement(&self) -> Result<(), InputError> {
        let MemoryConfig { placement, page } = self.memory;
        if !page.is_power_of_two() || !(self.l1.line..=1 << 30).contains(&page) {
            let expected = format!("a power of two from l1.line = {} to 2^30", self.l1.line);
            return Err(refused("memory.page", page, &expected));
        }
        within("interconnect.link", self.interconnect.link, 1, 1 << 16)?;
        let (name, key) = match placement {
            Placement::Interleaved => return Ok(()),
            Placement::Domains => ("domains", "smx.domains"),
            Placement::FirstTouch => ("first-touch", "smx.domains"),
            Placement::Partitions => ("partitions", "smx.partitions"),
        };
        let refused_with = |what: &str, expected: &str| {
            Err(InputError::new(format!("memory.placement = {name} with {what}"))
                .help(format!("expected {expected}")))
        };
        if placement == Placement::Partitions {
            let partitions = self.partitions()?;
            let owners = |smx: usize| partitions.iter().filter(|smxs| smxs[smx]).count();
            if let Some(smx) = (0..self.smx.count as usize).find(|&smx| owners(smx) != 1) {
                return refused_with(
                    &format!("SMX {smx} in {} partitions of smx.partitions", owners(smx)),
                    "each SMX in exactly one: a partition's memory is its own",
                );
            }
        } else if self.smx.domains.is_empty() {
            return refused_with(
                "smx.domains = []",
                "how many SMXs each domain has, as smx.domains = [66, 66]",
            );
        }
        if self.interconnect.topology == Topology::Mesh {
            return refused_with(
                "interconnect.topology = mesh",
                "interconnect.topology = crossbar: a mesh has distances of its own",
            );
        }
        let domains = self.memory_domains();
        if !self.dram.channels.is_multiple_of(domains) {
            let expected = format!(
                "a multiple of {domains} with memory.placement = {name}: each of the {domains} of {key} \
                 has as many"
            );
            return Err(refused("dram.channels", self.dram.channels, &expected));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests;
    use super::*;
    use crate::diagnostic::rendered;

    /// A k20c, of thirteen SMXs and six channels, with these values.
    fn with(values: &[(&str, &str)]) -> Result<GpuConfig, InputError> {
        let mut config = GpuConfig::preset("k20c").unwrap();
        for (key, value) in values {
            config.set(key, value)?;
        }
        config.validate()?;
        Ok(config)
    }

    #[test]
    fn the_domains_of_the_memory_are_those_of_the_smxs() {
        let in_three = ("smx.domains", "[2, 6, 5]");
        let touch = with(&[in_three, ("memory.placement", "first-touch")]).unwrap();
        assert_eq!(touch.memory_domains(), 3);
        assert_eq!(touch.domain_of_smx().unwrap(), [0, 0, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2]);
        assert_eq!(touch.address_map().channels, 2, "those of a domain");
        let spread = with(&[in_three, ("memory.placement", "domains")]).unwrap();
        assert_eq!((spread.memory_domains(), spread.address_map().channels), (3, 6));
    }

    #[test]
    fn partitions_have_parts_of_the_memory() {
        let in_two = ("smx.partitions", "[\"0-3,12\", \"4-11\"]");
        let config = with(&[in_two, ("memory.placement", "partitions")]).unwrap();
        assert_eq!((config.memory_domains(), config.address_map().channels), (2, 3));
        assert_eq!(config.domain_of_smx().unwrap(), [0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 0]);
    }

    #[test]
    fn without_the_keys_there_is_one_memory_of_all_channels() {
        let config = with(&[("smx.domains", "[6, 7]")]).unwrap();
        assert_eq!((config.memory_domains(), config.domain_of_smx()), (1, None));
        assert_eq!(config.address_map().channels, 6);
        tests::may_be_left_out(&["[memory]", "placement", "page", "between", "link"]);
    }

    #[test]
    fn what_cannot_be_is_refused_with_the_key_the_value_and_what_was_expected() {
        let (domains, touch) =
            (("smx.domains", "[3, 3, 3, 4]"), ("memory.placement", "first-touch"));
        let (halves, spread) = (("smx.domains", "[6, 7]"), ("memory.placement", "domains"));
        for (values, said) in [
            (&[domains, touch][..], &["dram.channels = 6", "a multiple of 4", "first-touch"][..]),
            (&[spread], &["memory.placement = domains with smx.domains = []", "as smx.domains ="]),
            (
                &[halves, touch, ("interconnect.topology", "mesh")],
                &["first-touch with interconnect.topology = mesh", "topology = crossbar"],
            ),
            (
                &[("memory.placement", "partitions")],
                &["memory.placement = partitions with SMX 0 in 0 partitions", "in exactly one"],
            ),
            (
                &[("memory.placement", "partitions"), ("smx.partitions", "[\"0-6\", \"6-12\"]")],
                &["SMX 6 in 2 partitions of smx.partitions", "in exactly one"],
            ),
            (
                &[
                    ("memory.placement", "partitions"),
                    ("smx.partitions", "[\"0-3\", \"4-6\", \"7\", \"8-12\"]"),
                ],
                &["dram.channels = 6", "a multiple of 4", "of smx.partitions has as many"],
            ),
            (&[("memory.page", "100000")], &["memory.page = 100000", "a power of two from"]),
            (&[("memory.page", "64")], &["memory.page = 64", "from l1.line = 128 to 2^30"]),
            (&[("interconnect.link", "0")], &["interconnect.link = 0", "1 to 65536"]),
            (
                &[("interconnect.between", "1000001")],
                &["interconnect.between = 1000001", "0 to 1000000"],
            ),
            (&[("memory.placement", "touch")], &["memory.placement", "touch", "first-touch"]),
        ] {
            let refused = rendered(&with(values).unwrap_err());
            // Lines are broken between words.
            let refused = refused.split_whitespace().collect::<Vec<_>>().join(" ");
            let all = said.iter().all(|said| refused.contains(said));
            assert!(all, "{values:?}: {refused}");
        }
    }
}
