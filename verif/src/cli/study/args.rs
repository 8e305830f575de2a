//! What `study` takes: a file, flags, or both.

use crate::cli::number::whole;
use crate::cli::settings::pair;
use crate::cluster::On;
use crate::session::Engine;
use crate::study::read::Source;
use crate::study::Study;
use clap::{Args, ValueEnum};
use miette::Result;
use std::fmt::Write;
use std::num::NonZeroUsize;
use std::path::PathBuf;

/// Arguments of a study.
#[derive(Debug, Args)]
pub struct StudyArgs {
    /// The study, in TOML; flags say the same or win
    #[arg(value_name = "FILE.toml", required_unless_present = "scheduler")]
    file: Option<PathBuf>,
    /// Schedulers to compare, the first one as the baseline: `rr,rr+claso(pa=1,pl=0)`
    #[arg(long, value_name = "A,B")]
    scheduler: Option<String>,
    /// Workloads to run
    #[arg(long, value_name = "A,B")]
    workload: Option<String>,
    /// An axis: `smx.count=4,8,16`, `seed=1..5`, `gpu=k20c,c2050`; may be repeated
    #[arg(long, value_name = "NAME=V,V")]
    axis: Vec<String>,
    /// A key of the GPU or of the workload, the same in all runs
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// What speed-ups are relative to, on one axis; may be repeated [default without a file: the
    /// first scheduler]
    #[arg(long, value_name = "AXIS=VALUE")]
    baseline: Vec<String>,
    /// Which points belong to the study, as a table of its file: `{ not = { pa = 4 } }`; may be
    /// repeated
    #[arg(long, value_name = "TABLE")]
    constraint: Vec<String>,
    /// Search instead of running everything, as a table of the file:
    /// `{ axes = ["pa"], budget = 9 }`
    #[arg(long, value_name = "TABLE")]
    search: Option<String>,
    /// Figures that plots over numbers show [default: ipc, or cycles where nothing has
    /// instructions]
    #[arg(long, value_name = "A,B")]
    figures: Option<String>,
    /// Keep when and where each block ran
    #[arg(long)]
    blocks: bool,
    /// Look for what child blocks share with their relatives
    #[arg(long)]
    footprint: bool,
    /// Count what the scheduler's hardware stores
    #[arg(long)]
    storage: bool,
    /// A run that is not finished by then has failed
    #[arg(long, value_name = "N", value_parser = whole)]
    max_cycles: Option<u64>,
    /// Refuse a study of more runs before it starts [default: 100000]
    #[arg(long, value_name = "N", value_parser = whole)]
    max_runs: Option<u64>,
    /// Who decides [default: golden]
    #[arg(long)]
    engine: Option<Engine>,
    /// Folder for the runs and the table [default: study-NAME]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Go on with the finished runs in the folder
    #[arg(long)]
    pub resume: bool,
    /// Runs at once on this machine [default: one on each core]
    #[arg(long, value_name = "N")]
    pub jobs: Option<NonZeroUsize>,
    /// Who makes the runs
    #[arg(long, default_value = "local")]
    pub on: On,
    /// Runs in a task of a cluster [default: as many as make 1000 tasks]
    #[arg(long, value_name = "N")]
    pub per_task: Option<NonZeroUsize>,
    /// Print the commands of all runs, and run none
    #[arg(long)]
    pub dry_run: bool,
}

impl StudyArgs {
    /// The study, checked.
    ///
    /// # Errors
    /// What is wrong with it, with line and key.
    pub fn study(&self) -> Result<Study> {
        let mut study = match &self.file {
            Some(path) => Study::read(path)?,
            None => {
                let source = Source { name: "the command line".to_owned(), text: String::new() };
                Study::parse(source, PathBuf::new())?
            }
        };
        let text = self.text()?;
        if !text.is_empty() {
            study.extend(&text)?;
        }
        study.check()?;
        Ok(study)
    }

    /// The file, if flags say something beside it.
    ///
    /// # Errors
    /// As [`study`](Self::study).
    pub fn changed_file(&self) -> Result<Option<PathBuf>> {
        Ok(if self.text()?.is_empty() { None } else { self.file.clone() })
    }

