//! `blockyard reproduce claso`, `reproduce dtbl`, `reproduce laperm` and, for applications,
//! `reproduce ikra`: many runs of benchmarks each.

use super::ReproduceArgs;
use crate::cli::settings::GpuArgs;
use crate::cli::terminal;
use crate::cli::workload::workload;
use crate::reproduce::benchmarks::{self, Benchmark, Size, GRAPH_KIND};
use crate::reproduce::effect::Effect;
use crate::reproduce::ikra::applications;
use crate::reproduce::runs::{Figures, Header, Point, Study};
use crate::reproduce::{claso, dtbl, laperm, plot, table};
use crate::session::{Session, ONE_THREAD};
use blockyard_sim::gpu::config::GpuConfig;
use blockyard_sim::output;
use miette::{miette, Result};
use serde::Serialize;
use std::path::{Path, PathBuf};

/// What differs between the papers.
pub struct Evaluation {
    name: &'static str,
    gpu: &'static str,
    /// The key in which its own runs differ, and which nobody else sets.
    varies: Option<&'static str>,
    /// What `--only` calls all of them, where without it something else runs.
    all: Option<&'static str>,
    benchmarks: fn(Size) -> Vec<Benchmark>,
    points: fn(&[Benchmark], Option<&str>) -> Vec<Point>,
    effects: fn(&[Benchmark], Option<&str>, &Figures) -> Vec<Effect>,
}

/// Sections 2.2 and 4 of CLASO.
pub const CLASO: Evaluation = Evaluation {
    name: "claso",
    gpu: claso::GPU,
    varies: Some(claso::VARIES),
    all: None,
    benchmarks: benchmarks::claso,
    points: claso::points,
    effects: claso::effects,
};

/// Sections 6.2 to 6.4, 7.1 and 7.2 of IKRA.
pub const IKRA: Evaluation = Evaluation {
    name: "ikra",
    gpu: applications::GPU,
    varies: Some(applications::VARIES),
    all: Some("applications"),
    benchmarks: benchmarks::ikra,
    points: applications::points,
    effects: applications::effects,
};

/// Section V of LaPerm.
pub const LAPERM: Evaluation = Evaluation {
    name: "laperm",
    gpu: laperm::GPU,
    varies: None,
    all: None,
    benchmarks: benchmarks::laperm,
    points: laperm::points,
    effects: laperm::effects,
};

/// Section 5 of DTBL.
pub const DTBL: Evaluation = Evaluation {
    name: "dtbl",
    gpu: dtbl::GPU,
    varies: None,
    all: None,
    benchmarks: benchmarks::dtbl,
    points: dtbl::points,
    effects: dtbl::effects,
};

impl Evaluation {
    /// Refuses to set what its own runs set.
    fn check(&self, args: &ReproduceArgs) -> Result<()> {
        let Some(varies) = self.varies else { return Ok(()) };
        let options = [("--set", args.set.iter()), ("--sweep", args.sweep.as_slice().iter())];
        for (option, settings) in options {
            for setting in settings {
                let key = setting.split_once('=').map_or(setting.as_str(), |(key, _)| key);
                if key.trim() == varies {
                    return Err(miette!(
                        help = format!("`reproduce {}` compares values of {varies}", self.name),
                        "`{option} {setting}` does nothing in `reproduce {}`",
                        self.name
                    ));
                }
            }
        }
        Ok(())
    }
}

/// What `--json` prints.
#[derive(Serialize)]
struct Printed<'a> {
    #[serde(flatten)]
    header: &'a Header,
    benchmarks: &'a [Benchmark],
    effects: &'a [Effect],
}

