//! The worked examples of the papers, as scenario files in `verif/scenarios`.

use blockyard_sim::diagnostic::InputError;
use blockyard_sim::workload::scenario::Scenario;

const FILES: &[(&str, &str)] = &[
    ("claso-case-study", include_str!("../scenarios/claso-case-study.toml")),
    ("concurrent-kernels", include_str!("../scenarios/concurrent-kernels.toml")),
    ("round-robin-100-blocks", include_str!("../scenarios/round-robin-100-blocks.toml")),
];

/// Their names, as the files are named.
pub fn names() -> impl Iterator<Item = &'static str> {
    FILES.iter().map(|(name, _)| *name)
}

/// The example of that name.
///
/// # Errors
/// When there is no such file, or it is no sound scenario.
pub fn load(name: &str) -> Result<Scenario, InputError> {
    let found = FILES.iter().find(|(known, _)| *known == name);
    let (_, text) =
        found.ok_or_else(|| InputError::new(format!("there is no scenario `{name}`")))?;
    Scenario::parse(&format!("{name}.toml"), text)
}
