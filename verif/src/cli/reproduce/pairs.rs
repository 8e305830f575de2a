//! `blockyard reproduce srtf`: each kernel alone, then pairs of them, which arrive by the times
//! alone.

use std::path::PathBuf;

use super::evaluation::{finish, header, journal, named, sweep, Given};
use super::ReproduceArgs;
use crate::cli::settings::GpuArgs;
use crate::cli::workload::workload;
use crate::provenance::Input;
use crate::reproduce::benchmarks::{self, Benchmark, Size};
use crate::reproduce::effect::Effect;
use crate::reproduce::runs::{Figures, Header, Point, Study};
use crate::reproduce::srtf::pairs::{self, Ran, GPU, SJF};
use crate::session::{Engine, Session, Workload, ONE_THREAD};
use blockyard_kernels::together::Member;
use blockyard_sim::port::LaunchMode;
use blockyard_sim::workload::erc::ErcOptions;
use miette::{miette, Result};

const NAME: &str = "srtf";

/// The table of the keys that say when the second kernel arrives.
const ERC: &str = "erc";

/// Cycles for which an oracle waits beyond the stagger: it knows of the second kernel before that
/// arrives.
const ORACLE_MARGIN: u32 = 64;

/// Most cycles for which it can wait (`docs/srtf.md`).
const MOST_WAIT: u32 = 65_535;

/// Runs the evaluation; what is printed.
///
/// # Errors
/// Bad use, or a run that fails.
pub fn reproduce(args: &ReproduceArgs) -> Result<String> {
    if args.input.is_some() {
        return Err(miette!(
            help = "leave it out: no kernel of ERCBench walks a graph",
            "`--input` does nothing in `reproduce {NAME}`"
        ));
    }
    let gpu = args.gpu(GPU);
    // Of a scheduler nothing can be set.
    gpu.scheduler(pairs::POLICIES[0])?;
    let size = if args.reduced { Size::Reduced } else { Size::Full };
    let mut all = benchmarks::srtf(size);
    if let Some(only) = &args.only {
        all = named(only, all, NAME)?;
    }
    let given = Given::new(&gpu)?;
    given.check(&all, Some(ERC))?;
    let both = pairs::pairs(&all);
    if both.is_empty() {
        return Err(miette!(
            help = "expected at least two benchmarks, which run together",
            "`reproduce {NAME}` has no pair of one benchmark"
        ));
    }
    let sweep = args.sweep.as_deref().map(sweep).transpose()?;
    let changes = match &sweep {
        None => vec![None],
        Some(values) => values.iter().map(|value| Some(value.as_str())).collect(),
    };
    let variants: Vec<Variant> =
        changes.iter().map(|change| Variant::new(args, *change)).collect::<Result<_>>()?;
    for variant in &variants {
        variant.given.check(&all, Some(ERC))?;
    }
    let header = header(args, NAME, &gpu);
    let (journal, inputs) = (journal(args)?, args.inputs()?);
    let mut evaluation = Runs { args, benchmarks: &all, pairs: &both, header, journal, inputs };
    let mut effects: Vec<Effect> = Vec::new();
    for variant in &variants {
        effects.extend(evaluation.effects(variant)?);
    }
    finish(args, &given, &evaluation.header, &all, &effects)
}

/// What holds for the runs of one value of a sweep.
struct Variant<'a> {
    change: Option<&'a str>,
    gpu: GpuArgs,
    given: Given,
    arrival: ErcOptions,
}

impl<'a> Variant<'a> {
    fn new(args: &ReproduceArgs, change: Option<&'a str>) -> Result<Self> {
        let mut gpu = args.gpu(GPU);
        gpu.set.extend(change.map(str::to_owned));
        let (config, settings) = gpu.preset()?;
        config.validate()?;
        let given = Given::new(&gpu)?;
        Ok(Self { change, gpu, given, arrival: settings.erc })
    }

    /// Cycles from the first kernel to the second one, whose pair's first one takes `alone`.
    fn second_arrives(&self, alone: u64) -> u64 {
        alone * u64::from(self.arrival.offset) / 100 + u64::from(self.arrival.stagger)
    }

    /// Whether the oracle runs: it knows what runs nearly together, and has no hardware.
    fn oracle(&self, engine: Engine) -> bool {
        let waits = self.arrival.stagger + ORACLE_MARGIN <= MOST_WAIT;
        engine == Engine::Golden && self.arrival.offset == 0 && waits
    }
}

