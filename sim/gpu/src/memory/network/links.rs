//! The links between domains of the memory: one out of each domain and one into it, for packets of
//! one crossbar.
//!
//! ```text
//!   SMX --> crossbar --> output channel -------------------> slice     in its domain
//!                   `--> link out --> link in --(between)--> slice     in another one
//! ```
//!
//! A packet asks for them when the crossbar grants it, beside its output's channel, and takes both
//! at once; links serve packets in the order of grants. As in a mesh, a link that waits for the
//! other one takes no packet before.

use crate::config::GpuConfig;
use crate::memory::domains::Domains;

/// See the module.
#[derive(Debug)]
pub struct Links {
    domains: Domains,
    /// Bytes of a flit.
    flit: u64,
    /// Bytes that a link takes in a network cycle.
    width: u64,
    /// Network cycles from one end to the other.
    between: u64,
    /// For each domain when its link out is free, in bytes that it could have taken by then.
    out: Vec<u64>,
    /// The same of its link in.
    into: Vec<u64>,
}

impl Links {
    /// The idle links of `config`, if its memory is in domains.
    pub fn new(config: &GpuConfig) -> Option<Self> {
        let interconnect = &config.interconnect;
        let free = vec![0; config.memory_domains() as usize];
        Some(Self {
            domains: Domains::new(config)?,
            flit: interconnect.flit.into(),
            width: interconnect.link.into(),
            between: interconnect.between.into(),
            out: free.clone(),
            into: free,
        })
    }

    /// Network cycles from one end to the other.
    pub fn between(&self) -> u64 {
        self.between
    }

    /// A packet of `flits` flits for `slice` is granted in network cycle `granted`: the cycle in
    /// which its last byte leaves, or `None` within a domain.
    pub fn request(&mut self, granted: u64, smx: u8, slice: u8, flits: u8) -> Option<u64> {
        let (smx, slice) = self.ends(smx, slice);
        self.cross(granted, (smx, slice), flits)
    }

    /// As [`request`](Self::request), from `slice` to `smx`.
    pub fn reply(&mut self, granted: u64, slice: u8, smx: u8, flits: u8) -> Option<u64> {
        let (smx, slice) = self.ends(smx, slice);
        self.cross(granted, (slice, smx), flits)
    }

    /// The domains of both.
    fn ends(&self, smx: u8, slice: u8) -> (usize, usize) {
        (self.domains.of_smx(smx).into(), self.domains.of_slice(slice.into()).into())
    }

    fn cross(&mut self, granted: u64, (from, to): (usize, usize), flits: u8) -> Option<u64> {
        if from == to {
            return None;
        }
        let start = (granted * self.width).max(self.out[from]).max(self.into[to]);
        let end = start + u64::from(flits) * self.flit;
        self.out[from] = end;
        self.into[to] = end;
        Some((end - 1) / self.width)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::domains::tests::three;

    /// Those of three domains with links of this width.
    fn links(width: &str) -> Links {
        let set = [("memory.placement", "domains"), ("interconnect.link", width)];
        Links::new(&three(&set)).unwrap()
    }

    #[test]
    fn within_a_domain_no_packet_takes_a_link() {
        let mut links = links("40");
        assert_eq!([links.request(7, 1, 3, 4), links.reply(7, 11, 12, 4)], [None, None]);
        assert_eq!(links.request(7, 1, 4, 1), Some(7), "none was there before");
    }

    #[test]
    fn a_link_takes_its_bytes_a_cycle_out_of_a_domain_and_into_it() {
        let mut links = links("40");
        assert_eq!(links.request(100, 0, 4, 3), Some(102), "from domain 0 to 1");
        assert_eq!(links.request(100, 1, 8, 1), Some(103), "from 0 to 2");
        assert_eq!(links.request(100, 8, 5, 1), Some(103), "from 2 to 1");
        assert_eq!(links.request(100, 2, 0, 1), Some(100), "from 1 to 0: the other direction");
        assert_eq!(links.request(200, 0, 4, 1), Some(200), "idle again");
    }

    #[test]
    fn a_wide_link_takes_several_packets_in_a_cycle_and_a_narrow_one_cycles_for_a_flit() {
        let mut wide = links("120");
        assert_eq!([9; 4].map(|cycle| wide.reply(cycle, 4, 0, 1)), [9, 9, 9, 10].map(Some));
        let mut narrow = links("7");
        assert_eq!([0; 2].map(|cycle| narrow.reply(cycle, 4, 0, 1)), [5, 11].map(Some));
    }
}
