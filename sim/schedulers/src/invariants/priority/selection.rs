//! Which SMX is visited, and which block it gets (rules 10 to 13).

use super::units::{Queues, Unit};
use crate::laperm::{Binding, LapermConfig};
use crate::port::{Dispatch, KernelEntry, Outputs};

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
#[derive(Clone, Copy, Default, PartialEq)]
struct Visited {
    /// A gate refused the head of its own queue in its last visit.
    refused: bool,
    backup: Option<usize>,
    /// A gate refused what that queue gave since it was recorded.
    backup_refused: bool,
}

/// See the module.
#[derive(Clone, PartialEq)]
pub(in crate::invariants) struct Selection {
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
        let blocks = outputs.dispatch.iter().flatten().count();
        if blocks > 1 {
            return Err(format!("{blocks} blocks dispatched in one cycle"));
        }
        let mut ports = outputs.dispatch.iter().enumerate();
        let dispatch = ports.find_map(|(smx, block)| Some((smx, block.as_ref()?)));
        let smx = self.turn;
        let stage = self.stage(queues);
        let candidate = stage.and_then(|stage| head(stage, queues)).copied();
        let level = outputs.device.queues.level;
        if let Some((to, dispatch)) = dispatch {
            let unit = self.check_block(to, dispatch, queues, stage)?;
            if level != unit.place.level {
                let own = unit.place.level;
                return Err(format!("a block of level {own} is dispatched with level {level}"));
            }
        } else if level != 0 {
            return Err(format!("level {level} without a block"));
        }
        if queues.is_empty() {
            return Ok(None);
        }
        self.turn = (smx + 1) % self.smxs.len();
        let Some(unit) = candidate else {
            self.smxs[smx].refused = false;
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
        let wrong = |what: String| Err(format!("block {block} of entry {} {what}", kernel.0));
        let unit = queues.find(|entry| entry.kernel == kernel && entry.group == group);
        let Some(unit) = unit else {
            return wrong("is dispatched, of which no queue has anything".to_owned());
        };
        if to != self.turn {
            let turn = self.turn;
            return wrong(format!("goes to SMX {to}, it is the turn of SMX {turn}"));
        }
        let (from, level) = (usize::from(unit.place.queue), unit.place.level);
        if level > 0 && from != to / self.cluster && self.binding == Binding::Bound {
            return wrong(format!("leaves the SMXs of queue {from} for SMX {to}"));
        }
        let Some((stage, first)) = stage.and_then(|stage| Some((stage, head(stage, queues)?)))
        else {
            return wrong(format!("goes to SMX {to}, which may take nothing"));
        };
        if first.entry != unit.entry {
            let (passed, entry) = (first.place.level, first.entry.kernel.0);
            return wrong(match stage {
                Stage::Own(queue) if level == 0 || from != queue => {
                    format!("goes to SMX {to}, whose queue {queue} has a unit of level {passed}")
                }
                Stage::Zero if level > 0 => {
                    format!("of queue {from} goes to SMX {to} before queue 0 with entry {entry}")
                }
                Stage::Backup(queue) if from != queue => {
                    format!("is of queue {from}, SMX {to} has the backup {queue}")
                }
                _ => {
                    format!(
                        "level {level}, passes over entry {entry}, level {passed}, of its queue"
                    )
                }
            });
        }
        let (id, next) = (block.linear(unit.entry.grid), unit.done);
        if id != next {
            return wrong(format!("has number {id} in its unit, {next} is next"));
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
