//! What a dump's value changes must satisfy before wellen may read them: it trusts them, and
//! panics or skips where they are wrong.

use super::WIDEST;
use std::collections::HashMap;

/// Checks a whole VCD file: it begins with a command and ends with a complete line, every change is
/// of a declared variable and no wider than it, and times do not go back.
///
/// # Errors
/// The first fault with its line, counted from 1.
pub fn check(text: &[u8]) -> Result<(), String> {
    if text.last().is_some_and(|byte| *byte != b'\n') {
        return Err("its last line is cut off".to_owned());
    }
    // wellen might take it for another format.
    match tokens(text).next() {
        Some((line, token)) if !token.starts_with(b"$") => {
            return Err(format!("line {line}: expected a command, found `{}`", show(token)));
        }
        _ => {}
    }
    let mut widths = HashMap::new();
    let mut tokens = tokens(text);
    while let Some((line, token)) = tokens.next() {
        match token {
            b"$enddefinitions" => {
                skip(&mut tokens);
                return changes(&mut tokens, &widths);
            }
            b"$var" => {
                let mut next = || tokens.next().map(|(_, token)| token);
                let (kind, width, id) = (next(), next(), next());
                let (Some(kind), Some(width), Some(id)) = (kind, width, id) else { break };
                let Some(width) = number(width) else {
                    return Err(format!("line {line}: expected a width, found `{}`", show(width)));
                };
                // Text, reals and events do not have the width that they declare.
                let bits = !matches!(kind, b"string" | b"real" | b"realtime" | b"event");
                if bits && width > u64::from(WIDEST) {
                    return Err(format!(
                        "line {line}: expected at most {WIDEST} bits, not {width}"
                    ));
                }
                widths.insert(id, bits.then_some(width));
                skip(&mut tokens);
            }
            b"$comment" => skip(&mut tokens),
            _ => {}
        }
    }
    Err("its header has no end".to_owned())
}

fn changes<'a>(
    tokens: &mut impl Iterator<Item = (usize, &'a [u8])>,
    widths: &HashMap<&[u8], Option<u64>>,
) -> Result<(), String> {
    let mut time = 0;
    while let Some((line, token)) = tokens.next() {
        let fault = |expected: &str| {
            Err(format!("line {line}: expected {expected}, found `{}`", show(token)))
        };
        let (id, length) = match token {
            b"$comment" => {
                skip(tokens);
                continue;
            }
            b"$dumpvars" | b"$dumpall" | b"$dumpon" | b"$dumpoff" | b"$end" => continue,
            [b'#', digits @ ..] => {
                match number(digits) {
                    Some(next) if next >= time => time = next,
                    _ => return fault(&format!("a time from {time} on")),
                }
                continue;
            }
            [b'b' | b'B', bits @ ..] if !bits.is_empty() && bits.iter().all(is_state) => {
                (tokens.next().map(|(_, id)| id), bits.len() as u64)
            }
            [b'r' | b'R' | b's' | b'S', ..] => (tokens.next().map(|(_, id)| id), 0),
            [bit, id @ ..] if is_state(bit) => (Some(id), 1),
            _ => return fault("a time or a value"),
        };
        match id.and_then(|id| widths.get(id)) {
            None => return fault("a change of a declared variable"),
            Some(Some(width)) if length > *width => return fault(&format!("at most {width} bits")),
            Some(_) => {}
        }
    }
    Ok(())
}

/// The words of the file with their lines.
fn tokens(text: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    text.split(|byte| *byte == b'\n').enumerate().flat_map(|(line, bytes)| {
        let words = bytes.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
        words.map(move |word| (line + 1, word))
    })
}

/// Passes over the rest of a command.
fn skip<'a>(tokens: &mut impl Iterator<Item = (usize, &'a [u8])>) {
    tokens.find(|(_, token)| *token == b"$end");
}

fn is_state(byte: &u8) -> bool {
    b"01xXzZhHuUwWlL-".contains(byte)
}

fn number(digits: &[u8]) -> Option<u64> {
    std::str::from_utf8(digits).ok()?.parse().ok()
}

fn show(token: &[u8]) -> String {
    String::from_utf8_lossy(&token[..token.len().min(40)]).into_owned()
}
