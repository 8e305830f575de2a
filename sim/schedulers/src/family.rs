//! Families of schedulers: the one place that says what the behavioural side knows of each.
//!
//! ```text
//!   "laperm/tb-pri(levels=2)" --> FAMILIES --read--> Source = dyn Base --twin, rules, ports--> runs, checks
//! ```
//!
//! A family is one line in [`FAMILIES`]; its descriptor is in its own folder. The hardware side has
//! a table of its own, by the same names.

use crate::admission::AdmissionGate;
use crate::composition::syntax::Part;
use crate::composition::{Composition, CompositionError, CompositionErrorKind, Known, Reader};
use crate::device_launch::LaunchModeError;
use crate::dtbl::MAX_GROUP_ENTRIES;
use crate::invariants::PolicyRules;
use crate::kmu::KmuScheduler;
use crate::port::{BlockPorts, DevicePorts, FloorPlan, GroupStorage, LaunchMode, SmxLimits};
use crate::remembering::Remembering;
use crate::Twin;
use std::any::Any;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// All families, in the order in which they are listed.
pub static FAMILIES: &[&Family] = &[
    &crate::dispatch::FAMILY,
    &crate::gpgpusim::FAMILY,
    &crate::laperm::FAMILY,
    &crate::ikra::FAMILY,
    &crate::srtf::FAMILY,
    &crate::oldest_first::FAMILY,
    &crate::most_room::FAMILY,
    &crate::clusters::FAMILY,
    &crate::priority::FAMILY,
    &crate::partitions::FAMILY,
    &crate::dependent::FAMILY,
    &crate::domains::FAMILY,
    &crate::launch_control::FAMILY,
];

/// Schedulers that have their hardware, their twin and a page in common.
pub struct Family {
    /// What it is called in messages and tables, once.
    pub name: &'static str,
    /// The page of `docs/` that has its rules.
    pub page: &'static str,
    /// Its schedulers, as `blockyard list schedulers` shows them.
    pub known: &'static [Known],
    /// Compositions that go over all of its hardware, without gates: every test over all schedulers
    /// runs them, under every gate.
    pub covering: &'static [&'static str],
    /// What the regression runs, in the order in which it does: with parameters at which something
    /// is always full, always late, or binds at once or never.
    pub suite: &'static [&'static str],
    /// Situations that the regression is to have met: those of its twins, see [`crate::cover`].
    pub cover: &'static [crate::cover::Points],
    /// Reads the source of a composition, which begins with one of the names in `known`.
    pub(crate) read: fn(&Reader<'_>, &Part<'_>) -> Result<Source, CompositionError>,
    /// What to say of a key that the source of this name does not have.
    pub(crate) keys: fn(name: &str, key: &str) -> String,
}

impl Family {
    /// Whether a source with this name, its variant and keys left out, is one of the family's.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.known.iter().any(|known| known.stem() == name)
    }
}

impl fmt::Debug for Family {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// The family of sources of this name.
pub(crate) fn of(name: &str) -> Option<&'static Family> {
    FAMILIES.iter().copied().find(|family| family.has(name))
}

/// What a twin is built for.
#[derive(Clone, Copy, Debug)]
pub struct Build<'a> {
    /// The composition, for its gates and for errors.
    pub composition: &'a Composition,
    /// How launches from the device reach it.
    pub launch: LaunchMode,
    /// Where groups are; only the family that has an Aggregated Group Table looks at it.
    pub storage: GroupStorage,
    /// SMXs.
    pub smx: usize,
    /// Which of them belong together.
    pub plan: &'a FloorPlan,
    /// What each of them holds.
    pub limits: SmxLimits,
}

