//! What a block launches while it runs, and the rules that can be checked in the file alone.

use super::check::{dim3, grid, number, Named, MAX_DRAWN};
use super::duration::DurationSpec;
use super::file::RawLaunch;
use super::{KernelSpec, Source, Span};
use crate::diagnostic::InputError;
use crate::port::{Cluster, Dim3};
use toml::Spanned;

/// A `[[kernel.launch]]`.
#[derive(Clone, Debug)]
pub struct LaunchSpec {
    /// Linear id of the parent block.
    pub by: u32,
    /// Cycles after that block started.
    pub at: u64,
    /// The launching thread of the block.
    pub thread: u32,
    /// Name of the child kernel.
    pub kernel: String,
    /// Extent of the child's grid.
    pub grid: Dim3,
    /// Which of its blocks run together.
    pub cluster: Cluster,
    pub(super) span: Span,
    pub(super) grid_span: Span,
    by_span: Span,
    at_span: Span,
    kernel_span: Span,
}

/// Reads one launch of the kernel `parent`, whose blocks have extent `block`.
pub fn launch(
    source: &Source,
    parent: &str,
    block: Dim3,
    raw: Spanned<RawLaunch>,
) -> Result<LaunchSpec, InputError> {
    let span = raw.span();
    let raw = raw.into_inner();
    let of = |what| Named { what, kernel: parent };
    let threads = block.volume() as u64;
    let thread = match &raw.thread {
        Some(thread) => number(source, thread, of("thread"), 0..=threads - 1)? as u32,
        None => 0,
    };
    let grid = grid(source, parent, dim3(source, &raw.grid, of("grid"))?, &raw.grid.span())?;
    let cluster = match &raw.cluster {
        Some(cluster) => super::cluster::cluster(source, raw.kernel.get_ref(), cluster, grid)?,
        None => Cluster::default(),
    };
    Ok(LaunchSpec {
        by: number(source, &raw.by, of("by"), 0..=u64::from(crate::port::MAX_BLOCKS) - 1)? as u32,
        at: number(source, &raw.at, of("at"), 0..=super::MAX_CYCLES)?,
        thread,
        grid,
        cluster,
        span,
        by_span: raw.by.span(),
        at_span: raw.at.span(),
        kernel_span: raw.kernel.span(),
        grid_span: raw.grid.span(),
        kernel: raw.kernel.into_inner(),
    })
}

/// Checks what concerns several kernels: children exist, ids and times are in range, lists of
/// durations fit, and no kernel launches itself, however indirectly.
pub fn across(source: &Source, kernels: &[KernelSpec]) -> Result<(), InputError> {
    let mut drawn = 0;
    for launch in kernels.iter().flat_map(|kernel| &kernel.launches) {
        let child = find(source, kernels, launch)?;
        if let DurationSpec::Each(list) = &child.duration {
            if list.len() as u128 != launch.grid.volume() {
                let (entries, blocks) = (list.len(), launch.grid.volume());
                let message = format!(
                    "the duration list of kernel `{}` has {entries} entries, this launch {blocks} blocks",
                    child.name
                );
                let expected = format!("expected {entries} blocks");
                return Err(source.error(&launch.grid_span, message, &expected));
            }
        }
        if let DurationSpec::Normal { .. } = &child.duration {
            // As for the kernels of the host.
            drawn += launch.grid.volume() as u64;
            if drawn > u64::from(MAX_DRAWN) {
                let message = format!("with this launch, durations of {drawn} blocks are drawn");
                let expected = format!("expected at most {MAX_DRAWN} blocks in all launches");
                return Err(source.error(&launch.grid_span, message, &expected));
            }
        }
    }
    for kernel in kernels {
        // A child's blocks are counted by each of its launches.
        let launched = kernels.iter().flat_map(|parent| &parent.launches);
        let launched = launched.filter(|launch| launch.kernel == kernel.name);
        let grids = kernel.grid.into_iter().chain(launched.map(|launch| launch.grid));
        let blocks = grids.map(|grid| grid.volume() as u64).min();
        for launch in &kernel.launches {
            by_and_at(source, kernel, launch, blocks)?;
        }
    }
    acyclic(source, kernels)
}

fn find<'a>(
    source: &Source,
    kernels: &'a [KernelSpec],
    launch: &LaunchSpec,
) -> Result<&'a KernelSpec, InputError> {
    let name = &launch.kernel;
    match kernels.iter().find(|kernel| kernel.name == *name) {
        Some(child) if child.child() => Ok(child),
        Some(_) => {
            let message = format!("kernel `{name}` is launched by a block, but is no child");
            let error = source.error(&launch.kernel_span, message, "expected a child kernel");
            Err(error.help(format!("write `child = true` into kernel `{name}`")))
        }
        None => {
            let message = format!("there is no kernel `{name}` to launch");
            let children = kernels.iter().filter(|kernel| kernel.child());
            let children: Vec<_> = children.map(|kernel| kernel.name.as_str()).collect();
            let error = source.error(&launch.kernel_span, message, "expected a child kernel");
            Err(if children.is_empty() {
                error
            } else {
                error.help(format!("child kernels: {}", children.join(", ")))
            })
        }
    }
}

fn by_and_at(
    source: &Source,
    kernel: &KernelSpec,
    launch: &LaunchSpec,
    blocks: Option<u64>,
) -> Result<(), InputError> {
    let LaunchSpec { by, at, .. } = launch;
    let name = &kernel.name;
    // A child that is never launched has no blocks to check against.
    let Some(blocks) = blocks else { return Ok(()) };
    if u64::from(*by) >= blocks {
        let message = format!("`by` of kernel `{name}` is {by}, beyond its {blocks} blocks");
        let expected = format!("expected 0 to {}", blocks - 1);
        return Err(source.error(&launch.by_span, message, &expected));
    }
    let duration = match &kernel.duration {
        DurationSpec::Uniform(cycles) => *cycles,
        DurationSpec::Each(list) => list[*by as usize],
        // Known only when it is drawn.
        DurationSpec::Normal { .. } => return Ok(()),
    };
    if *at >= duration {
        let message =
            format!("`at` of kernel `{name}` is {at}, block {by} runs for {duration} cycles");
        let expected = format!("expected 0 to {}", duration - 1);
        return Err(source.error(&launch.at_span, message, &expected));
    }
    Ok(())
}

/// Refuses launches that would never end. Kernels whose launches all lead to kernels that end,
/// end; what is left launches itself.
fn acyclic(source: &Source, kernels: &[KernelSpec]) -> Result<(), InputError> {
    let mut ends: Vec<&str> = Vec::new();
    loop {
        let before = ends.len();
        for kernel in kernels {
            let leads = |launch: &LaunchSpec| ends.contains(&launch.kernel.as_str());
            if !ends.contains(&kernel.name.as_str()) && kernel.launches.iter().all(leads) {
                ends.push(&kernel.name);
            }
        }
        if ends.len() == before {
            break;
        }
    }
    let launches = kernels
        .iter()
        .filter(|kernel| kernel.child() && !ends.contains(&kernel.name.as_str()))
        .flat_map(|kernel| &kernel.launches);
    let endless = launches.into_iter().find(|launch| !ends.contains(&launch.kernel.as_str()));
    match endless {
        None => Ok(()),
        Some(launch) => {
            let message = format!("launches of kernel `{}` would never end", launch.kernel);
            Err(source.error(&launch.kernel_span, message, "leads back to itself"))
        }
    }
}
