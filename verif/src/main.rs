//! The `blockyard` command.

use std::process::ExitCode;

fn main() -> ExitCode {
    blockyard::cli::main()
}
