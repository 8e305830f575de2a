//! From the file as written to a scenario: every number against its range.

use std::ops::RangeInclusive;

use toml::Spanned;

use super::cluster::cluster;
use super::duration::{DurationSpec, RawDuration};
use super::file::{File, RawDim3, RawKernel};
use super::overlap::{follows, overlap};
use super::persistence::persistence;
use super::relation::relation;
use super::{launch, KernelSpec, Override, Scenario, Source, Span, MAX_CYCLES};
use crate::diagnostic::InputError;
use crate::gpu::MAX_BLOCK_THREADS;
use crate::port::{Cluster, Dim3, FloorPlan, Relation, MAX_BLOCKS};

/// The most urgent priority that a launch can have.
const MAX_PRIORITY: u64 = 7;

/// The last partition that a launch can name.
const MAX_PARTITION: u64 = FloorPlan::MOST_PARTITIONS as u64 - 1;

/// Most blocks of a file whose durations are drawn: they are kept in lists, 128 MiB in all.
pub(super) const MAX_DRAWN: u32 = 1 << 24;

/// Largest number that a field without a width of its own may hold.
const MAX_FIELD: u64 = (1 << 31) - 1;

/// Which field of which kernel a number belongs to.
#[derive(Clone, Copy)]
pub struct Named<'a> {
    /// The key.
    pub what: &'static str,
    /// The kernel's name.
    pub kernel: &'a str,
}

/// Checks the whole file.
pub fn scenario(source: Source, file: File) -> Result<Scenario, InputError> {
    let mut kernels: Vec<KernelSpec> = Vec::new();
    let mut drawn = 0;
    for raw in file.kernel {
        let raw = raw.into_inner();
        let dependent = raw.dependent.as_ref().filter(|dependent| *dependent.get_ref());
        let dependent = dependent.map(Spanned::span);
        let kernel = kernel(&source, raw)?;
        if let Some(span) = dependent {
            follows(&source, &kernels, &kernel, &span)?;
        }
        if let (Some(grid), DurationSpec::Normal { .. }) = (kernel.grid, &kernel.duration) {
            // Each kernel has at most that many, so the sum does not overflow.
            drawn += grid.volume() as u64;
            if drawn > u64::from(MAX_DRAWN) {
                let name = &kernel.name;
                let message =
                    format!("with kernel `{name}`, durations of {drawn} blocks are drawn");
                let expected = format!("expected at most {MAX_DRAWN} blocks in all");
                return Err(source.error(&kernel.name_span, message, &expected));
            }
        }
        if kernels.iter().any(|other| other.name == kernel.name) {
            let message = format!("there are two kernels `{}`", kernel.name);
            return Err(source.error(&kernel.name_span, message, "expected another name"));
        }
        kernels.push(kernel);
    }
    if kernels.iter().all(KernelSpec::child) {
        let message = "no kernel for the host to launch";
        let end = source.text.len();
        let error = source.error(&(end..end), message, "the file ends here");
        return Err(error.help("expected a [[kernel]] with name, grid, block and duration"));
    }
    launch::across(&source, &kernels)?;
    let overrides = file.gpu.into_iter().map(|(key, value)| Override {
        key_span: key.span(),
        value_span: value.span(),
        key: key.into_inner(),
        value: value.into_inner(),
    });
    Ok(Scenario { overrides: overrides.collect(), kernels, source })
}

/// A number of the field `named` within `range`.
pub fn number(
    source: &Source,
    value: &Spanned<i64>,
    named: Named<'_>,
    range: RangeInclusive<u64>,
) -> Result<u64, InputError> {
    let found = u64::try_from(*value.get_ref()).ok();
    found.filter(|found| range.contains(found)).ok_or_else(|| {
        let Named { what, kernel } = named;
        let message = format!("`{what}` of kernel `{kernel}` is {}", value.get_ref());
        let expected = format!("expected {} to {}", range.start(), range.end());
        source.error(&value.span(), message, &expected)
    })
}

