//! Schedulers of concurrent kernels: MPMax and SRTF.

use super::round_robin::{common_causes, BLOCKS, LAUNCHES};
use super::{bits, number, Story};

/// `mpmax`.
pub(crate) fn mpmax(story: &mut Story) {
    story.part("Launches", LAUNCHES);
    story.part(
        "Kernels",
        const {
            &[
                bits("kernels.{present,eligible,ended}"),
                number("kernels.set.residency_#"),
                number("kernels.set.total_#"),
            ]
        },
    );
    story.open_part(
        "Reserve",
        const { &[bits("reserve.{change,busy,fits,settle}"), number("reserve.limit_#")] },
    );
    story.open_part(
        "Selection",
        const { &[bits("asked"), bits("kernels.grant"), number("kernels.placement.first")] },
    );
    story.part(
        "Dispatch",
        const {
            &[
                bits("kernels.offer_valid"),
                number("kernels.offer_kernel"),
                number("kernels.offer_block_{x,y,z}"),
                bits("dispatch_#_valid"),
            ]
        },
    );
    story.smx.extend(BLOCKS);
    story.smx.extend(&[bits("units_#.{asks,choice_valid}"), number("units_#.choice_kernel")]);
    common_causes(story, "kernels.accepted");
}

/// `srtf` and `srtf/adaptive`.
pub(crate) fn srtf(story: &mut Story) {
    story.part("Launches", LAUNCHES);
    story.part(
        "Kernels",
        const {
            &[bits("dispatcher.kernels.{present,eligible,ended}"), number("dispatcher.residency_#")]
        },
    );
    story.open_part(
        "Choice",
        const {
            &[
                number("dispatcher.{predicted,remaining}_{0,1}"),
                bits("dispatcher.units_{0,1}.choice_valid"),
                number("dispatcher.units_{0,1}.{choice_kernel,slot}"),
                bits("dispatcher.kernels.grant"),
            ]
        },
    );
    story.open_part(
        "Sampling",
        const {
            &[
                bits("dispatcher.sampler.sampling_valid"),
                number("dispatcher.sampler.sampling_kernel"),
                bits("dispatcher.sampler.{alone,enough,over,seen}"),
                bits("dispatcher.sampler.copying_valid"),
                number("dispatcher.sampler.copying_kernel"),
            ]
        },
    );
    story.part(
        "Prediction",
        const {
            &[
                bits("dispatcher.known"),
                number("dispatcher.{predicted,remaining}_#"),
                bits("dispatcher.stored_valid"),
                number("dispatcher.stored_{kernel,predicted}"),
                bits("dispatcher.sharing"),
            ]
        },
    );
    story.part("Selection", const { &[bits("dispatcher.kernels.{asks,grant}")] });
    story.part(
        "Dispatch",
        const {
            &[
                bits("dispatcher.kernels.offer_valid"),
                number("dispatcher.kernels.offer_kernel"),
                number("dispatcher.kernels.offer_block_{x,y,z}"),
                bits("dispatch_#_valid"),
            ]
        },
    );
    story.smx.extend(BLOCKS);
    story.smx.extend(&[
        bits("dispatcher.units_#.{asks,choice_valid}"),
        number("dispatcher.units_#.{choice_kernel,slot}"),
    ]);
    common_causes(story, "dispatcher.kernels.accepted");
}
