//! The report as JUnit XML, for continuous integration.

use std::io;

use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

use crate::provenance::Origin;

use super::{CaseResult, RegressReport, Verdict};

/// The report as one `testsuite` with a `testcase` for each case, in the order of the suite.
///
/// A case has the class `SUITE.KIND` and its id as its name; its seed is a property. Skipped cases
/// and cases that were not run are `skipped`; of the latter there are none unless the property
/// `interrupted` is `true`. Times are wall time in seconds.
///
/// # Errors
/// Whatever the XML writer says.
pub(super) fn to_xml(report: &RegressReport) -> io::Result<String> {
    let totals = report.totals();
    let mut suite = TestSuite::new(&report.suite);
    suite.set_time(totals.time);
    suite.add_property(("seed", &*report.seed.to_string()));
    suite.add_property(("shard", &*report.shard.to_string()));
    suite.add_property(("version", &*report.version));
    let origin = Origin::here();
    suite.add_property(("revision", &*origin.revision));
    suite.add_property(("host", &*origin.host.to_string()));
    if let Some(filter) = &report.filter {
        suite.add_property(("filter", &**filter));
    }
    let interrupted = (totals.not_run > 0).to_string();
    suite.add_property(("interrupted", &*interrupted));
    suite.add_test_cases(report.results.iter().map(|result| test_case(report, result)));
    let mut root = Report::new("blockyard regress");
    root.set_time(totals.time);
    root.add_test_suite(suite);
    root.to_string().map_err(io::Error::other)
}

fn test_case(report: &RegressReport, result: &CaseResult) -> TestCase {
    let mut output = Vec::new();
    let status = match &result.outcome.verdict {
        Verdict::Passed => TestCaseStatus::success(),
        Verdict::Failed { message, repeat_command, artefacts } => {
            if let Some(command) = repeat_command {
                output.push(format!("repeat: {command}"));
            }
            let places = artefacts.iter().map(|path| report.out.join(path));
            output.extend(places.map(|path| format!("artefact: {}", path.display())));
            let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
            status.set_message(result.cause());
            status.set_type("failed");
            status.set_description(message);
            status
        }
        Verdict::Skipped(_) => skipped(result.cause()),
        Verdict::NotRun => skipped("not run: the run was stopped"),
    };
    // The same from run to run, whatever the seed: what follows a case over time goes by both.
    let mut case = TestCase::new(&*result.id, status);
    case.set_classname(format!("{}.{}", report.suite, kind(&result.id)));
    case.set_time(result.time);
    case.add_property(("seed", &*result.seed.to_string()));
    case.add_property(("cycles", &*result.outcome.cycles.to_string()));
    if !output.is_empty() {
        case.set_system_out(output.join("\n"));
    }
    case
}

/// `lockstep` of `lockstep/rr/n13`.
fn kind(id: &str) -> &str {
    id.split('/').next().unwrap_or(id)
}

fn skipped(reason: &str) -> TestCaseStatus {
    let mut status = TestCaseStatus::skipped();
    status.set_message(reason);
    status
}
