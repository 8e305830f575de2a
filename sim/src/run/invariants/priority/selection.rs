//! Which SMX is visited, and which block it gets (rules 10 to 13).

use super::units::{Queues, Unit};
use crate::port::{Dispatch, KernelEntry, Outputs};
use crate::sched::laperm::{Binding, LapermConfig};

/// Where a candidate comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// The queue of the SMX.
    Own(usize),
    /// Queue 0.
    Zero,
    /// A queue of other SMXs.
    Backup(usize),
}

/// What is known of an SMX.
#[derive(Clone, Copy, Default)]
struct Visited {
    /// A gate refused the head of its own queue in its last visit.
    refused: bool,
    backup: Option<usize>,
    /// A gate refused what that queue gave since it was recorded.
    backup_refused: bool,
}

/// See the module.
pub(super) struct Selection {
    binding: Binding,
    cluster: usize,
    /// Whether gates may refuse a block that fits.
    gated: bool,
    turn: usize,
    smxs: Vec<Visited>,
}

impl Selection {
    pub(super) fn new(config: &LapermConfig, smx: usize, gated: bool) -> Self {
        Self {
            binding: config.binding,
            cluster: config.cluster_size(smx),
            gated,
            turn: 0,
            smxs: vec![Visited::default(); smx],
        }
    }

    #[cfg(test)]
    pub(super) fn turn(&self) -> usize {
        self.turn
    }

    /// Checks the visit of a cycle, and moves on; returns the unit that has nothing left after it.
    pub(super) fn visit(
        &mut self,
        outputs: &Outputs,
        queues: &mut Queues,
        fits: impl Fn(usize, KernelEntry) -> bool,
    ) -> Result<Option<Unit>, String> {
        let mut dispatched = outputs.dispatch.iter().enumerate();
        let mut dispatched = dispatched.by_ref().filter_map(|(smx, it)| Some((smx, it.as_ref()?)));
        let dispatch = dispatched.next();
        if dispatched.next().is_some() {
            let blocks = outputs.dispatch.iter().flatten().count();
            return Err(format!("{blocks} blocks dispatched in one cycle"));
        }
        let any = queues.zero().is_some() || (0..queues.count()).any(|q| queues.head(q).is_some());
        let smx = self.turn;
        let stage = if any { self.stage(queues) } else { None };
        let candidate = stage.and_then(|stage| head(stage, queues)).copied();
        let level = outputs.device.priority.level;
        if let Some((to, dispatch)) = dispatch {
            let unit = self.check_block(to, dispatch, queues, stage)?;
            if level != unit.place.level {
                let own = unit.place.level;
                return Err(format!("a block of level {own} is dispatched with level {level}"));
            }
        } else if level != 0 {
            return Err(format!("level {level} without a block"));
        }
        let Some(unit) = candidate else {
            self.turn = if any { (smx + 1) % self.smxs.len() } else { smx };
            self.smxs[smx].refused &= !any;
            return Ok(None);
        };
        let fits = unit.blocks() > 0 && fits(smx, unit.entry.kernel);
        let refused = dispatch.is_none() && fits;
        if refused && !self.gated {
            let entry = unit.entry.kernel.0;
            return Err(format!(
                "SMX {smx} has room for the next block of entry {entry}, and no gate"
            ));
        }
        let visited = &mut self.smxs[smx];
        visited.refused = matches!(stage, Some(Stage::Own(_))) && refused;
        if let Some(Stage::Backup(queue)) = stage {
            visited.backup = Some(queue);
            visited.backup_refused = refused;
        }
        self.turn = (smx + 1) % self.smxs.len();
        if dispatch.is_some() {
            queues.step(&unit);
        }
        let done = unit.done + u64::from(dispatch.is_some());
        Ok((done == unit.blocks()).then_some(unit))
    }

    /// Whether this block is the candidate's next one; returns its unit.
    fn check_block(
        &self,
        to: usize,
        dispatch: &Dispatch,
        queues: &Queues,
        stage: Option<Stage>,
    ) -> Result<Unit, String> {
        let Dispatch { kernel, block, group, .. } = *dispatch;
        let what = format!("block {block} of entry {}", kernel.0);
        let unit = queues.find(|entry| entry.kernel == kernel && entry.group == group);
        let Some(unit) = unit else {
            return Err(format!("{what} is dispatched, of which no queue has anything"));
        };
        if to != self.turn {
            let turn = self.turn;
            return Err(format!("{what} goes to SMX {to}, it is the turn of SMX {turn}"));
        }
        let from = usize::from(unit.place.queue);
        let host = unit.place.level == 0;
        let own = to / self.cluster;
        if !host && from != own && self.binding == Binding::Bound {
            return Err(format!("{what} leaves the SMXs of queue {from} for SMX {to}"));
        }
        let expected = stage.and_then(|stage| head(stage, queues));
        match (stage, expected) {
            (_, Some(first)) if first.entry == unit.entry => {}
            (Some(Stage::Own(queue)), Some(first)) if host || from != queue => {
                let level = first.place.level;
                return Err(format!(
                    "{what} goes to SMX {to}, whose queue {queue} has a unit of level {level}"
                ));
            }
            (Some(Stage::Zero), Some(first)) if !host => {
                let first = first.entry.kernel.0;
                return Err(format!(
                    "{what} of queue {from} goes to SMX {to} before queue 0 with entry {first}"
                ));
            }
            (Some(Stage::Backup(queue)), _) if from != queue => {
                return Err(format!("{what} is of queue {from}, SMX {to} has the backup {queue}"));
            }
            (Some(_), Some(first)) => {
                let (level, passed) = (unit.place.level, first.place.level);
                let first = first.entry.kernel.0;
                return Err(format!(
                    "{what}, level {level}, passes over entry {first}, level {passed}, of its queue"
                ));
            }
            _ => return Err(format!("{what} goes to SMX {to}, which may take nothing")),
        }
        let id = block.linear(unit.entry.grid);
        if id != unit.done {
            return Err(format!("{what} has number {id} in its unit, {} is next", unit.done));
        }
        Ok(*unit)
    }

    /// Rules 10 and 11: where the candidate of the visited SMX comes from.
    fn stage(&self, queues: &Queues) -> Option<Stage> {
        let own = self.turn / self.cluster;
        let Visited { refused, backup, backup_refused } = self.smxs[self.turn];
        if queues.head(own).is_some() && !refused {
            return Some(Stage::Own(own));
        }
        if queues.zero().is_some() {
            return Some(Stage::Zero);
        }
        if self.binding != Binding::Adaptive {
            return None;
        }
        let has = |queue: &usize| queues.head(*queue).is_some();
        if let Some(kept) = backup.filter(has).filter(|_| !backup_refused) {
            return Some(Stage::Backup(kept));
        }
        let after = backup.unwrap_or(own);
        let mut others = (1..=queues.count()).map(|step| (after + step) % queues.count());
        others.find(|queue| *queue != own && has(queue)).map(Stage::Backup)
    }
}

/// The first unit there.
fn head(stage: Stage, queues: &Queues) -> Option<&Unit> {
    match stage {
        Stage::Own(queue) | Stage::Backup(queue) => queues.head(queue),
        Stage::Zero => queues.zero(),
    }
}
