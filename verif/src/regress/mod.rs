//! The regression runner behind `blockyard regress`: suites of independent cases, run in parallel.
//!
//! A [`Suite`] is a list of [`Case`]s; [`run()`] runs them on all cores and gives a
//! [`RegressReport`]; [`main()`] is the command line around it. The rules of the house:
//!
//! * **Seeds.** Every case gets a seed of its own, derived from the seed of the run and its id
//!   ([`case_seed`]), so a case repeats alone. The seed is part of the case's full id.
//! * **Nothing is lost.** A finished case is at once one line of the journal `results.jsonl`;
//!   `--resume` goes on from there, after Ctrl-C or a crash.
//! * **The order of running is invisible.** Cases start heaviest first, but reports list them in
//!   the order of the suite, and `report.json` holds no times: the same run gives the same bytes.
//! * **A panic is a failed case**, never the end of the run.
//!
//! [`soak`] is no suite: it draws cases for as long as it is let.
//!
//! What a run leaves in its folder (`--out`):
//!
//! | file | what |
//! | --- | --- |
//! | `results.jsonl` | the journal: a header line, then one line a finished case, in order of finishing, with times |
//! | `results.jsonl.old` | the journal of the run before |
//! | `report.json` | the report in the order of the suite, without times |
//! | `cases/` | a folder of artefacts for each case that made one |
//! | `lock` | held by the running process; two runs never share a folder |

mod args;
mod bucket;
mod case;
mod entry;
mod error;
mod execute;
mod fingerprint;
mod folder_lock;
mod journal;
mod junit;
mod options;
mod page;
mod panic_message;
pub mod progress;
mod record;
mod report;
mod run;
mod seed;
mod selection;
mod shard;
pub mod soak;
mod spread;
mod stop;
mod suites;
mod table;

pub use args::RegressArgs;
pub use bucket::{buckets, Bucket};
pub use case::{Case, CaseContext, CaseFn, Outcome, Suite, Verdict};
pub use entry::{main, ExitStatus, DEFAULT_OUT};
pub use error::RegressError;
pub(crate) use execute::quoted;
pub(crate) use fingerprint::of_this_executable;
pub(crate) use folder_lock::FolderLock;
pub use options::RegressOptions;
pub use page::page;
pub(crate) use panic_message::catch;
pub use report::{CaseResult, RegressReport, Totals};
pub use run::run;
pub use seed::{case_seed, full_id};
pub use shard::{Shard, ShardError};
pub use stop::StopFlag;
pub use suites::{few, few_of_each_kind, suites, Draws, Few};
pub use table::render;
