//! The home of an address, where the memory is in domains: the domain whose slices have it.

use rustc_hash::FxHashMap;

use super::domains::Domains;
use crate::config::{GpuConfig, Placement};

/// Requests within a domain, or from one to another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Crossed {
    /// Requests.
    pub requests: u64,
    /// Bytes of the flits of these, and of their replies.
    pub bytes: u64,
}

/// See the module.
#[derive(Debug)]
pub struct Homes {
    domains: Domains,
    /// Bytes of a flit.
    flit: u64,
    by: By,
    local: Crossed,
    remote: Crossed,
}

/// What decides where an address lies.
#[derive(Debug)]
enum By {
    /// The address map.
    Address,
    /// Who touches its page first.
    Page(Pages),
    /// Who asks: each has a memory of its own.
    Asker,
}

/// The pages that have been touched.
#[derive(Debug)]
struct Pages {
    /// Bits of a line's number within its page.
    shift: u32,
    /// By number, the domain of each.
    homes: FxHashMap<u64, u8>,
    /// How many each domain has.
    of_domain: Vec<u64>,
}

impl Homes {
    /// Those of `config`, nothing touched, if its memory is in domains.
    pub fn new(config: &GpuConfig) -> Option<Self> {
        let pages = || Pages {
            shift: (config.memory.page / config.l1.line).trailing_zeros(),
            homes: FxHashMap::default(),
            of_domain: vec![0; config.memory_domains() as usize],
        };
        Some(Self {
            domains: Domains::new(config)?,
            flit: config.interconnect.flit.into(),
            by: match config.memory.placement {
                Placement::Interleaved | Placement::Domains => By::Address,
                Placement::FirstTouch => By::Page(pages()),
                Placement::Partitions => By::Asker,
            },
            local: Crossed::default(),
            remote: Crossed::default(),
        })
    }

    /// The slice that has `line`, for which `smx` asks, where the address map says `slice`: of all,
    /// or where a domain or partition has whole pages, of its own.
    pub fn slice(&mut self, smx: u8, line: u64, slice: u16) -> u16 {
        let asker = self.domains.of_smx(smx);
        let home = match &mut self.by {
            By::Address => return slice,
            By::Page(Pages { shift, homes, of_domain }) => {
                *homes.entry(line >> *shift).or_insert_with(|| {
                    of_domain[usize::from(asker)] += 1;
                    asker
                })
            }
            By::Asker => asker,
        };
        self.domains.slice(home, slice)
    }

    /// The slice that has `line`, as [`slice`](Self::slice), whoever asks; `None` where nobody has
    /// touched its page, or that depends on who asks.
    pub fn known(&self, line: u64, slice: u16) -> Option<u16> {
        match &self.by {
            By::Address => Some(slice),
            By::Page(Pages { shift, homes, .. }) => {
                let home = homes.get(&(line >> shift));
                home.map(|&home| self.domains.slice(home, slice))
            }
            By::Asker => None,
        }
    }

    /// `smx` has sent requests to `slice`, or it packets of replies, so many and with so many
    /// flits.
    pub fn count(&mut self, smx: u8, slice: u16, requests: u64, flits: u64) {
        let near = self.domains.of_smx(smx) == self.domains.of_slice(slice);
        let crossed = if near { &mut self.local } else { &mut self.remote };
        crossed.requests += requests;
        crossed.bytes += flits * self.flit;
    }

    /// What stayed within a domain.
    pub fn local(&self) -> Crossed {
        self.local
    }

    /// What crossed from one domain to another.
    pub fn remote(&self) -> Crossed {
        self.remote
    }

    /// How many pages each domain has; `None` but under first touch.
    pub fn pages(&self) -> Option<&[u64]> {
        match &self.by {
            By::Page(pages) => Some(&pages.of_domain),
            By::Address | By::Asker => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::domains::tests::three;

    /// Those of three domains, and of two partitions, with pages of 4 lines.
    fn homes(placement: &str) -> Homes {
        let partitions = ("smx.partitions", "[\"0-5\", \"6-12\"]");
        let set = [partitions, ("memory.placement", placement), ("memory.page", "512")];
        Homes::new(&three(&set)).unwrap()
    }

    #[test]
    fn a_page_lies_in_the_domain_of_the_smx_that_asks_first_and_stays_there() {
        let mut homes = homes("first-touch");
        assert_eq!(homes.slice(7, 41, 2), 4 + 2, "SMX 7 is in domain 1");
        assert_eq!([0, 7, 12].map(|smx| homes.slice(smx, 43, 3)), [4 + 3; 3], "of the same page");
        assert_eq!(homes.slice(12, 44, 3), 8 + 3, "the next page");
        assert_eq!(homes.pages(), Some(&[0, 1, 1][..]));
    }

    #[test]
    fn what_nobody_has_touched_has_no_home() {
        let mut homes = homes("first-touch");
        assert_eq!(homes.known(41, 2), None);
        homes.slice(7, 40, 0);
        assert_eq!((homes.known(41, 2), homes.known(44, 2)), (Some(6), None));
    }

    #[test]
    fn without_first_touch_addresses_lie_where_the_map_says() {
        let mut homes = homes("domains");
        assert_eq!((homes.slice(7, 41, 2), homes.known(999, 11)), (2, Some(11)));
        assert_eq!(homes.pages(), None);
    }

    #[test]
    fn a_partition_finds_every_address_in_its_own_slices() {
        let mut homes = homes("partitions");
        let slices = [0, 5, 6, 12].map(|smx| homes.slice(smx, 41, 2));
        assert_eq!(slices, [2, 2, 6 + 2, 6 + 2]);
        assert_eq!((homes.known(41, 2), homes.pages()), (None, None));
    }

    #[test]
    fn requests_and_replies_count_by_whether_they_leave_their_domain() {
        let mut homes = homes("domains");
        homes.count(1, 3, 1, 4);
        homes.count(2, 3, 1, 1);
        homes.count(2, 3, 0, 2);
        assert_eq!(homes.local(), Crossed { requests: 1, bytes: 160 });
        assert_eq!(homes.remote(), Crossed { requests: 1, bytes: 120 });
    }
}
