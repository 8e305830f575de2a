//! The area of an SRAM by models that are fitted to published macros.
//!
//! docs/budgets.md has the macros, where they come from, and what each model is off.

use serde::Serialize;

/// A family of macros.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Macros {
    /// IHP's 130 nm macros with one port
    Ihp130,
    /// CACTI's macros for 45 nm that stand beside NanGate's cells in OpenROAD-flow-scripts
    Fakeram45,
    /// The same for 7 nm, beside ASAP7's cells
    Fakeram7,
}

/// How an area comes from words and bits.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Model {
    /// (base + bits x column) x (base + words x row), in micrometres: a macro is a rectangle.
    Rectangle { width: (f64, f64), height: (f64, f64) },
    /// fixed + words x bits x cell, in square micrometres.
    Sum { fixed: f64, cell: f64 },
}

/// A published macro: words, bits, width and height in micrometres.
pub type Published = (usize, usize, f64, f64);

/// IHP-Open-PDK's `RM_IHPSG13_1P_*` as in OpenROAD-flow-scripts, commit 8c009b0b, LEF files.
const IHP130: [Published; 10] = [
    (64, 64, 784.48, 64.36),
    (256, 48, 596.48, 118.78),
    (256, 64, 784.48, 118.78),
    (512, 64, 784.48, 191.34),
    (1024, 8, 146.88, 336.46),
    (1024, 16, 236.8, 336.46),
    (1024, 64, 784.48, 336.46),
    (2048, 64, 784.48, 626.7),
    (4096, 8, 236.8, 618.3),
    (4096, 16, 416.64, 618.3),
];

/// `fakeram45_*` of the same commit.
const FAKERAM45: [Published; 11] = [
    (32, 32, 19.57, 40.6),
    (64, 32, 20.14, 61.6),
    (64, 64, 77.9, 62.2),
    (128, 116, 74.48, 124.6),
    (128, 256, 151.81, 223.9),
    (256, 16, 77.71, 40.6),
    (256, 32, 78.66, 64.4),
    (256, 96, 115.14, 119.0),
    (512, 64, 152.57, 113.4),
    (1024, 32, 152.19, 107.8),
    (2048, 39, 206.91, 219.8),
];

/// `fakeram7_*` and ASAP7's `fakeram_*` of the same commit.
const FAKERAM7: [Published; 15] = [
    (32, 46, 6.08, 11.2),
    (64, 20, 5.32, 11.2),
    (64, 21, 5.51, 11.2),
    (64, 22, 5.89, 11.2),
    (64, 25, 13.11, 6.0),
    (64, 28, 14.63, 6.0),
    (64, 256, 33.25, 46.8),
    (128, 64, 16.72, 21.6),
    (256, 32, 8.36, 42.0),
    (256, 34, 8.93, 42.0),
    (256, 64, 16.72, 42.0),
    (256, 128, 16.72, 84.0),
    (256, 256, 33.25, 84.0),
    (512, 8, 4.18, 42.0),
    (2048, 39, 20.33, 166.6),
];

impl Macros {
    /// All, as in the documentation.
    pub const ALL: [Self; 3] = [Self::Ihp130, Self::Fakeram45, Self::Fakeram7];

    /// What the figures of a model come from.
    pub fn source(self) -> &'static str {
        match self {
            Self::Ihp130 => "model of IHP's 130 nm one-port macros (10 published)",
            Self::Fakeram45 => {
                "model of CACTI's 45 nm macros in OpenROAD-flow-scripts (11 published)"
            }
            Self::Fakeram7 => {
                "model of CACTI's 7 nm macros in OpenROAD-flow-scripts (15 published)"
            }
        }
    }

    /// The macros that the model is fitted to.
    pub fn published(self) -> &'static [Published] {
        match self {
            Self::Ihp130 => &IHP130,
            Self::Fakeram45 => &FAKERAM45,
            Self::Fakeram7 => &FAKERAM7,
        }
    }

    fn model(self) -> Model {
        match self {
            // Through 64 x 64, 2048 x 64 and 1024 x 8: four parameters.
            Self::Ihp130 => {
                Model::Rectangle { width: (55.794, 11.3857), height: (46.22, 0.283_437_5) }
            }
            // Least squares of the relative error over all: two parameters.
            Self::Fakeram45 => Model::Sum { fixed: 208.05, cell: 0.589_416 },
            Self::Fakeram7 => Model::Sum { fixed: 4.187, cell: 0.044_048_7 },
        }
    }

    /// Square micrometres of a macro, an estimate. One with a read and a write port counts as one
    /// with one port, which is too little: none of the published ones has two.
    pub fn area(self, words: usize, bits: usize) -> f64 {
        let (words, bits) = (words as f64, bits as f64);
        match self.model() {
            Model::Rectangle { width, height } => {
                (width.0 + bits * width.1) * (height.0 + words * height.1)
            }
            Model::Sum { fixed, cell } => fixed + words * bits * cell,
        }
    }

    /// What the model is off for a published macro, in percent.
    pub fn error(self, (words, bits, width, height): Published) -> f64 {
        100.0 * (self.area(words, bits) / (width * height) - 1.0)
    }

    /// Square micrometres of so many bytes, as macros of the largest published size.
    pub fn area_of_bytes(self, bytes: u64) -> f64 {
        let largest = self.published().iter().max_by_key(|(words, bits, ..)| words * bits);
        let each = largest
            .map_or(0.0, |(words, bits, width, height)| width * height / (words * bits) as f64);
        bytes as f64 * 8.0 * each
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ihps_macros_of_64_to_2048_words_are_met_within_a_percent_and_longer_ones_within_22() {
        for published in Macros::Ihp130.published() {
            let error = Macros::Ihp130.error(*published);
            let bound = if published.0 <= 2048 { 1.0 } else { 22.0 };
            assert!(error.abs() < bound, "{published:?}: {error}");
        }
    }

    #[test]
    fn half_of_the_published_macros_of_each_model_are_met_within_six_percent() {
        for macros in Macros::ALL {
            let mut errors: Vec<f64> =
                macros.published().iter().map(|&published| macros.error(published).abs()).collect();
            errors.sort_by(f64::total_cmp);
            let bound = if macros == Macros::Fakeram45 { 15.0 } else { 6.0 };
            assert!(errors[errors.len() / 2] < bound, "{macros:?}: {errors:?}");
            assert!(errors[errors.len() - 1] < 55.0, "{macros:?}: {errors:?}");
        }
    }

    #[test]
    fn many_bytes_are_macros_of_the_largest_size() {
        // 16 KiB are one macro of 2048 x 64.
        let one = Macros::Ihp130.area_of_bytes(2048 * 64 / 8);
        assert!((one - 784.48 * 626.7).abs() < 1e-6, "{one}");
        assert!((Macros::Ihp130.area_of_bytes(32 * 1024) - 2.0 * one).abs() < 1e-6);
    }
}
