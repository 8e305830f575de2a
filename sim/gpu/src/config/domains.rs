//! How many SMXs each domain has, as `smx.domains` writes it: `[66, 66]`.

use super::GpuConfig;
use crate::diagnostic::InputError;
use crate::port::FloorPlan;

/// What the key takes.
pub(super) const EXPECTED: &str = "expected at most 8 numbers of SMXs, as [66, 66]";

impl GpuConfig {
    /// Whether the domains that are stated can be (`docs/domains.md`, rule 1).
    ///
    /// # Errors
    /// When they are more than [`FloorPlan::MOST_DOMAINS`]; when one has no SMX, or all of them
    /// have more SMXs or fewer than there are.
    pub(super) fn validate_domains(&self) -> Result<(), InputError> {
        let (list, count) = (&self.smx.domains, self.smx.count);
        let refused = |message: String| {
            let help = format!("{EXPECTED}, {count} SMXs in all");
            Err(InputError::new(message).help(help))
        };
        let most = FloorPlan::MOST_DOMAINS;
        if list.len() > most {
            return refused(format!("smx.domains has {} domains", list.len()));
        }
        if let Some(empty) = list.iter().position(|&smxs| smxs == 0) {
            return refused(format!("domain {empty} of smx.domains has no SMX"));
        }
        let smxs: u64 = list.iter().map(|&smxs| u64::from(smxs)).sum();
        if !list.is_empty() && smxs != u64::from(count) {
            return refused(format!("smx.domains has {smxs} SMXs, the GPU {count}"));
        }
        Ok(())
    }

    /// `plan` in the domains that are stated; `None` when they cannot be.
    pub(super) fn in_domains(&self, plan: FloorPlan) -> Option<FloorPlan> {
        if self.smx.domains.is_empty() {
            return Some(plan);
        }
        let sizes: Vec<_> = self.smx.domains.iter().map(|&smxs| smxs as usize).collect();
        plan.in_domains(&sizes)
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests;
    use super::*;
    use crate::diagnostic::rendered;

    /// A GPU of ten SMXs with these domains.
    fn with(list: &str) -> Result<GpuConfig, InputError> {
        tests::of_ten("smx.domains", list)
    }

    #[test]
    fn domains_are_ranges_of_the_sizes_that_are_stated() {
        let plan = with("[1, 6, 3]").unwrap().floor_plan();
        assert_eq!(plan.domain_ranges().collect::<Vec<_>>(), [0..1, 1..7, 7..10]);
        let mut config = GpuConfig::preset("k20c").unwrap();
        config
            .set_value("smx", "count = 10\ndomains = [5, 5]".parse::<toml::Table>().unwrap().into())
            .unwrap();
        config.validate().unwrap();
        assert_eq!(config.floor_plan().domains(), [5, 5]);
    }

    #[test]
    fn without_the_key_all_smxs_are_one_domain() {
        assert_eq!(with("[]").unwrap().floor_plan().domains(), [10]);
        tests::may_be_left_out(&["domains", "cancel"]);
    }

    #[test]
    fn what_are_no_domains_of_the_gpu_is_refused_with_what_was_expected() {
        for (list, why) in [
            ("[2, 2, 1, 1, 1, 1, 1, 1, 0]", "smx.domains has 9 domains"),
            ("[5, 0, 5]", "domain 1 of smx.domains has no SMX"),
            ("[5, 4]", "smx.domains has 9 SMXs, the GPU 10"),
            ("[10, 1]", "smx.domains has 11 SMXs, the GPU 10"),
            ("[4294967295, 4294967295]", "smx.domains has 8589934590 SMXs, the GPU 10"),
        ] {
            let refused = rendered(&with(list).unwrap_err());
            assert!(refused.contains(why), "{list}: {refused}");
            assert!(refused.contains("as [66, 66], 10 SMXs in all"), "{list}: {refused}");
        }
        for list in ["[\"5\"]", "[-1]", "10", "[5.5]"] {
            let refused = rendered(&with(list).unwrap_err());
            let said = refused.contains("bad value") && refused.contains(EXPECTED);
            assert!(said, "{list}: {refused}");
        }
    }
}
