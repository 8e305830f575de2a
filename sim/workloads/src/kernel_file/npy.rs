//! NumPy's format: a magic number, a version, a dictionary of Python as text, the elements
//! (NEP 1). Little endian and in C order; shapes do not matter here, only how many elements there
//! are.

use super::element::Element;

const MAGIC: &[u8] = b"\x93NUMPY";
/// The elements begin at a multiple of this.
const ALIGN: usize = 64;

/// What is in the file: the type of the elements, and their bytes.
///
/// # Errors
/// What is wrong with it, and what was expected.
pub fn read(file: &[u8]) -> Result<(Element, &[u8]), (String, &'static str)> {
    let Some(rest) = file.strip_prefix(MAGIC) else {
        return Err(("does not begin as NumPy's files do".to_owned(), "the bytes \\x93NUMPY"));
    };
    let cut_off = || ("ends within its header".to_owned(), "a whole file");
    let (start, length) = match *rest {
        [1, _, low, high, ..] => (4, usize::from(u16::from_le_bytes([low, high]))),
        [2 | 3, _, a, b, c, d, ..] => (6, u32::from_le_bytes([a, b, c, d]) as usize),
        [1..=3, ..] | [] => return Err(cut_off()),
        [major, ..] => {
            return Err((format!("has version {major}"), "version 1, 2 or 3"));
        }
    };
    let body = &rest[start..];
    let header = body.get(..length).ok_or_else(cut_off)?;
    let header = String::from_utf8_lossy(header);
    let kind = value_of(&header, "descr").unwrap_or_default();
    let kind = kind.trim_matches(|quote| quote == '\'' || quote == '"');
    let element = element(kind).ok_or_else(|| {
        (format!("has elements of type `{kind}`"), "|u1, <u2 to <u8, |i1, <i2 to <i8, <f4 or <f8")
    })?;
    if value_of(&header, "fortran_order") != Some("False") {
        return Err(("is not in C order".to_owned(), "'fortran_order': False"));
    }
    let elements = count(&header).ok_or_else(|| ("has no shape".to_owned(), "'shape': (N,)"))?;
    let bytes = &body[length..];
    if elements.checked_mul(element.bytes()) != Some(bytes.len()) {
        let message = format!("has {} bytes behind its header", bytes.len());
        return Err((message, "as many as its shape says"));
    }
    Ok((element, bytes))
}

/// What stands behind `'key':`, up to the next comma.
fn value_of<'a>(header: &'a str, key: &str) -> Option<&'a str> {
    let (_, rest) = header.split_once(&format!("'{key}'"))?;
    let rest = rest.trim_start().strip_prefix(':')?.trim_start();
    Some(rest[..rest.find([',', '}']).unwrap_or(rest.len())].trim_end())
}

/// How many elements the shape says.
fn count(header: &str) -> Option<usize> {
    let (_, rest) = header.split_once("'shape'")?;
    let inner = rest.split_once('(')?.1.split_once(')')?.0;
    let extents = inner.split(',').map(str::trim).filter(|extent| !extent.is_empty());
    extents.into_iter().try_fold(1_usize, |all, extent| all.checked_mul(extent.parse().ok()?))
}

fn element(kind: &str) -> Option<Element> {
    let mut letters = kind.chars();
    let order = letters.next()?;
    let (letter, width) = (letters.next()?, letters.as_str().parse::<u8>().ok()?);
    let found = match (letter, width) {
        ('u', 1 | 2 | 4 | 8) => Element::Unsigned(width),
        ('i', 1 | 2 | 4 | 8) => Element::Signed(width),
        ('f', 4 | 8) => Element::Float(width),
        _ => return None,
    };
    (order == '<' || width == 1).then_some(found)
}

/// A file of version 1 with one dimension.
pub fn write(element: Element, bytes: &[u8]) -> Vec<u8> {
    let (letter, width) = match element {
        Element::Unsigned(width) => ('u', width),
        Element::Signed(width) => ('i', width),
        Element::Float(width) => ('f', width),
    };
    let order = if width == 1 { '|' } else { '<' };
    let count = bytes.len() / element.bytes();
    let mut header = format!(
        "{{'descr': '{order}{letter}{width}', 'fortran_order': False, 'shape': ({count},), }}"
    );
    let before = MAGIC.len() + 4;
    let end = (before + header.len() + 1).next_multiple_of(ALIGN);
    header.extend(std::iter::repeat_n(' ', end - before - header.len() - 1));
    header.push('\n');
    let mut file = MAGIC.to_vec();
    file.extend([1, 0]);
    file.extend((header.len() as u16).to_le_bytes());
    file.extend(header.as_bytes());
    file.extend(bytes);
    file
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file whose header is `header`, with `bytes` bytes of zero.
    fn file(version: u8, header: &str, bytes: usize) -> Vec<u8> {
        let mut file = MAGIC.to_vec();
        file.extend([version, 0]);
        let length = header.len() as u32;
        file.extend(&length.to_le_bytes()[..if version == 1 { 2 } else { 4 }]);
        file.extend(header.as_bytes());
        file.extend(vec![0; bytes]);
        file
    }

    #[test]
    fn what_is_written_is_read_back_and_begins_at_a_multiple_of_64() {
        let bytes: Vec<u8> = (0..24).collect();
        for name in ["u8", "i16", "u32", "f32", "f64", "i64"] {
            let element = Element::named(name).unwrap();
            let written = write(element, &bytes);
            assert_eq!(read(&written), Ok((element, &bytes[..])));
            // The least multiple behind a header of about 60 bytes; NumPy has the same.
            assert_eq!(written.len() - bytes.len(), 128);
        }
    }

    #[test]
    fn versions_1_to_3_and_all_shapes_are_read() {
        let header = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }\n";
        for version in 1..=3 {
            assert_eq!(read(&file(version, header, 24)).unwrap().1.len(), 24);
        }
        let scalar = "{'descr': '<f8', 'fortran_order': False, 'shape': ()}";
        assert_eq!(read(&file(1, scalar, 8)).unwrap().1.len(), 8);
        let empty = "{'shape': (0,), 'fortran_order': False, 'descr': '|i1'}";
        assert_eq!(read(&file(1, empty, 0)).unwrap(), (Element::Signed(1), &[][..]));
    }

    #[test]
    fn what_cannot_be_read_is_said() {
        let header = "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }";
        let message = |bytes: &[u8]| read(bytes).unwrap_err().0;
        assert_eq!(message(b"numbers"), "does not begin as NumPy's files do");
        assert_eq!(message(&file(4, header, 8)), "has version 4");
        let whole = file(1, header, 8);
        for end in MAGIC.len()..whole.len() - 8 {
            assert_eq!(message(&whole[..end]), "ends within its header", "{end}");
        }
        assert_eq!(message(&whole[..whole.len() - 1]), "has 7 bytes behind its header");
        assert_eq!(
            message(&file(1, &header.replace("<f4", ">f4"), 8)),
            "has elements of type `>f4`"
        );
        assert_eq!(
            message(&file(1, &header.replace("<f4", "<c8"), 8)),
            "has elements of type `<c8`"
        );
        let fortran = header.replace("False", "True");
        assert_eq!(message(&file(1, &fortran, 8)), "is not in C order");
        assert_eq!(
            message(&file(1, "{'descr': '<f4', 'fortran_order': False}", 8)),
            "has no shape"
        );
    }
}
