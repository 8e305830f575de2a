//! Plots as PNG, with a font of their own: the same pixels on every machine.

use super::Plot;
use miette::{miette, IntoDiagnostic, Result};
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};
use std::sync::Arc;

/// Pixels of the picture for each of the drawing: about 200 dots an inch in a column of a paper.
const FINE: f32 = 2.0;

/// The plot as PNG.
///
/// # Errors
/// When it cannot be drawn.
pub fn png(plot: &Plot) -> Result<Vec<u8>> {
    let mut options = Options { font_family: "Ubuntu".to_owned(), ..Options::default() };
    let fonts = Arc::make_mut(&mut options.fontdb);
    fonts.load_font_data(epaint_default_fonts::UBUNTU_LIGHT.to_vec());
    fonts.set_sans_serif_family("Ubuntu");
    let tree = Tree::from_str(&plot.svg(), &options).into_diagnostic()?;
    let size = tree.size().to_int_size().scale_by(FINE);
    let pixels = size.and_then(|size| Pixmap::new(size.width(), size.height()));
    let mut pixels = pixels.ok_or_else(|| miette!("`{}` is too large for a PNG", plot.title))?;
    resvg::render(&tree, Transform::from_scale(FINE, FINE), &mut pixels.as_mut());
    pixels.encode_png().into_diagnostic()
}