/// What all runs have in common.
struct Runs<'a> {
    args: &'a ReproduceArgs,
    benchmarks: &'a [Benchmark],
    pairs: &'a [Benchmark],
    header: Header,
    journal: Option<(PathBuf, bool)>,
    inputs: Vec<Input>,
}

impl Runs<'_> {
    fn effects(&mut self, variant: &Variant<'_>) -> Result<Vec<Effect>> {
        let alone = pairs::alone(self.benchmarks, variant.change);
        let of_one = |benchmark: &Benchmark, point: &Point| {
            self.session(variant, &[(benchmark, 0)], point.policy.to_owned(), point)
        };
        let alone = self.run(self.benchmarks, &of_one, &alone)?;
        let empty = |number: &usize| !pairs::has_blocks(&alone, *number, variant.change);
        if let Some(number) = (0..self.benchmarks.len()).find(empty) {
            return Err(miette!(
                help = "expected settings with which each benchmark has some",
                "{} has no blocks, and so no time alone",
                self.benchmarks[number].name
            ));
        }
        // What is there is gone on with.
        self.journal = self.journal.take().map(|(path, _)| (path, true));
        let time = |own: &Benchmark| {
            let number = self.benchmarks.iter().position(|known| known == own);
            pairs::time_alone(&alone, number.expect("one of them"), variant.change)
        };
        let of_two = |pair: &Benchmark, point: &Point| {
            let members = pairs::members(&pair.name, self.benchmarks);
            let arrivals = [0, variant.second_arrives(time(members[0]))];
            let policy = match point.policy {
                SJF => {
                    let times: Vec<String> =
                        members.iter().map(|own| time(own).to_string()).collect();
                    let wait = variant.arrival.stagger + ORACLE_MARGIN;
                    format!("{SJF}(runtimes={},wait={wait})", times.join(":"))
                }
                policy => policy.to_owned(),
            };
            let members: Vec<_> = members.into_iter().zip(arrivals).collect();
            self.session(variant, &members, policy, point)
        };
        let oracle = variant.oracle(self.args.engine);
        let together = pairs::together(self.pairs, variant.change, oracle);
        let together = self.run(self.pairs, &of_two, &together)?;
        let ran = Ran {
            benchmarks: self.benchmarks,
            pairs: self.pairs,
            change: variant.change,
            offset: variant.arrival.offset,
            oracle,
            alone: &alone,
            together: &together,
        };
        Ok(ran.effects())
    }

    fn run(
        &self,
        benchmarks: &[Benchmark],
        session: &(dyn Fn(&Benchmark, &Point) -> Result<Session> + Sync),
        points: &[Point],
    ) -> Result<Figures> {
        let (jobs, journal) = (self.args.jobs, self.journal.clone());
        let (header, inputs) = (self.header.clone(), self.inputs.clone());
        Study { benchmarks, session, jobs, journal, header, inputs }.run(points)
    }

    /// The run of `members`, each with the cycle of its arrival.
    fn session(
        &self,
        variant: &Variant<'_>,
        members: &[(&Benchmark, u64)],
        policy: String,
        point: &Point,
    ) -> Result<Session> {
        let member = |&(benchmark, arrive): &(&Benchmark, u64)| -> Result<Member> {
            let mut set = benchmark.settings.clone();
            set.extend(variant.given.of(benchmark));
            let (_, settings) = GpuArgs { gpu: variant.gpu.gpu.clone(), set }.preset()?;
            match workload(&benchmark.workload, None, settings, self.args.seed)? {
                Workload::Kernel(workload) => Ok(Member { workload, arrive }),
                _ => Err(miette!("{} is no kernel in CUDA C", benchmark.name)),
            }
        };
        let members = members.iter().map(member).collect::<Result<Vec<_>>>()?;
        let mut gpu = variant.given.config.clone();
        // A limit of blocks; what a sweep sets is there already.
        for setting in point.change.iter().filter(|set| variant.change != Some(set.as_str())) {
            let (key, value) = setting.split_once('=').unwrap_or_default();
            gpu.set(key, value)?;
        }
        gpu.validate()?;
        Ok(Session {
            scheduler: policy.parse()?,
            engine: self.args.engine,
            gpu,
            workload: Workload::Together(members),
            launch: LaunchMode::Flat,
            seed: self.args.seed,
            skip_from: Some(0),
            max_cycles: None,
            faults: Vec::new(),
            footprint: false,
            intervals: point.intervals,
            threads: ONE_THREAD,
        })
    }
}
