//! Lists of requests, as CSV.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::Path;

use crate::diagnostic::InputError;

/// Latest arrival: a cycle number must have room for what follows.
const LAST_ARRIVAL: u64 = 1 << 48;

/// The columns that are read, with what they must hold. Others are ignored.
const COLUMNS: [(&str, &str); 5] = [
    ("case", "the name of a case"),
    ("id", "a whole number"),
    ("arrive_cycle", "a whole number of at most 281474976710656"),
    ("addr_hex", "an address in hexadecimal digits, with or without 0x, of at most 64 bits"),
    ("rw", "R or W"),
];

/// The place of `id` in [`COLUMNS`].
const ID: usize = 1;

/// A line that is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineRequest {
    /// Its name in the list.
    pub id: u64,
    /// The cycle in which it arrives at the channel.
    pub arrive_cycle: u64,
    /// Any address in the line.
    pub address: u64,
    /// Whether it is written.
    pub write: bool,
    /// Where in the file the address stands.
    pub address_span: Range<usize>,
}

/// Requests that share a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// Its name.
    pub name: String,
    /// In the order of the list.
    pub requests: Vec<LineRequest>,
}

impl Case {
    /// The cases of the list `text`, in the order of their first requests; `name` is the file's.
    ///
    /// The first line names the columns. `case`, `id`, `arrive_cycle`, `addr_hex` and `rw` (R or W)
    /// must be among them, in any order; others are ignored. Blank lines are skipped.
    ///
    /// # Errors
    /// A missing or doubled column, a line with too few or too many fields, a field that is not
    /// what its column holds, an id that its case has already, or no requests at all: with file,
    /// line, column and what was expected.
    pub fn read(name: &str, text: &str) -> Result<Vec<Self>, InputError> {
        let list = List { name, text };
        let mut lines = list.lines();
        let Some(header) = lines.next() else {
            return Err(InputError::new(format!("{name}: the list is empty"))
                .help(format!("expected a line with the columns {}", names())));
        };
        let columns = list.columns(&header)?;
        let mut cases: Vec<Self> = Vec::new();
        let mut numbers = BTreeMap::new();
        let mut ids = BTreeSet::new();
        for line in lines {
            let (case, request) = list.request(&line, &columns)?;
            let number = *numbers.entry(case).or_insert_with_key(|case| {
                cases.push(Self { name: case.to_string(), requests: Vec::new() });
                cases.len() - 1
            });
            if !ids.insert((number, request.id)) {
                return Err(list.refused(&line, columns.0[ID], ("id", "each id of a case once")));
            }
            cases[number].requests.push(request);
        }
        if cases.is_empty() {
            let message = format!("{name}: the list has no requests");
            return Err(InputError::new(message).help("expected a line for each request"));
        }
        Ok(cases)
    }

    /// As [`read`](Self::read), from the file `path`; also gives its text, to which the spans of
    /// addresses refer.
    ///
    /// # Errors
    /// When the file cannot be read, is no text, or as [`read`](Self::read).
    pub fn read_file(path: &Path) -> Result<(Vec<Self>, String), InputError> {
        let bytes = std::fs::read(path).map_err(|error| {
            InputError::file("read", path, &error).help("expected a CSV file of requests")
        })?;
        let name = path.display().to_string();
        let text = String::from_utf8(bytes).map_err(|error| {
            let good = &error.as_bytes()[..error.utf8_error().valid_up_to()];
            let line = good.iter().filter(|&&byte| byte == b'\n').count() + 1;
            InputError::new(format!("{name}, line {line}: not text: not valid UTF-8"))
                .help("expected a CSV file of requests")
        })?;
        let text = text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text);
        Ok((Self::read(&name, &text)?, text))
    }
}

struct List<'a> {
    name: &'a str,
    text: &'a str,
}

/// A line that is not blank.
struct Line<'a> {
    number: usize,
    start: usize,
    text: &'a str,
    fields: Vec<Field<'a>>,
}

struct Field<'a> {
    value: Cow<'a, str>,
    span: Range<usize>,
}

