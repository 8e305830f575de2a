//! Launches and what repeats them.

use std::rc::Rc;

use blockyard_ptx::Program;
use toml::Spanned;

use super::argument::{arguments, Arguments, Known};
use super::data::Data;
use super::dependent;
use super::extent::Grid;
use super::file::{RawLaunch, RawRepeat};
use super::texture::TextureSpec;
use super::turns::in_turns;
use super::write::WriteSpec;
use super::{Source, Span};
use crate::diagnostic::InputError;
use crate::gpu::MAX_BLOCK_THREADS;
use crate::port::{Cluster, Dim3};

/// Rounds until a flag is zero, if the file does not say.
const ROUNDS: u32 = 1_000_000;
/// Largest number that a field without a width of its own may hold.
const MAX_FIELD: u64 = (1 << 31) - 1;

/// A kernel to launch.
#[derive(Clone, Debug)]
pub struct LaunchSpec {
    /// Which one.
    pub kernel: Rc<str>,
    /// Extent of the grid in blocks; none of a resident kernel.
    pub grid: Grid,
    /// Whether it is a child function that is there for groups to find
    /// ([`HostLaunch::resident`](crate::gpu::host::HostLaunch::resident)).
    pub resident: bool,
    /// Extent of a block in threads.
    pub block: Dim3,
    /// Bytes of shared memory beyond those of the kernel.
    pub shared_memory: u32,
    /// Its stream.
    pub stream: u32,
    /// Where it states that it may begin before the launch before it in its stream has ended, if it
    /// does.
    pub dependent: Option<Span>,
    /// Which of its blocks run together, if it states that.
    pub cluster: Option<Cluster>,
    /// What it is given.
    pub arguments: Arguments,
    /// Buffers that are set to zero before.
    pub zero: Vec<usize>,
    /// What is written before, behind that.
    pub writes: Vec<WriteSpec>,
}

impl LaunchSpec {
    /// Whether the host reads or writes memory for it, for which everything before must have
    /// finished.
    pub fn needs_host(&self) -> bool {
        let reads = self.arguments.read_memory() || self.grid.reads_memory();
        reads || !self.zero.is_empty() || !self.writes.is_empty()
    }
}

/// What the host does when everything before has finished.
#[derive(Clone, Debug)]
pub enum Step {
    /// It launches these; those of one stream run one after the other.
    Launches(Vec<LaunchSpec>),
    /// It launches these again and again.
    Repeat(Repeat),
}

/// See [`Step::Repeat`].
#[derive(Clone, Debug)]
pub struct Repeat {
    /// The buffer whose first word ends it; without, it has all its rounds.
    pub until_zero: Option<usize>,
    /// Most rounds.
    pub rounds: u32,
    /// Buffers that change places behind each round.
    pub swap: Option<[usize; 2]>,
    /// What each round launches, in turns; each waits until everything before has finished.
    pub turns: Vec<Vec<LaunchSpec>>,
}

/// From the file as written to steps.
pub struct Checker<'a> {
    /// The file.
    pub source: &'a Source,
    /// The module.
    pub program: &'a Program,
    /// The buffers.
    pub buffers: &'a [Data],
    /// The textures.
    pub textures: &'a [TextureSpec],
}

