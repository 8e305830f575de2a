//! Whether the parts of an SMX and of the GPU fit together: shared memory, clusters, sub-cores.

use super::{refused, within, GpuConfig, MAX_SMX};
use crate::diagnostic::InputError;

/// Most units of shared memory of an SMX: the scheduler's ports have 17 bits.
const MAX_SHARED_UNITS: u32 = (1 << 17) - 1;

impl GpuConfig {
    pub(super) fn validate_shape(&self) -> Result<(), InputError> {
        let smx = &self.smx;
        within("smx.shared_memory_unit", smx.shared_memory_unit, 1, 1024)?;
        let most = MAX_SHARED_UNITS.saturating_mul(smx.shared_memory_unit);
        within("smx.shared_memory", smx.shared_memory, 0, most)?;
        if !smx.shared_memory.is_multiple_of(smx.shared_memory_unit) {
            let expected =
                format!("a multiple of smx.shared_memory_unit = {}", smx.shared_memory_unit);
            return Err(refused("smx.shared_memory", smx.shared_memory, &expected));
        }
        within("smx.tpc", smx.tpc, 1, MAX_SMX as u32)?;
        for &gpc in &smx.gpcs {
            within("an entry of smx.gpcs", gpc, smx.tpc, MAX_SMX as u32)?;
            if !gpc.is_multiple_of(smx.tpc) {
                let expected = format!("whole TPCs of smx.tpc = {} SMXs", smx.tpc);
                return Err(refused("an entry of smx.gpcs", gpc, &expected));
            }
        }
        let sum: u32 = smx.gpcs.iter().sum();
        if !smx.gpcs.is_empty() && smx.count > sum {
            let expected = format!("at most {sum}, as many as smx.gpcs have, or smx.gpcs = []");
            return Err(refused("smx.count", smx.count, &expected));
        }
        Ok(())
    }

    pub(super) fn validate_sub_cores(&self) -> Result<(), InputError> {
        let (units, schedulers) = (&self.units, self.warp.schedulers);
        if !units.by_scheduler {
            return Ok(());
        }
        for (key, count) in [
            ("units.integer", units.integer),
            ("units.single", units.single),
            ("units.double", units.double),
            ("units.special", units.special),
            ("units.tensor", units.tensor),
        ] {
            if !count.is_multiple_of(schedulers) {
                let expected = format!(
                    "a multiple of warp.schedulers = {schedulers}, each of which has its own"
                );
                return Err(refused(key, count, &expected));
            }
        }
        Ok(())
    }

    pub(super) fn validate_carveouts(&self) -> Result<(), InputError> {
        let (l1, shared) = (&self.l1, self.smx.shared_memory);
        let set = l1.ways * l1.line;
        let last = l1.carveouts.last().copied();
        for &carveout in &l1.carveouts {
            if carveout >= l1.size || !carveout.is_multiple_of(set) {
                let expected = format!("a multiple of {set} bytes below l1.size = {}", l1.size);
                return Err(refused("an entry of l1.carveouts", carveout, &expected));
            }
        }
        if !l1.carveouts.is_sorted() || last.is_some_and(|last| last < shared) {
            return Err(InputError::new(format!("l1.carveouts = {:?}", l1.carveouts))
                .help(format!("expected ascending sizes up to smx.shared_memory = {shared}")));
        }
        Ok(())
    }
}
