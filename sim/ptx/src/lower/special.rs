//! Special registers by name.

use crate::program::Special;

/// The special register `name`, if it holds a number.
pub(super) fn parse(name: &str) -> Option<Special> {
    let axis = |letter: &str| ["x", "y", "z"].iter().position(|axis| *axis == letter);
    if let Some((register, letter)) = name.split_once('.') {
        let of: fn(u8) -> Special = match register {
            "%tid" => Special::Thread,
            "%ntid" => Special::BlockExtent,
            "%ctaid" => Special::Block,
            "%nctaid" => Special::GridExtent,
            "%clusterid" => Special::Cluster,
            "%nclusterid" => Special::Clusters,
            "%cluster_ctaid" => Special::BlockInCluster,
            "%cluster_nctaid" => Special::ClusterExtent,
            _ => return None,
        };
        return axis(letter).map(|axis| of(axis as u8));
    }
    Some(match name {
        "%cluster_ctarank" => Special::RankInCluster,
        "%cluster_nctarank" => Special::ClusterBlocks,
        "%laneid" => Special::Lane,
        "%warpid" => Special::Warp,
        "%nwarpid" => Special::Warps,
        "%lanemask_lt" => Special::LanesBelow,
        "%lanemask_le" => Special::LanesUpTo,
        "%lanemask_eq" => Special::LaneItself,
        "%lanemask_ge" => Special::LanesFrom,
        "%lanemask_gt" => Special::LanesAbove,
        "%clock" | "%clock64" | "%clock_hi" | "%globaltimer" | "%globaltimer_lo" => Special::Clock,
        "%gridid" => Special::GridNumber,
        "%smid" => Special::Zero,
        "%nsmid" => Special::One,
        "%total_smem_size" => Special::SharedBytes,
        "%dynamic_smem_size" => Special::DynamicSharedBytes,
        _ => return None,
    })
}