/// Runs the evaluation; what is printed.
///
/// # Errors
/// Bad use, or a run that fails.
pub fn reproduce(args: &ReproduceArgs, of: &Evaluation) -> Result<String> {
    let size = if args.reduced { Size::Reduced } else { Size::Full };
    of.check(args)?;
    let gpu = args.gpu(of.gpu);
    let given = Given::new(&gpu)?;
    let benchmarks = chosen(args, &given, (of.benchmarks)(size), of)?;
    given.check(&benchmarks, None)?;
    let sweep = args.sweep.as_deref().map(sweep).transpose()?;
    let session = |benchmark: &Benchmark, point: &Point| -> Result<Session> {
        let mut set = benchmark.settings.clone();
        set.extend(given.of(benchmark));
        set.extend(point.launching.setting().map(str::to_owned));
        set.extend(point.change.clone());
        let gpu = GpuArgs { gpu: gpu.gpu.clone(), set };
        let scheduler = match point.policy {
            // The parameters of the others mean nothing to it.
            "rr" => "rr".parse()?,
            name => gpu.scheduler(name)?,
        };
        let (config, settings) = gpu.preset()?;
        config.validate()?;
        let input = args.input.as_deref();
        Ok(Session {
            scheduler,
            engine: args.engine,
            gpu: config,
            workload: workload(&benchmark.workload, input, settings, args.seed)?,
            launch: point.launching.mode(),
            seed: args.seed,
            skip_from: Some(0),
            max_cycles: None,
            faults: Vec::new(),
            footprint: point.footprint,
            intervals: point.intervals,
            threads: ONE_THREAD,
        })
    };
    let changes = match &sweep {
        None => vec![None],
        Some(values) => values.iter().map(|value| Some(value.as_str())).collect(),
    };
    let points = |change: &Option<&str>| (of.points)(&benchmarks, *change);
    let points: Vec<Point> = changes.iter().flat_map(points).collect();
    // What is wrong with a benchmark is said before the first run.
    for point in points.iter().filter(|point| point.policy != "rr").chain(points.first()) {
        if point.benchmark == 0 {
            session(&benchmarks[0], point)?;
        }
    }
    let header = header(args, of.name, &gpu);
    let journal = journal(args)?;
    let (benchmarks, jobs, inputs) = (&benchmarks, args.jobs, args.inputs()?);
    let study = Study { benchmarks, session: &session, jobs, journal, header, inputs };
    let figures = study.run(&points)?;
    let effects: Vec<Effect> =
        changes.iter().flat_map(|change| (of.effects)(benchmarks, *change, &figures)).collect();
    finish(args, &given, &study.header, benchmarks, &effects)
}

/// What the runs of an evaluation have in common.
pub(super) fn header(args: &ReproduceArgs, paper: &str, gpu: &GpuArgs) -> Header {
    Header {
        paper: paper.to_owned(),
        gpu: gpu.gpu.clone(),
        set: args.set.iter().cloned().chain(args.input.iter().map(|f| name_of(f))).collect(),
        seed: args.seed,
        size: if args.reduced { "reduced" } else { "full" }.to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
    }
}

/// The file of finished runs in `--out`, which exists from now on, and whether to go on with it.
pub(super) fn journal(args: &ReproduceArgs) -> Result<Option<(PathBuf, bool)>> {
    let Some(folder) = &args.out else { return Ok(None) };
    std::fs::create_dir_all(folder).map_err(|error| output::unwritable(folder, &error))?;
    Ok(Some((folder.join("runs.jsonl"), args.resume)))
}

/// Writes what `--out` and `--html` ask for; what is printed.
pub(super) fn finish(
    args: &ReproduceArgs,
    given: &Given,
    header: &Header,
    benchmarks: &[Benchmark],
    effects: &[Effect],
) -> Result<String> {
    let provenance = args.provenance(&given.config)?;
    let json = provenance.beside(&Printed { header, benchmarks, effects });
    if let Some(folder) = &args.out {
        let mut files = plot::pictures(effects);
        files.push(("effects.json".to_owned(), json.clone()));
        files.push(("tables.md".to_owned(), table::tables(effects, |_| {})));
        for (name, text) in files {
            output::write_file(&folder.join(name), |file| file.write_all(text.as_bytes()))?;
        }
    }
    args.write_page(&header.paper, effects)?;
    Ok(if args.json { json } else { table::tables(effects, terminal::fit) })
}

fn name_of(file: &Path) -> String {
    file.display().to_string()
}

/// The benchmarks to run: those of the paper or those over the graph that is given, as far as
/// `--only` names them.
fn chosen(
    args: &ReproduceArgs,
    given: &Given,
    all: Vec<Benchmark>,
    of: &Evaluation,
) -> Result<Vec<Benchmark>> {
    let all = match &args.input {
        None => given.over(all),
        Some(path) => {
            let stem = path.file_stem().unwrap_or_default().to_string_lossy();
            on_graph(&stem, &[], all)
        }
    };
    let Some(only) = args.only.as_ref().filter(|only| of.all != Some(only.as_str())) else {
        return Ok(all);
    };
    named(only, all, of.name)
}