/// Three numbers, none of them zero, each within the width of its port.
pub fn dim3(source: &Source, raw: &RawDim3, named: Named<'_>) -> Result<Dim3, InputError> {
    let bits = if named.what == "grid" { [31, 16, 16] } else { [11, 11, 7] };
    let mut found = [0; 3];
    for ((found, value), bits) in found.iter_mut().zip(raw.get_ref()).zip(bits) {
        *found = number(source, value, named, 1..=(1 << bits) - 1)? as u32;
    }
    let [x, y, z] = found;
    Ok(Dim3 { x, y, z })
}

/// A grid of not too many blocks.
pub fn grid(source: &Source, kernel: &str, grid: Dim3, span: &Span) -> Result<Dim3, InputError> {
    let blocks = grid.volume();
    if blocks <= u128::from(MAX_BLOCKS) {
        return Ok(grid);
    }
    let message = format!("a grid of kernel `{kernel}` has {blocks} thread blocks");
    Err(source.error(span, message, &format!("expected 1 to {MAX_BLOCKS} blocks")))
}

fn kernel(source: &Source, mut raw: RawKernel) -> Result<KernelSpec, InputError> {
    let name = raw.name.get_ref().clone();
    if name.is_empty() {
        return Err(source.error(&raw.name.span(), "a kernel has no name", "expected a name"));
    }
    let of = |what| Named { what, kernel: &name };
    let optional = |value: &Option<Spanned<i64>>, what, range| {
        value.as_ref().map(|value| number(source, value, of(what), range)).transpose()
    };
    let extent = dim3(source, &raw.block, of("block"))?;
    if extent.volume() > MAX_BLOCK_THREADS {
        let message = format!("a block of kernel `{name}` has {} threads", extent.volume());
        let expected = format!("expected 1 to {MAX_BLOCK_THREADS} threads");
        return Err(source.error(&raw.block.span(), message, &expected));
    }
    let grid = host_or_child(source, &name, &raw)?;
    let mut launches = Vec::new();
    for raw in std::mem::take(&mut raw.launch) {
        launches.push(launch::launch(source, &name, extent, raw)?);
    }
    let registers = optional(&raw.registers_per_thread, "registers_per_thread", 0..=MAX_FIELD)?;
    let shared_memory = optional(&raw.shared_memory, "shared_memory", 0..=MAX_FIELD)?;
    let stream = optional(&raw.stream, "stream", 0..=MAX_FIELD)?;
    let repeat = optional(&raw.repeat, "repeat", 1..=MAX_FIELD)?;
    let priority = optional(&raw.priority, "priority", 0..=MAX_PRIORITY)?;
    let partition = optional(&raw.partition, "partition", 0..=MAX_PARTITION)?;
    let relation = match &raw.relation {
        Some(raw) => relation(source, &name, raw.get_ref())?,
        None => Relation::default(),
    };
    let cluster = match raw.cluster.as_ref().zip(grid) {
        Some((raw, grid)) => cluster(source, &name, raw, grid)?,
        None => Cluster::default(),
    };
    let duration = duration(source, &name, grid, &raw.duration)?;
    let overlap = overlap(source, &name, &raw, &duration)?;
    let persistence = persistence(source, &name, &raw, &duration)?;
    Ok(KernelSpec {
        grid,
        block: extent,
        registers_per_thread: registers.unwrap_or(0) as u32,
        shared_memory: shared_memory.unwrap_or(0) as u32,
        arrive: optional(&raw.arrive, "arrive", 0..=MAX_CYCLES)?.unwrap_or(0),
        stream: stream.map(|stream| stream as u32),
        repeat: repeat.unwrap_or(1) as u32,
        overlap,
        persistence,
        duration,
        relation,
        cluster,
        priority: priority.unwrap_or(0) as u8,
        partition: partition.unwrap_or(0) as u8,
        resident: raw.resident.is_some_and(Spanned::into_inner),
        launches,
        name_span: raw.name.span(),
        block_span: raw.block.span(),
        name,
    })
}

