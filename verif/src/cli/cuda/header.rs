//! The header for kernels, in the command itself, so that it works wherever it is installed.

use std::io;
use std::path::Path;

macro_rules! headers {
    ($($name:literal),*) => {
        [$(($name, include_str!(concat!("../../../../sim/kernels/include/", $name)))),*]
    };
}

/// The folder of the files that have CUDA's names.
pub const CUDA: &str = "cuda";

/// Each file, and its contents.
const FILES: [(&str, &str); 25] = headers!(
    "blockyard.h",
    "blockyard/atomics.h",
    "blockyard/bits.h",
    "blockyard/block.h",
    "blockyard/groups.h",
    "blockyard/half.h",
    "blockyard/launch.h",
    "blockyard/limits.h",
    "blockyard/loads.h",
    "blockyard/math.h",
    "blockyard/minmax.h",
    "blockyard/next_block.h",
    "blockyard/output.h",
    "blockyard/qualifiers.h",
    "blockyard/textures.h",
    "blockyard/vectors.h",
    "blockyard/warp.h",
    "cuda/cooperative_groups.h",
    "cuda/cooperative_groups/reduce.h",
    "cuda/cuda.h",
    "cuda/cuda_fp16.h",
    "cuda/cuda_runtime.h",
    "cuda/device_functions.h",
    "cuda/device_launch_parameters.h",
    "cuda/math_constants.h"
);

/// Writes them into `folder`.
///
/// # Errors
/// What the system says.
pub fn write(folder: &Path) -> io::Result<()> {
    FILES.iter().try_for_each(|(name, text)| {
        let file = folder.join(name);
        file.parent().map_or(Ok(()), std::fs::create_dir_all)?;
        std::fs::write(file, text)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_that_one_includes_is_there() {
        let names: Vec<&str> = FILES.iter().map(|(name, _)| *name).collect();
        let included = FILES.iter().flat_map(|(_, text)| text.lines());
        let included = included.filter_map(|line| line.trim().strip_prefix("#include \""));
        let included: Vec<&str> =
            included.map(|name| name.trim_start_matches("../").trim_end_matches('"')).collect();
        assert!(included.len() >= 11);
        for name in included {
            // Only what is for CPUs is left out.
            let beside = format!("blockyard/{name}");
            let there = names.contains(&name) || names.contains(&&*beside);
            assert!(there || name == "blockyard_cpu.h", "{name}");
        }
    }
}
