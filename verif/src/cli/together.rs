//! Workloads that run together, as the command line names them:
//! `aes(direction=decrypt)+dct(arrive=75)`.

use blockyard_kernels::together::{Member, MOST_PROGRAMS};
use blockyard_kernels::KernelSettings;
use miette::{miette, Report, Result};

/// What begins each of them later.
const ARRIVE: &str = "arrive";

/// The last cycle in which one begins.
const LAST_ARRIVAL: u64 = 1 << 40;

/// Whether a workload of this name is several.
pub fn is_named(name: &str) -> bool {
    name.contains('+')
}

/// The workloads without what is in brackets, in order.
pub fn names(name: &str) -> Vec<&str> {
    name.split('+').map(|part| part.split('(').next().unwrap_or_default()).collect()
}

/// Those of `name`, with `settings` unless brackets say otherwise.
///
/// # Errors
/// No such workload, a bad value in brackets, more than [`MOST_PROGRAMS`].
pub fn members(name: &str, settings: &KernelSettings) -> Result<Vec<Member>> {
    let members: Vec<Member> =
        name.split('+').map(|part| member(name, part, *settings)).collect::<Result<_>>()?;
    if members.len() > MOST_PROGRAMS {
        return Err(miette!(
            help = format!("expected at most {MOST_PROGRAMS}"),
            "`{name}` has {} workloads",
            members.len()
        ));
    }
    Ok(members)
}

fn member(name: &str, part: &str, mut settings: KernelSettings) -> Result<Member> {
    let malformed = || -> Report {
        miette!(
            help = "expected A(key=value,...)+B, where A and B are kernels in CUDA C: `blockyard list workloads`",
            "there is no workload `{part}` in `{name}`"
        )
    };
    let (workload, inside) = match part.split_once('(') {
        None => (part, ""),
        Some((workload, rest)) => (workload, rest.strip_suffix(')').ok_or_else(malformed)?),
    };
    let mut arrive = 0;
    for setting in inside.split(',').filter(|setting| !setting.is_empty()) {
        let (key, value) = setting.split_once('=').ok_or_else(malformed)?;
        if key == ARRIVE {
            arrive = cycle(name, value)?;
        } else if !settings.set(&format!("{workload}.{key}"), value)? {
            return Err(malformed());
        }
    }
    let workload = settings.workload(workload).ok_or_else(malformed)?;
    Ok(Member { workload, arrive })
}

fn cycle(name: &str, value: &str) -> Result<u64> {
    let digits = value.bytes().all(|byte| byte.is_ascii_digit());
    let number = value.parse().ok().filter(|cycle| digits && *cycle <= LAST_ARRIVAL);
    number.ok_or_else(|| {
        miette!(
            help = format!("expected a cycle, 0 to {LAST_ARRIVAL}"),
            "`{ARRIVE}` cannot be `{value}` in `{name}`"
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use blockyard_kernels::{sad::SadOptions, KernelWorkload};

    #[test]
    fn each_has_what_its_brackets_say_and_else_what_is_set_for_all() {
        let mut settings = KernelSettings::default();
        settings.set("sad.rows", "7").expect("a key");
        let members = members("sad(columns=3,arrive=75)+sad+sha1(chunks=1)", &settings);
        let members = members.expect("three workloads");
        let sad = |columns| KernelWorkload::Sad(SadOptions { columns, rows: 7 });
        assert_eq!(members[0], Member { workload: sad(3), arrive: 75 });
        assert_eq!(members[1], Member { workload: sad(11), arrive: 0 });
        assert_eq!(members.len(), 3);
        assert_eq!(names("sad(columns=3,arrive=75)+sad+sha1(chunks=1)"), ["sad", "sad", "sha1"]);
    }

    #[test]
    fn what_is_malformed_is_named_with_what_was_expected() {
        for (name, said) in [
            ("sad+", "there is no workload ``"),
            ("sad+no", "there is no workload `no`"),
            ("sad+bfs", "there is no workload `bfs`"),
            ("sad(rows=3+sha1", "there is no workload `sad(rows=3`"),
            ("sad(rows)+sha1", "there is no workload `sad(rows)`"),
            ("sad(rows=121)+sha1", "`sad.rows` cannot be `121`"),
            ("sad(no=1)+sha1", "unknown key `sad.no`"),
            ("sad(arrive=-1)+sha1", "`arrive` cannot be `-1`"),
            ("sad(arrive=1099511627777)+sha1", "`arrive` cannot be `1099511627777`"),
            ("sad+sad+sad+sad+sad+sad+sad+sad+sad", "has 9 workloads"),
        ] {
            let error = members(name, &KernelSettings::default()).expect_err(name).to_string();
            assert!(error.contains(said), "{name}: {error}");
        }
        let most = members(
            "sad(arrive=1099511627776)+sad+sad+sad+sad+sad+sad+sad",
            &KernelSettings::default(),
        );
        assert_eq!(most.expect("eight").len(), 8);
    }
}