impl Build<'_> {
    /// The gates, in order.
    pub(crate) fn gates(&self) -> Vec<Box<dyn AdmissionGate>> {
        self.gates_of(self.smx)
    }

    /// The gates of `smx` SMXs, in order.
    pub(crate) fn gates_of(&self, smx: usize) -> Vec<Box<dyn AdmissionGate>> {
        let gates = self.composition.gates.iter();
        gates.map(|gate| gate.twin(smx, self.limits)).collect()
    }

    /// Where groups are, under `dtbl`.
    ///
    /// # Errors
    /// When there can be no such table, or no such number is asked for ahead.
    pub(crate) fn group_storage(&self) -> Result<GroupStorage, LaunchModeError> {
        let GroupStorage { table, ahead } = self.storage;
        if !table.is_power_of_two() || table > MAX_GROUP_ENTRIES {
            return Err(LaunchModeError::GroupEntries(table));
        }
        if !(1..=GroupStorage::MOST_AHEAD).contains(&ahead) {
            return Err(LaunchModeError::GroupsAhead(ahead));
        }
        Ok(self.storage)
    }

    /// `twin`, behind the Kernel Management Unit under `cdp`.
    ///
    /// # Errors
    /// Under `dtbl`.
    pub(crate) fn managed<T: Twin + Clone + PartialEq + 'static>(
        &self,
        twin: T,
    ) -> Result<Box<dyn Twin>, LaunchModeError> {
        match self.launch {
            LaunchMode::Flat => Ok(Remembering::boxed(twin)),
            LaunchMode::Cdp => Ok(Remembering::boxed(KmuScheduler::new(twin))),
            LaunchMode::Dtbl => Err(LaunchModeError::Groups(self.composition.clone())),
        }
    }

    /// `twin`, unless something is launched from the device.
    ///
    /// # Errors
    /// What `refusal` says of the composition under another mode than `flat`.
    pub(crate) fn only_flat<T: Twin + Clone + PartialEq + 'static>(
        &self,
        refusal: fn(Composition) -> LaunchModeError,
        twin: impl FnOnce(&Self) -> T,
    ) -> Result<Box<dyn Twin>, LaunchModeError> {
        match self.launch {
            LaunchMode::Flat => Ok(Remembering::boxed(twin(self))),
            LaunchMode::Cdp | LaunchMode::Dtbl => Err(refusal(self.composition.clone())),
        }
    }
}

/// A scheduler of a family with its parameters chosen, without gates. `Display` writes its
/// canonical name, with every parameter stated.
pub trait Base: fmt::Debug + fmt::Display + Any + Send + Sync {
    /// Whose it is.
    fn family(&self) -> &'static Family;

    /// The twin of the whole scheduler.
    ///
    /// # Errors
    /// When it cannot be used under that launch mode.
    #[allow(private_interfaces)]
    fn twin(&self, build: &Build<'_>) -> Result<Box<dyn Twin>, LaunchModeError>;

    /// What it promises of the order of blocks and kernels.
    fn rules(&self) -> PolicyRules {
        PolicyRules::default()
    }

    /// Which ports of launches from the device it has under `mode`.
    fn device_ports(&self, mode: LaunchMode) -> DevicePorts {
        mode.into()
    }

    /// Which ports it has for what running blocks tell or ask.
    fn block_ports(&self) -> BlockPorts {
        BlockPorts::None
    }

    /// Why it cannot have credits; all other gates go with every scheduler.
    fn without_credits(&self) -> Option<CompositionErrorKind> {
        None
    }
}

/// Which kernel gives the next thread block, and to which SMX: the source of a [`Composition`]. Two
/// are equal when their canonical names are.
#[derive(Clone, Debug)]
pub struct Source(Arc<dyn Base>);

impl Source {
    /// The source that is this scheduler.
    pub fn new(base: impl Base) -> Self {
        Self(Arc::new(base))
    }

    /// The scheduler.
    pub fn base(&self) -> &dyn Base {
        &*self.0
    }

    /// Its parameters, if they are of this type.
    pub fn get<B: Base>(&self) -> Option<&B> {
        let base: &dyn Any = &*self.0;
        base.downcast_ref()
    }
}

impl<B: Base> From<B> for Source {
    fn from(base: B) -> Self {
        Self::new(base)
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl PartialEq for Source {
    fn eq(&self, other: &Self) -> bool {
        self.to_string() == other.to_string()
    }
}

impl Eq for Source {}

impl Hash for Source {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.to_string().hash(state);
    }
}