impl<'a> List<'a> {
    fn lines(&self) -> impl Iterator<Item = Line<'a>> {
        let mut start = 0;
        let lines = self.text.split_inclusive('\n').enumerate().map(move |(index, whole)| {
            let text = whole.trim_end_matches(['\n', '\r']);
            let line = Line { number: index + 1, start, text, fields: fields(text, start) };
            start += whole.len();
            line
        });
        lines.filter(|line| !line.text.trim().is_empty())
    }

    /// For each of [`COLUMNS`] its place in a line, and the number of all columns.
    fn columns(&self, header: &Line<'_>) -> Result<([usize; COLUMNS.len()], usize), InputError> {
        let mut places = [0; COLUMNS.len()];
        for (place, (column, _)) in places.iter_mut().zip(COLUMNS) {
            let mut named =
                (0..header.fields.len()).filter(|&field| header.fields[field].value == column);
            *place = named.next().ok_or_else(|| {
                let message = self.message(header, &format!("the column `{column}` is missing"));
                let whole = header.start..header.start + header.text.len();
                self.at(message, whole, "the columns")
                    .help(format!("expected the columns {}", names()))
            })?;
            if let Some(again) = named.next() {
                let message =
                    self.message(header, &format!("the column `{column}` is there twice"));
                let span = header.fields[again].span.clone();
                return Err(self.at(message, span, "again").help("expected each column once"));
            }
        }
        Ok((places, header.fields.len()))
    }

    fn request(
        &self,
        line: &Line<'a>,
        (places, count): &([usize; COLUMNS.len()], usize),
    ) -> Result<(Cow<'a, str>, LineRequest), InputError> {
        if line.fields.len() != *count {
            let found = line.fields.len();
            let message =
                self.message(line, &format!("{found} fields, the first line has {count}"));
            let span = if found > *count {
                line.fields[*count].span.start..line.start + line.text.len()
            } else {
                let end = line.start + line.text.len();
                end..end
            };
            let label = if found > *count { "left over" } else { "the line ends here" };
            return Err(self.at(message, span, label).help(format!("expected {count} fields")));
        }
        let refused = |which: usize| self.refused(line, places[which], COLUMNS[which]);
        let value = |which: usize| line.fields[places[which]].value.trim();
        let number = |which: usize| whole(value(which), 10).ok_or_else(|| refused(which));
        if value(0).is_empty() {
            return Err(refused(0));
        }
        let id = number(ID)?;
        let arrive_cycle = number(2)?;
        if arrive_cycle > LAST_ARRIVAL {
            return Err(refused(2));
        }
        let digits = value(3);
        let bare = digits.strip_prefix("0x").or(digits.strip_prefix("0X")).unwrap_or(digits);
        let address = whole(bare, 16).ok_or_else(|| refused(3))?;
        let write = match value(4) {
            "R" | "r" => false,
            "W" | "w" => true,
            _ => return Err(refused(4)),
        };
        let address_span = line.fields[places[3]].span.clone();
        let case = line.fields[places[0]].value.clone();
        Ok((case, LineRequest { id, arrive_cycle, address, write, address_span }))
    }

    /// The field in `place` of `line` is not what its column must hold.
    fn refused(
        &self,
        line: &Line<'_>,
        place: usize,
        (column, expected): (&str, &str),
    ) -> InputError {
        let Field { value, span } = &line.fields[place];
        let message = self.message(line, &format!("`{column}` is `{value}`"));
        self.at(message, span.clone(), column).help(format!("expected {expected}"))
    }

    fn message(&self, line: &Line<'_>, what: &str) -> String {
        format!("{}, line {}: {what}", self.name, line.number)
    }

    fn at(&self, message: String, span: Range<usize>, label: &str) -> InputError {
        InputError::new(message).at(self.name, self.text, span, label)
    }
}

/// The number of these digits; unlike `parse`, a sign is none of them.
fn whole(digits: &str, radix: u32) -> Option<u64> {
    if !digits.chars().all(|digit| digit.is_digit(radix)) {
        return None;
    }
    u64::from_str_radix(digits, radix).ok()
}

/// The fields of a line that begins at byte `start`: separated by commas, in double quotes where a
/// field holds commas itself.
fn fields(line: &str, start: usize) -> Vec<Field<'_>> {
    let mut fields = Vec::new();
    let mut from = 0;
    let mut quoted = false;
    let commas = line.char_indices().filter(|&(_, c)| {
        quoted ^= c == '"';
        c == ',' && !quoted
    });
    for to in commas.map(|(at, _)| at).chain([line.len()]) {
        let text = &line[from..to];
        let inner = text.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
        let value = match inner {
            Some(inner) => Cow::Owned(inner.replace("\"\"", "\"")),
            None => Cow::Borrowed(text),
        };
        fields.push(Field { value, span: start + from..start + to });
        from = to + 1;
    }
    fields
}

fn names() -> String {
    COLUMNS.map(|(name, _)| name).join(", ")
}
