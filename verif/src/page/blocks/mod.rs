//! When and where the blocks of a run ran: the files of `run --blocks`.

mod gantt;
mod occupancy;

use super::{Cell, Page, Section, Table};
use blockyard_sim::block_log::COLUMNS;
use miette::{miette, Result};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;

/// Most SMXs that a file may name.
const MOST_SMXS: usize = 4096;

/// A stay of a block on an SMX, as a line of the file.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Stay {
    /// The cycle of its dispatch.
    pub dispatched: u64,
    /// The cycle in which its end is reported.
    pub completed: u64,
    /// The SMX.
    pub smx: usize,
    /// The kernel.
    pub kernel: String,
    /// Launch ordinal of that name.
    pub instance: u32,
    /// The aggregated group within the instance; 0 for a native block.
    pub group: u32,
    /// The block's index.
    pub x: u32,
    /// The block's index.
    pub y: u32,
    /// The block's index.
    pub z: u32,
}

/// The part of a run that is drawn bar by bar, in cycles; all of it where an end is missing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cycles {
    /// The first cycle.
    pub from: Option<u64>,
    /// The cycle after the last one.
    pub to: Option<u64>,
}

/// Reads a file of `run --blocks`.
///
/// # Errors
/// When it cannot be read, or is something else: with the line.
pub fn read(path: &Path) -> Result<Vec<Stay>> {
    let shown = path.display();
    // What a log comes from may stand above it.
    let reader = csv::ReaderBuilder::new().flexible(true).comment(Some(b'#')).from_path(path);
    let mut reader = reader.map_err(|e| miette!("cannot read {shown}: {e}"))?;
    let heads = reader.headers().map_err(|e| miette!("cannot read {shown}: {e}"))?;
    if !heads.iter().eq(COLUMNS) {
        return Err(miette!(
            help = "`blockyard run --blocks F.csv` writes such files",
            "{shown} line 1: found `{}`, expected `{}`",
            heads.iter().collect::<Vec<_>>().join(","),
            COLUMNS.join(",")
        ));
    }
    let mut stays = Vec::new();
    let mut record = csv::StringRecord::new();
    loop {
        let more = reader.read_record(&mut record).map_err(|e| miette!("{shown}: {e}"))?;
        if !more {
            return Ok(stays);
        }
        let line = record.position().map_or(0, csv::Position::line);
        let refuse = |why: &str| {
            let found = record.iter().collect::<Vec<_>>().join(",");
            miette!("{shown} line {line}: found `{found}`, expected {why}")
        };
        let stay = Some(&record).filter(|record| record.len() == COLUMNS.len());
        let stay: Stay = stay
            .and_then(|record| record.deserialize(None).ok())
            .ok_or_else(|| refuse("numbers but for the kernel's name, in nine columns"))?;
        if stay.completed < stay.dispatched {
            return Err(refuse("`completed` at or after `dispatched`"));
        }
        if stay.smx >= MOST_SMXS {
            return Err(refuse(&format!("an SMX below {MOST_SMXS}")));
        }
        stays.push(stay);
    }
}

/// The page of a run: who ran what, the occupancy of each SMX over time, and block by block.
pub fn page(name: &str, stays: &[Stay], cycles: Cycles, command: &str) -> Page {
    let title = format!("Blocks of {name}");
    let page = Page::new(title).with(Section::new("Summary").words(words(stays)).command(command));
    if stays.is_empty() {
        return page;
    }
    page.with(plots("Where blocks ran", stays, cycles, command))
        .with(Section::new("By kernel").table(by_kernel(stays)))
        .with(Section::new("By SMX").table(by_smx(stays)))
}

/// Heat map and Gantt chart.
pub fn plots(heading: &str, stays: &[Stay], cycles: Cycles, command: &str) -> Section {
    Section::new(heading)
        .plot(occupancy::plot(stays, command))
        .plot(gantt::plot(stays, cycles, command))
}

/// The first cycle of a dispatch, and the last of an end.
fn span(stays: &[Stay]) -> (u64, u64) {
    let first = stays.iter().map(|stay| stay.dispatched).min().unwrap_or(0);
    let last = stays.iter().map(|stay| stay.completed).max().unwrap_or(0);
    (first, last.max(first.saturating_add(1)))
}

/// Whether a block ran in `cycles`, if any ran at all.
///
/// # Errors
/// None did, with the cycles in which blocks ran.
pub fn check(stays: &[Stay], cycles: Cycles) -> Result<()> {
    let (first, last) = span(stays);
    let ran = |stay: &Stay| {
        cycles.from.is_none_or(|from| from <= stay.completed)
            && cycles.to.is_none_or(|to| to > stay.dispatched)
    };
    if stays.is_empty() || stays.iter().any(ran) {
        return Ok(());
    }
    let from = cycles.from.map_or(String::new(), |from| format!(" from cycle {from} on"));
    let to = cycles.to.map_or(String::new(), |to| format!(" before cycle {to}"));
    let help = format!("expected some of the cycles {first} to {last}");
    Err(miette!(help = help, "no block ran{from}{to}"))
}

