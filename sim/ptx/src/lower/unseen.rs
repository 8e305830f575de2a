//! Instructions that do nothing that a thread could see: what is stored is seen at once by all
//! others, and caches are the timing's matter.

/// Whether there is `opcode` with these `modifiers` (PTX ISA 9.1, 9.7.9, 9.7.13 and 9.7.19).
pub(super) fn is_known(opcode: &str, modifiers: &[&str]) -> bool {
    let scope = |name: &str| matches!(name, "cta" | "cluster" | "gpu" | "sys");
    match (opcode, modifiers) {
        ("membar", ["cta" | "gl" | "sys"]) => true,
        ("fence", [of]) => scope(of),
        ("fence", ["sc" | "acq_rel" | "acquire" | "release", of]) => scope(of),
        ("membar" | "fence", ["proxy", "alias" | "async"]) => true,
        ("membar" | "fence", ["proxy", "async", "global" | "shared::cta" | "shared::cluster"]) => {
            true
        }
        ("fence", ["proxy", "tensormap::generic", "acquire" | "release", of]) => scope(of),
        ("fence", ["proxy", "async::generic", of @ ..]) => is_restricted(of),
        ("fence", ["mbarrier_init", "release", "cluster"]) => true,
        ("fence", of) if is_restricted(of) => true,
        ("prefetch", ["global" | "local", "L1" | "L2"] | ["L1" | "L2"]) => true,
        ("prefetch", ["global", "L2::evict_last" | "L2::evict_normal"]) => true,
        ("prefetch", ["tensormap"] | ["const" | "param", "tensormap"]) => true,
        ("prefetchu", ["L1"]) => true,
        ("discard", ["global", "L2"] | ["L2"]) => true,
        ("applypriority", ["global", "L2::evict_normal"] | ["L2::evict_normal"]) => true,
        ("nanosleep", ["u32"]) | ("pmevent", [] | ["mask"]) | ("brkpt", []) => true,
        _ => false,
    }
}

/// Whether a fence is one for the barriers of a cluster alone.
fn is_restricted(of: &[&str]) -> bool {
    matches!(
        of,
        ["acquire", "sync_restrict::shared::cluster", "cluster"]
            | ["release", "sync_restrict::shared::cta", "cluster"]
    )
}
