//! Which hardware a composition has.

use super::ports;
use crate::family;
use blockyard_rtl::claso::Levels;
use blockyard_rtl::dyncta::Thresholds;
use blockyard_rtl::gate::GateKind;
use blockyard_rtl::port::Limits;
use blockyard_rtl::schedulers::{connected, SchedulerModule, MAX_SMX};
use blockyard_sim::port::{FloorPlan, GroupStorage, LaunchMode, SmxLimits};
use blockyard_sim::sched::composition::Gate;
use blockyard_sim::sched::Composition;

/// Most thread-block slots of an SMX that DTBL's control registers can name.
pub const MAX_SLOTS: u32 = 32;

/// Why there is no hardware for a composition.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
pub enum RtlError {
    /// Every scheduler is built for one to [`MAX_SMX`] SMXs.
    #[error("there is no hardware for {0} SMXs: expected 1 to {MAX_SMX}")]
    Smx(usize),
    /// The thread block control registers are built for 1 to 32 slots of an SMX.
    #[error("that hardware is built for 1 to {MAX_SLOTS} thread-block slots, not for {0}")]
    Slots(u32),
    /// An oracle is told what no hardware can know.
    #[error("there is no hardware for {0}: the run times that it needs come from outside")]
    #[diagnostic(help("use --engine golden"))]
    Oracle(String),
    /// The scheduler has no place for what is put over it.
    #[error("there is no hardware for {0}")]
    #[diagnostic(help("use --engine golden, or a composition of `blockyard list modules`"))]
    Composition(String),
}

/// The top module of a scheduler, connected.
pub type Built = Result<Box<dyn SchedulerModule>, RtlError>;

/// What hardware is built for.
pub struct HardwareBuild<'a> {
    /// The composition, for errors.
    pub composition: &'a Composition,
    /// How launches from the device reach it.
    pub launch: LaunchMode,
    /// What it holds of groups.
    pub storage: GroupStorage,
    /// SMXs.
    pub smx: usize,
    /// Which of them belong together.
    pub plan: FloorPlan,
    /// What each of them holds.
    pub limits: Limits,
    /// The gates, in order.
    pub gates: Vec<GateKind>,
}

impl HardwareBuild<'_> {
    /// That there is no hardware for the composition under this launch mode.
    pub fn refused(&self) -> RtlError {
        let over = match self.launch {
            LaunchMode::Flat => "",
            LaunchMode::Cdp => " with --launch cdp",
            LaunchMode::Dtbl => " with --launch dtbl",
        };
        RtlError::Composition(format!("{}{over}", self.composition))
    }

    /// `scheduler`, or what `behind` puts it behind the Kernel Management Unit under `cdp`.
    ///
    /// # Errors
    /// Under `dtbl`.
    pub fn managed<S, M>(&self, scheduler: S, behind: fn(S) -> M) -> Built
    where
        S: SchedulerModule + 'static,
        M: SchedulerModule + 'static,
    {
        match self.launch {
            LaunchMode::Flat => Ok(connected(scheduler)),
            LaunchMode::Cdp => Ok(connected(behind(scheduler))),
            LaunchMode::Dtbl => Err(self.refused()),
        }
    }

    /// For a scheduler to which nothing is launched from the device.
    ///
    /// # Errors
    /// Under another launch mode.
    pub fn flat(&self) -> Result<(), RtlError> {
        match self.launch {
            LaunchMode::Flat => Ok(()),
            LaunchMode::Cdp | LaunchMode::Dtbl => Err(self.refused()),
        }
    }

    /// For a scheduler that names the slots of blocks, which it does with five bits.
    ///
    /// # Errors
    /// When there are more slots than that.
    pub fn names_slots(&self) -> Result<(), RtlError> {
        let slots = u32::try_from(self.limits.slots).unwrap_or(u32::MAX);
        match (1..=MAX_SLOTS).contains(&slots) {
            true => Ok(()),
            false => Err(RtlError::Slots(slots)),
        }
    }
}

/// The top module of a composition, connected; `launch` says how device launches reach it,
/// `storage` what it holds of groups.
///
/// # Errors
/// When there is no hardware for that composition or that many SMXs or slots.
pub fn rtl_module(
    composition: &Composition,
    launch: LaunchMode,
    storage: impl Into<GroupStorage>,
    plan: impl Into<FloorPlan>,
    limits: SmxLimits,
) -> Built {
    let plan = plan.into();
    let smx = plan.smx();
    if !(1..=MAX_SMX).contains(&smx) {
        return Err(RtlError::Smx(smx));
    }
    let limits = ports::limits(limits);
    let gates = composition.gates.iter().map(|one| gate(one, limits)).collect();
    let storage = storage.into();
    let build = HardwareBuild { composition, launch, storage, smx, plan, limits, gates };
    (family::of(&composition.source).module)(&composition.source, &build)
}

fn gate(gate: &Gate, limits: Limits) -> GateKind {
    match gate {
        Gate::Claso(claso) => {
            GateKind::Claso(Levels { active: claso.active.get().into(), loose: claso.loose.into() })
        }
        // The period is the SMX's business: what it counted comes when it ends.
        Gate::Dyncta(dyncta) => GateKind::Dyncta {
            slots: limits.slots,
            thresholds: Thresholds {
                idle: dyncta.idle.into(),
                low: dyncta.low.into(),
                high: dyncta.high.into(),
            },
            pauses: dyncta.pause,
        },
    }
}
