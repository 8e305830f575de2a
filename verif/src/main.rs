//! The `blockyard` command.

use std::process::ExitCode;

/// It takes memory in large pages where it can, which matters where a GPU's registers and caches
/// are more than those of the processor hold (`docs/benchmarks.md`).
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    blockyard::cli::main()
}
