//! What textures read.

use blockyard_ptx::Texture;
use toml::Spanned;

use super::data::{in_order, Data};
use super::file::{RawTexture, Table};
use super::{Source, Span};
use crate::diagnostic::InputError;

/// Bytes of a channel.
const CHANNEL: u64 = 4;
/// Most elements of a row, and most rows.
const MOST: u64 = 1 << 20;

/// A texture and the buffer that it reads.
#[derive(Clone, Debug)]
pub struct TextureSpec {
    /// The variable of the module, or what arguments call it.
    pub name: String,
    /// Where its name stands.
    pub span: Span,
    /// The number of the buffer.
    pub buffer: usize,
    /// All but the address.
    pub texture: Texture,
}

/// All of them.
pub fn all(
    source: &Source,
    buffers: &[Data],
    table: Table<RawTexture>,
) -> Result<Vec<TextureSpec>, InputError> {
    let check = |(name, raw): (Spanned<String>, Spanned<RawTexture>)| {
        let span = name.span();
        texture(source, buffers, (name.into_inner(), span), raw.get_ref())
    };
    in_order(table).into_iter().map(check).collect()
}

fn texture(
    source: &Source,
    buffers: &[Data],
    (name, span): (String, Span),
    raw: &RawTexture,
) -> Result<TextureSpec, InputError> {
    let number = source.buffer(buffers, &raw.buffer)?;
    let buffer = &buffers[number];
    let width = source.number(&raw.width, "width", 1..=MOST)?;
    let extent = |given: &Option<Spanned<i64>>, name| match given {
        Some(given) => source.number(given, name, 1..=MOST),
        None => Ok(1),
    };
    let (height, depth) = (extent(&raw.height, "height")?, extent(&raw.depth, "depth")?);
    let channels = match &raw.channels {
        None => 1,
        Some(channels) => match channels.get_ref() {
            found @ (1 | 2 | 4) => *found as u64,
            found => {
                let message = format!("`channels` is {found}");
                return Err(source.error(&channels.span(), message, "expected 1, 2 or 4"));
            }
        },
    };
    // Each factor is in its range; all together may be more than a word holds.
    let factors = [width, height, depth, channels, CHANNEL];
    let bytes: u128 = factors.into_iter().map(u128::from).product();
    if bytes > buffer.bytes().into() {
        let message = format!("the texture `{name}` has {bytes} bytes");
        let expected = format!("has {} bytes", buffer.bytes());
        return Err(source.error(&raw.buffer.span(), message, &expected));
    }
    let texture = Texture {
        address: 0,
        width: width as u32,
        height: height as u32,
        depth: depth as u32,
        pitch: width * channels * CHANNEL,
        channels: channels as u32,
        normalized: raw.normalized,
        linear: raw.linear,
        wraps: raw.wraps,
    };
    Ok(TextureSpec { name, span, buffer: number, texture })
}