impl Checker<'_> {
    /// The steps in the order of the file.
    pub fn steps(
        &self,
        launches: &[Spanned<RawLaunch>],
        repeats: &[Spanned<RawRepeat>],
    ) -> Result<Vec<Step>, InputError> {
        let mut launches = launches.iter().peekable();
        let mut steps = Vec::new();
        let mut take_before = |end: usize| {
            let mut batch = Vec::new();
            while let Some(raw) = launches.next_if(|launch| launch.span().start < end) {
                batch.push(self.launch(raw, false)?);
            }
            dependent::check(self.source, &batch)?;
            Ok::<_, InputError>(in_turns(self.program, batch).into_iter().map(Step::Launches))
        };
        for raw in repeats {
            steps.extend(take_before(raw.span().start)?);
            steps.push(Step::Repeat(self.repeat(raw)?));
        }
        steps.extend(take_before(usize::MAX)?);
        if steps.is_empty() {
            let end = self.source.text.len();
            let error = self.source.error(&(end..end), "nothing is launched", "the file ends here");
            return Err(error.help("expected a [[launch]] with grid, block and arguments"));
        }
        Ok(steps)
    }

    fn repeat(&self, raw: &Spanned<RawRepeat>) -> Result<Repeat, InputError> {
        let (span, raw) = (raw.span(), raw.get_ref());
        let until_zero = match &raw.until_zero {
            None => None,
            Some(name) => {
                let number = self.buffer(name)?;
                let buffer = &self.buffers[number];
                if !buffer.begins_with_word() {
                    let name = &buffer.name;
                    let message = format!("`{name}` does not begin with a word of 32 bits");
                    let expected = "expected a buffer of u32, i32 or f32 with an element";
                    return Err(self.source.error(
                        &raw.until_zero.as_ref().map_or(span, Spanned::span),
                        message,
                        expected,
                    ));
                }
                Some(number)
            }
        };
        let number = |value: &Option<Spanned<i64>>, what| {
            let number = |value| self.source.number(value, what, 1..=MAX_FIELD);
            value.as_ref().map(number).transpose().map(|number| number.map(|number| number as u32))
        };
        let (times, at_most) = (number(&raw.times, "times")?, number(&raw.at_most, "at_most")?);
        let rounds = match (until_zero, times, at_most) {
            (None, Some(times), None) => times,
            (Some(_), None, at_most) => at_most.unwrap_or(ROUNDS),
            _ => {
                let message = "how often this is repeated is not stated, or twice";
                let expected = "expected `times`, or `until_zero` and, if wanted, `at_most`";
                return Err(self.source.error(&heading(&span), message, expected));
            }
        };
        let swap = match &raw.swap {
            None => None,
            Some(pair) => {
                let [one, other] = pair.get_ref();
                let numbers = [self.buffer(one)?, self.buffer(other)?];
                let [one, other] = numbers.map(|number| &self.buffers[number]);
                if (one.element, one.count) != (other.element, other.count) {
                    let message = format!("`{}` and `{}` are not alike", one.name, other.name);
                    let expected = "expected two buffers of the same type and count";
                    return Err(self.source.error(&pair.span(), message, expected));
                }
                Some(numbers)
            }
        };
        if raw.launch.is_empty() {
            let message = "nothing is launched again";
            return Err(self.source.error(&heading(&span), message, "expected `launch`"));
        }
        let launches = raw.launch.iter().map(|raw| self.launch(raw, true));
        let launches: Vec<_> = launches.collect::<Result<_, _>>()?;
        dependent::check(self.source, &launches)?;
        let turns = in_turns(self.program, launches);
        Ok(Repeat { until_zero, rounds, swap, turns })
    }

    fn buffer(&self, name: &Spanned<String>) -> Result<usize, InputError> {
        self.source.buffer(self.buffers, name)
    }

    fn launch(&self, raw: &Spanned<RawLaunch>, in_repeat: bool) -> Result<LaunchSpec, InputError> {
        let (span, raw) = (raw.span(), raw.get_ref());
        let kernel = match (&raw.kernel, self.program.kernels()) {
            (None, [only]) => only,
            (None, kernels) => {
                let names: Vec<&str> = kernels.iter().map(|kernel| &*kernel.name).collect();
                let message = format!("the module has {} kernels", kernels.len());
                let error = self.source.error(&heading(&span), message, "expected `kernel` here");
                return Err(error.help(format!("one of: {}", names.join(", "))));
            }
            (Some(name), kernels) => {
                let found = kernels.iter().find(|kernel| *kernel.name == **name.get_ref());
                found.ok_or_else(|| {
                    let names: Vec<&str> = kernels.iter().map(|kernel| &*kernel.name).collect();
                    let message = format!("the module has no kernel `{}`", name.get_ref());
                    let expected = format!("expected one of: {}", names.join(", "));
                    self.source.error(&name.span(), message, &expected)
                })?
            }
        };
        let resident = raw.resident.as_ref().is_some_and(|resident| *resident.get_ref());
        let grid = match &raw.grid {
            Some(grid) if resident => {
                let expected = "expected none: groups bring theirs";
                return Err(self.source.error(
                    &grid.span(),
                    "a resident kernel has a grid",
                    expected,
                ));
            }
            Some(grid) => self.grid(grid)?,
            None if resident => Dim3::default().into(),
            None => {
                let message = "a launch has no grid";
                return Err(self.source.error(&heading(&span), message, "expected `grid` here"));
            }
        };
        let place = raw.grid.as_ref().map_or(heading(&span), Spanned::span);
        let cluster = self.cluster(raw.cluster.as_ref(), kernel, (&grid, place))?;
        let block = self.block(&raw.block)?;
        if let Some(required) = kernel.required_block.filter(|required| *required != block) {
            let message = format!("a block of kernel `{}` is {block}", kernel.name);
            let expected = format!("expected {required}, as `.reqntid` says");
            return Err(self.source.error(&raw.block.span(), message, &expected));
        }
        let most = kernel.most_threads.map_or(MAX_BLOCK_THREADS, u128::from);
        let most = most.min(MAX_BLOCK_THREADS);
        if block.volume() > most {
            let message =
                format!("a block of kernel `{}` has {} threads", kernel.name, block.volume());
            let expected = format!("expected 1 to {most}");
            return Err(self.source.error(&raw.block.span(), message, &expected));
        }
        let field = |value: &Option<Spanned<i64>>, what| match value {
            Some(value) => self.source.number(value, what, 0..=MAX_FIELD).map(|found| found as u32),
            None => Ok(0),
        };
        let (source, buffers, textures) = (self.source, self.buffers, self.textures);
        let known = Known { source, buffers, textures, in_repeat };
        let arguments = match &raw.arguments {
            Some(list) if resident => {
                let expected = "expected none: groups bring theirs";
                let message = "a resident kernel has arguments";
                return Err(self.source.error(&list.span(), message, expected));
            }
            None if resident => Arguments::default(),
            Some(list) => arguments(&known, kernel, list.get_ref(), &list.span())?,
            None => arguments(&known, kernel, &[], &heading(&span))?,
        };
        Ok(LaunchSpec {
            kernel: Rc::clone(&kernel.name),
            grid,
            resident,
            block,
            shared_memory: field(&raw.shared_memory, "shared_memory")?,
            stream: field(&raw.stream, "stream")?,
            cluster,
            dependent: raw.dependent.as_ref().filter(|of| *of.get_ref()).map(Spanned::span),
            arguments,
            zero: raw.zero.iter().map(|name| self.buffer(name)).collect::<Result<_, _>>()?,
            writes: raw.write.iter().map(|raw| self.write(raw)).collect::<Result<_, _>>()?,
        })
    }
}

/// The begin of a table: its heading.
fn heading(span: &Span) -> Span {
    span.start..span.start + 1
}