    /// What the flags say, as the text of a study.
    fn text(&self) -> Result<String> {
        let mut text = String::new();
        let mut axes = Vec::new();
        for baseline in &self.baseline {
            let (axis, value) = pair("--baseline", baseline)?;
            let _ = writeln!(text, "baseline.{} = {}", quoted(axis), quoted(value));
        }
        if let Some(schedulers) = &self.scheduler {
            axes.push(("scheduler", list(schedulers)));
            let stated = self.file.is_some() || !self.baseline.is_empty();
            if let (false, Some(first)) = (stated, split(schedulers).first()) {
                let _ = writeln!(text, "baseline = {{ scheduler = {} }}", quoted(first));
            }
        }
        if !self.constraint.is_empty() {
            let _ = writeln!(text, "constraint = [{}]", self.constraint.join(", "));
        }
        if let Some(figures) = &self.figures {
            let _ = writeln!(text, "figures = {}", list(figures));
        }
        let flags =
            [("blocks", self.blocks), ("footprint", self.footprint), ("storage", self.storage)];
        for (key, _) in flags.iter().filter(|(_, flag)| *flag) {
            let _ = writeln!(text, "{key} = true");
        }
        let max = [("max_cycles", self.max_cycles), ("max_runs", self.max_runs)]
            .map(|(key, most)| most.map(|most| (key, most.to_string())));
        let search = self.search.iter().map(|search| ("search", search.clone()));
        for (key, value) in max.into_iter().flatten().chain(search) {
            let _ = writeln!(text, "{key} = {value}");
        }
        axes.extend(self.workload.as_ref().map(|workloads| ("workload", list(workloads))));
        for axis in &self.axis {
            let (name, values) = pair("--axis", axis)?;
            axes.push((name, values_of(values)));
        }
        for setting in &self.set {
            let (key, value) = pair("--set", setting)?;
            axes.push((key, quoted(value)));
        }
        if let Some(engine) = self.engine.and_then(|engine| engine.to_possible_value()) {
            axes.push(("engine", quoted(engine.get_name())));
        }
        if !axes.is_empty() {
            text += "[axes]\n";
        }
        for (name, values) in axes {
            let _ = writeln!(text, "{} = {values}", quoted(name));
        }
        Ok(text)
    }
}

/// `1..5` as the numbers from 1 to 5, else the values between commas.
fn values_of(text: &str) -> String {
    let ends = text.split_once("..").map(|(from, to)| (from.parse::<u64>(), to.parse::<u64>()));
    match ends {
        Some((Ok(from), Ok(to))) => format!("{{ from = {from}, to = {to} }}"),
        _ => list(text),
    }
}

fn list(text: &str) -> String {
    let values: Vec<String> = split(text).into_iter().map(quoted).collect();
    format!("[{}]", values.join(", "))
}

/// A text of TOML.
pub fn quoted(text: &str) -> String {
    toml::Value::from(text).to_string()
}

/// At the commas that stand in no parentheses.
pub fn split(text: &str) -> Vec<&str> {
    let mut depth = 0_usize;
    let parts = text.split(|c: char| {
        match c {
            '(' | '{' => depth += 1,
            ')' | '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        c == ',' && depth == 0
    });
    parts.map(str::trim).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commas_in_parentheses_do_not_part_schedulers() {
        assert_eq!(
            split("rr, rr+claso(pa=1,pl=0),ikra/flip"),
            ["rr", "rr+claso(pa=1,pl=0)", "ikra/flip"]
        );
        assert_eq!(split("rr"), ["rr"]);
    }

    #[test]
    fn values_become_those_of_a_study() {
        assert_eq!(values_of("1..5"), "{ from = 1, to = 5 }");
        assert_eq!(values_of("4,8"), r#"["4", "8"]"#);
        assert_eq!(values_of("../a.txt"), r#"["../a.txt"]"#);
        assert_eq!(quoted("a\"b\\c"), toml::Value::from("a\"b\\c").to_string());
    }
}