/// The grid of a kernel that the host launches; `None` for a child, which must not say what only
/// a launch can.
fn host_or_child(source: &Source, name: &str, raw: &RawKernel) -> Result<Option<Dim3>, InputError> {
    if !raw.child {
        if let Some(resident) = raw.resident.as_ref().filter(|resident| *resident.get_ref()) {
            let message = format!("kernel `{name}` is resident, but no child");
            return Err(source.error(&resident.span(), message, "expected `child = true` with it"));
        }
        let Some(written) = &raw.grid else {
            let message = format!("kernel `{name}` has no grid");
            let error = source.error(&raw.name.span(), message, "expected `grid = [x, y, z]`");
            return Err(error.help("only a kernel with `child = true` gets its grid by launches"));
        };
        let extent = dim3(source, written, Named { what: "grid", kernel: name })?;
        return grid(source, name, extent, &written.span()).map(Some);
    }
    let of_host = [
        ("grid", raw.grid.as_ref().map(Spanned::span)),
        ("arrive", raw.arrive.as_ref().map(Spanned::span)),
        ("stream", raw.stream.as_ref().map(Spanned::span)),
        ("repeat", raw.repeat.as_ref().map(Spanned::span)),
        ("relation", raw.relation.as_ref().map(Spanned::span)),
        ("cluster", raw.cluster.as_ref().map(Spanned::span)),
        ("priority", raw.priority.as_ref().map(Spanned::span)),
        ("partition", raw.partition.as_ref().map(Spanned::span)),
        ("dependent", raw.dependent.as_ref().map(Spanned::span)),
        ("trigger", raw.trigger.as_ref().map(Spanned::span)),
        ("prologue", raw.prologue.as_ref().map(Spanned::span)),
        ("setup", raw.setup.as_ref().map(Spanned::span)),
        ("cancels", raw.cancels.as_ref().map(Spanned::span)),
    ];
    for (what, span) in of_host {
        if let Some(span) = span {
            let message = format!("the child kernel `{name}` states `{what}`");
            let error = source.error(&span, message, "expected nothing here");
            return Err(error.help("the blocks that launch a child decide on that"));
        }
    }
    Ok(None)
}

fn duration(
    source: &Source,
    name: &str,
    grid: Option<Dim3>,
    raw: &Spanned<RawDuration>,
) -> Result<DurationSpec, InputError> {
    let of = Named { what: "duration", kernel: name };
    let cycles = 1..=MAX_CYCLES;
    let blocks = grid.map(|grid| grid.volume() as u64);
    match raw.get_ref() {
        RawDuration::Uniform(value) => {
            let value = Spanned::new(raw.span(), *value);
            number(source, &value, of, cycles).map(DurationSpec::Uniform)
        }
        RawDuration::Each(list) => {
            let mut each = Vec::with_capacity(list.len());
            for value in list {
                each.push(number(source, value, of, cycles.clone())?);
            }
            if let Some(blocks) = blocks.filter(|&blocks| blocks != each.len() as u64) {
                let entries = each.len();
                let message = format!(
                    "the duration list of kernel `{name}` has {entries} entries for {blocks} blocks"
                );
                return Err(source.error(&raw.span(), message, "expected one entry a block"));
            }
            Ok(DurationSpec::Each(each.into()))
        }
        RawDuration::Normal(normal) => {
            if let Some(blocks) = blocks.filter(|&blocks| blocks > u64::from(MAX_DRAWN)) {
                let message = format!("durations of {blocks} blocks of kernel `{name}` are drawn");
                let expected = format!("expected at most {MAX_DRAWN} blocks");
                return Err(source.error(&raw.span(), message, &expected));
            }
            let real = |value: &Spanned<f64>, what, range: RangeInclusive<f64>| {
                let found = *value.get_ref();
                if range.contains(&found) {
                    return Ok(found);
                }
                let message = format!("`{what}` of kernel `{name}` is {found}");
                let expected = format!("expected {} to {}", range.start(), range.end());
                Err(source.error(&value.span(), message, &expected))
            };
            Ok(DurationSpec::Normal {
                mean: real(&normal.mean, "mean", 1.0..=MAX_CYCLES as f64)?,
                rsd: real(&normal.rsd, "rsd", 0.0..=10.0)?,
            })
        }
    }
}
