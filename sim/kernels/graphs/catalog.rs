//! The workloads over graphs, by name.

use std::rc::Rc;

use blockyard_contract::diagnostic::InputError;
use blockyard_contract::key::Key;
use blockyard_contract::port::LaunchMode;
use blockyard_workloads::graph::{Csr, SetError};

use crate::bfs::{Bfs, BfsOptions};
use crate::clr::{Clr, ClrOptions};
use crate::launch::Computation;
use crate::mis::{Mis, MisOptions};
use crate::pagerank::{Pagerank, PagerankOptions};
use crate::sssp::{Sssp, SsspOptions};

/// The name of every workload over a graph, and what it computes.
pub const WORKLOADS: [(&str, &str); 5] = [
    ("bfs", "breadth-first search"),
    ("sssp", "shortest paths from one vertex"),
    ("clr", "graph colouring"),
    ("mis", "a maximal independent set"),
    ("pagerank", "ranks of vertices by who leads to them"),
];

/// A workload over a graph with its settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GraphWorkload {
    /// See [`Bfs`].
    Bfs(BfsOptions),
    /// See [`Sssp`].
    Sssp(SsspOptions),
    /// See [`Clr`].
    Clr(ClrOptions),
    /// See [`Mis`].
    Mis(MisOptions),
    /// See [`Pagerank`].
    Pagerank(PagerankOptions),
}

/// Why a workload cannot begin.
#[derive(Debug)]
pub enum Refused {
    /// A setting does not fit the graph.
    Setting(SetError),
    /// There is no memory for the graph.
    Memory(InputError),
}

impl From<SetError> for Refused {
    fn from(error: SetError) -> Self {
        Self::Setting(error)
    }
}

impl From<InputError> for Refused {
    fn from(error: InputError) -> Self {
        Self::Memory(error)
    }
}

impl GraphWorkload {
    /// Its host program on `csr`, before its first launch. `seed` decides what is drawn; busy
    /// vertices launch children unless `mode` is flat.
    ///
    /// # Errors
    /// When a setting does not fit `csr`, or there is no memory for it.
    pub fn program(
        &self,
        csr: &Rc<Csr>,
        seed: u64,
        mode: LaunchMode,
    ) -> Result<Box<dyn Computation>, Refused> {
        Ok(match self {
            Self::Bfs(options) => Box::new(Bfs::new(csr, options, mode)?),
            Self::Sssp(options) => Box::new(Sssp::new(csr, options, seed, mode)?),
            Self::Clr(options) => Box::new(Clr::new(csr, options, seed, mode)?),
            Self::Mis(options) => Box::new(Mis::new(csr, options, seed, mode)?),
            Self::Pagerank(options) => Box::new(Pagerank::new(csr, options, mode)?),
        })
    }

    /// The vertex of `csr` at which it begins, if there is one. All but searches begin everywhere,
    /// which the busiest vertex stands for.
    pub fn source(&self, csr: &Csr) -> Option<u32> {
        match self {
            Self::Bfs(options) => options.source(csr).ok(),
            Self::Sssp(options) => options.source(csr).ok(),
            Self::Clr(_) | Self::Mis(_) | Self::Pagerank(_) => csr.busiest_vertex(),
        }
    }
}

/// Settings of all workloads over graphs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GraphSettings {
    /// `bfs.*`.
    pub bfs: BfsOptions,
    /// `sssp.*`.
    pub sssp: SsspOptions,
    /// `clr.*`.
    pub clr: ClrOptions,
    /// `mis.*`.
    pub mis: MisOptions,
    /// `pagerank.*`.
    pub pagerank: PagerankOptions,
}

impl GraphSettings {
    /// Every key of every workload.
    pub fn keys() -> impl Iterator<Item = &'static Key> {
        let of_searches = [BfsOptions::KEYS, SsspOptions::KEYS];
        let of_others = [ClrOptions::KEYS, MisOptions::KEYS, PagerankOptions::KEYS];
        of_searches.into_iter().chain(of_others).flatten()
    }

    /// Sets `key` to `value`. Whether it is a key of one of these workloads.
    ///
    /// # Errors
    /// When the workload has no such key, or the value is not one that it takes.
    pub fn set(&mut self, key: &str, value: &str) -> Result<bool, SetError> {
        match key.split_once('.').map(|(workload, _)| workload) {
            Some("bfs") => self.bfs.set(key, value)?,
            Some("sssp") => self.sssp.set(key, value)?,
            Some("clr") => self.clr.set(key, value)?,
            Some("mis") => self.mis.set(key, value)?,
            Some("pagerank") => self.pagerank.set(key, value)?,
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// The workload `name`, if there is one.
    pub fn workload(&self, name: &str) -> Option<GraphWorkload> {
        Some(match name {
            "bfs" => GraphWorkload::Bfs(self.bfs),
            "sssp" => GraphWorkload::Sssp(self.sssp),
            "clr" => GraphWorkload::Clr(self.clr),
            "mis" => GraphWorkload::Mis(self.mis),
            "pagerank" => GraphWorkload::Pagerank(self.pagerank),
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_has_a_workload_and_others_have_none() {
        let settings = GraphSettings::default();
        assert!(WORKLOADS.iter().all(|(name, _)| settings.workload(name).is_some()));
        assert_eq!(settings.workload("dfs"), None);
    }

    #[test]
    fn every_key_can_be_set_to_its_default_which_changes_nothing() {
        for key in GraphSettings::keys() {
            let mut settings = GraphSettings::default();
            // What is said in words is decided later.
            if !key.default.contains(' ') {
                assert_eq!(settings.set(key.name, key.default), Ok(true), "{}", key.name);
            }
            assert_eq!(settings, GraphSettings::default(), "{}", key.name);
        }
    }

    #[test]
    fn keys_reach_the_workload_that_they_name() {
        for (key, table) in
            [("bfs.block", "bfs"), ("sssp.max_weight", "sssp"), ("clr.threshold", "clr")]
        {
            let mut settings = GraphSettings::default();
            assert_eq!(settings.set(key, "17"), Ok(true));
            for (name, _) in WORKLOADS {
                let unchanged = settings.workload(name) == GraphSettings::default().workload(name);
                assert_eq!(unchanged, name != table, "{key}");
            }
        }
        assert_eq!(GraphSettings::default().set("vecadd.block", "17"), Ok(false));
        assert_eq!(GraphSettings::default().set("block", "17"), Ok(false));
    }
}