fn smxs(stays: &[Stay]) -> usize {
    stays.iter().map(|stay| stay.smx + 1).max().unwrap_or(0)
}

fn words(stays: &[Stay]) -> String {
    let names: std::collections::BTreeSet<&str> =
        stays.iter().map(|stay| stay.kernel.as_str()).collect();
    let (first, last) = span(stays);
    let number = |value: u64| super::number::shown(value as f64);
    match stays.len() {
        0 => "No block ended.".to_owned(),
        count => format!(
            "{} stays of blocks of {} kernels by name on {} SMXs, in cycles {} to {}. A block that \
             waits for what it launched leaves its SMX and has a stay more.",
            number(count as u64),
            number(names.len() as u64),
            number(smxs(stays) as u64),
            number(first),
            number(last)
        ),
    }
}

/// Stays, their cycles, and the first and last cycle, by `key`.
fn grouped<K: Ord>(stays: &[Stay], key: impl Fn(&Stay) -> K) -> BTreeMap<K, [f64; 4]> {
    let mut all = BTreeMap::new();
    for stay in stays {
        let (from, until) = (stay.dispatched as f64, stay.completed as f64);
        let sums = all.entry(key(stay)).or_insert([0.0, 0.0, from, until]);
        sums[0] += 1.0;
        sums[1] += until - from;
        sums[2] = from.min(sums[2]);
        sums[3] = until.max(sums[3]);
    }
    all
}

fn by_kernel(stays: &[Stay]) -> Table {
    let heads = ["kernel", "stays", "cycles a stay, mean", "first dispatch", "last end"];
    let mut table = Table::new("What ran, by the name of the kernel", heads);
    for (name, [count, cycles, first, last]) in grouped(stays, |stay| stay.kernel.clone()) {
        let numbers = [count, cycles / count, first, last].map(|value| Cell::number(Some(value)));
        table.rows.push([Cell::Text(name)].into_iter().chain(numbers).collect());
    }
    table
}

fn by_smx(stays: &[Stay]) -> Table {
    let heads = ["SMX", "stays", "cycles a stay, mean", "resident blocks, mean"];
    let mut table = Table::new("What each SMX ran", heads);
    let (first, last) = span(stays);
    for (smx, [count, cycles, ..]) in grouped(stays, |stay| stay.smx) {
        let numbers = [smx as f64, count, cycles / count, cycles / (last - first) as f64];
        table.rows.push(numbers.map(|value| Cell::number(Some(value))).to_vec());
    }
    table
}

#[cfg(test)]
pub(super) fn stay(smx: usize, dispatched: u64, completed: u64, kernel: &str) -> Stay {
    let kernel = kernel.to_owned();
    Stay { dispatched, completed, smx, kernel, instance: 0, group: 0, x: 0, y: 0, z: 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_text(text: &str) -> Result<Vec<Stay>> {
        let file = tempfile::NamedTempFile::new().expect("a file");
        std::fs::write(file.path(), text).expect("it is written");
        read(file.path())
    }

    const HEAD: &str = "dispatched,completed,smx,kernel,instance,group,x,y,z\n";

    #[test]
    fn a_line_that_is_wrong_is_named_with_what_was_expected() {
        let cases = [
            ("cycle,smx\n".to_owned(), "line 1: found `cycle,smx`, expected `dispatched,"),
            (format!("{HEAD}1,2,0,k,0,0,0,0,0\n3,x,0,k,0,0,0,0,0\n"), "line 3: found `3,x,"),
            (
                format!("{HEAD}5,4,0,k,0,0,0,0,0\n"),
                "line 2: found `5,4,0,k,0,0,0,0,0`, expected `completed`",
            ),
            (format!("{HEAD}1,2,4096,k,0,0,0,0,0\n"), "an SMX below 4096"),
            (format!("{HEAD}1,2,0,k\n"), "line 2: found `1,2,0,k`, expected numbers"),
        ];
        for (text, said) in cases {
            let error = read_text(&text).expect_err(&text).to_string();
            assert!(error.contains(said), "{error} says {said}");
        }
        let good = read_text(&format!("{HEAD}1,2,4095,k,0,0,0,0,0\n4,4,0,\"a,b\",1,2,3,4,5\n"));
        let good = good.expect("two lines");
        assert_eq!((good.len(), good[1].kernel.as_str(), good[1].z), (2, "a,b", 5));
    }

    #[test]
    fn a_run_without_a_block_has_a_page_that_says_so() {
        let html = page("run", &[], Cycles::default(), "c").html();
        assert!(html.contains("No block ended."), "{html}");
    }

    #[test]
    fn sums_are_by_kernel_and_by_smx() {
        let stays = [stay(0, 0, 10, "a"), stay(1, 5, 25, "b"), stay(1, 10, 20, "a")];
        let kernels = by_kernel(&stays);
        let number = |value| Cell::number(Some(value));
        let row = [2.0, 10.0, 0.0, 20.0].map(number);
        assert_eq!(kernels.rows[0], [vec![Cell::Text("a".to_owned())], row.to_vec()].concat());
        assert_eq!(by_smx(&stays).rows[1], [1.0, 2.0, 15.0, 1.2].map(number));
    }
}