/// Those of `all` that `only` names, of the evaluation of `paper`.
pub(super) fn named(only: &str, all: Vec<Benchmark>, paper: &str) -> Result<Vec<Benchmark>> {
    let wanted: Vec<&str> = only.split(',').map(str::trim).collect();
    if let Some(unknown) = wanted.iter().find(|wanted| !all.iter().any(|b| b.is(wanted))) {
        let names: Vec<&str> = all.iter().map(|benchmark| benchmark.name.as_str()).collect();
        return Err(miette!(
            help = format!("the benchmarks are: {}", names.join(", ")),
            "`reproduce {paper}` has no benchmark `{unknown}`"
        ));
    }
    Ok(all.into_iter().filter(|benchmark| wanted.iter().any(|w| benchmark.is(w))).collect())
}

/// The workloads of `all` that walk graphs, each once, on the graph `name` of these settings; what
/// is no setting of a graph they keep.
fn on_graph(name: &str, graph: &[String], all: Vec<Benchmark>) -> Vec<Benchmark> {
    let mut over: Vec<Benchmark> = Vec::new();
    for Benchmark { workload, settings, .. } in all.into_iter().filter(Benchmark::walks_graph) {
        if !over.iter().any(|known| known.workload == workload) {
            let name = format!("{workload}_{name}");
            let own = settings.into_iter().filter(|setting| !setting.starts_with("graph."));
            let settings = own.chain(graph.iter().cloned()).collect();
            over.push(Benchmark { name, workload, settings });
        }
    }
    over
}

/// `KEY=V1,V2` as settings.
pub(super) fn sweep(text: &str) -> Result<Vec<String>> {
    let values = text.split_once('=').map(|(key, values)| {
        values.split(',').map(|value| format!("{}={}", key.trim(), value.trim())).collect()
    });
    values
        .ok_or_else(|| miette!(help = "expected --sweep KEY=V1,V2", "`--sweep {text}` has no `=`"))
}

/// What `--set` gives, by whom it is for.
pub(super) struct Given {
    /// The GPU with its keys.
    pub(super) config: GpuConfig,
    /// Keys of the GPU and of LaPerm.
    gpu: Vec<String>,
    /// Settings of workloads and of graphs, by key.
    workloads: Vec<(String, String)>,
}

impl Given {
    pub(super) fn new(args: &GpuArgs) -> Result<Self> {
        let (config, _) = args.preset()?;
        let mut given = Self { config, gpu: Vec::new(), workloads: Vec::new() };
        for setting in &args.set {
            let alone = GpuArgs { gpu: args.gpu.clone(), set: vec![setting.clone()] };
            let (_, settings) = alone.preset()?;
            match settings.keys.into_iter().next() {
                Some(key) => given.workloads.push((key, setting.clone())),
                None => given.gpu.push(setting.clone()),
            }
        }
        Ok(given)
    }

    /// Refuses what is for no benchmark, and no key of the table `own`, which is for all.
    pub(super) fn check(&self, benchmarks: &[Benchmark], own: Option<&str>) -> Result<()> {
        let unused = |(key, _): &&(String, String)| {
            let table = key.split_once('.').map(|(table, _)| table);
            table != own && !benchmarks.iter().any(|benchmark| benchmark.takes(key))
        };
        match self.workloads.iter().find(unused) {
            None => Ok(()),
            Some((_, setting)) => Err(miette!(
                help = "expected a key of the GPU, of LaPerm, or of one of the benchmarks that run",
                "`--set {setting}` does nothing in any of the benchmarks"
            )),
        }
    }

    /// What is for `benchmark`.
    pub(super) fn of(&self, benchmark: &Benchmark) -> Vec<String> {
        let own = self.workloads.iter().filter(|(key, _)| benchmark.takes(key));
        self.gpu.iter().chain(own.map(|(_, setting)| setting)).cloned().collect()
    }

    /// `benchmarks` over the graphs of another family, if `graph.kind` is set.
    fn over(&self, benchmarks: Vec<Benchmark>) -> Vec<Benchmark> {
        let kind = self.workloads.iter().rfind(|(key, _)| key == GRAPH_KIND);
        let Some((_, kind)) = kind else { return benchmarks };
        on_graph(&kind[GRAPH_KIND.len() + 1..], std::slice::from_ref(kind), benchmarks)
    }
}
