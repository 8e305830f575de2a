//! GTKWave's save file.

use super::{Marker, Section, Shown, Trace, View};
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// Flags of a trace, one bit each: right-justified (0x20), and binary, decimal, hexadecimal or
/// ASCII; with a filter file, 0x2000.
const BINARY: &str = "@28";
const DECIMAL: &str = "@24";
const HEXADECIMAL: &str = "@22";
const TEXT: &str = "@820";
const FILTERED: &str = "@2028";
/// A group; on both of its lines 0x400000 says that it is closed.
const OPEN: [&str; 2] = ["@800200", "@1000200"];
const CLOSED: [&str; 2] = ["@c00200", "@1401200"];

/// GTKWave names its markers A to Z.
const MARKERS: usize = 26;

/// In which the whole dump is shown at first: GTKWave counts in frames of 200 pixels.
const FRAMES: f64 = 4.8;

/// The save file of a dump, which shows `cycles` at first, and the filter files that it refers to.
pub fn files(dump: &Path, view: &View, cycles: &Range<u64>) -> Vec<(PathBuf, String)> {
    let name = dump.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let stem = dump.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    // GTKWave finds the dump and the filters beside the save file, from whatever folder it is
    // started in, only when the save file says its own name too.
    let text = format!(
        "[*] {}\n[dumpfile] \"{name}\"\n[savefile] \"{stem}.gtkw\"\n[timestart] {}\n[size] 1400 900\n\
         {}[sst_expanded] 0\n[signals_width] 330\n",
        view.title,
        cycles.start,
        markers(&view.markers, cycles),
    );
    let mut writer = Writer { dump, stem, text, filters: BTreeMap::new(), files: Vec::new() };
    for section in &view.sections {
        writer.section(section);
    }
    let mut files = vec![(dump.with_extension("gtkw"), writer.text)];
    files.extend(writer.files);
    files
}

/// The line of the zoom and the markers, and their names. A zoom of `-z` is `2^z` cycles a frame.
fn markers(markers: &[Marker], cycles: &Range<u64>) -> String {
    let length = (cycles.end - cycles.start).max(1) as f64;
    let mut line = format!("*{:.6} -1", (FRAMES / length).log2().min(0.0));
    let shown = &markers[..markers.len().min(MARKERS)];
    for at in 0..MARKERS {
        let cycle = shown.get(at).map_or("-1".to_owned(), |marker| marker.cycle.to_string());
        line += &format!(" {cycle}");
    }
    line.push('\n');
    for (letter, marker) in ('A'..='Z').zip(shown) {
        line += &format!("[markername] {letter}{}\n", marker.name);
    }
    line
}

struct Writer<'a> {
    dump: &'a Path,
    stem: String,
    text: String,
    /// The filter file of each set of names of that many bits.
    filters: BTreeMap<(u32, &'a BTreeMap<u64, String>), String>,
    files: Vec<(PathBuf, String)>,
}

impl<'a> Writer<'a> {
    fn section(&mut self, section: &'a Section) {
        let [begin, end] = if section.is_open { OPEN } else { CLOSED };
        let named = !section.name.is_empty();
        if named {
            self.text += &format!("{begin}\n-{}\n", section.name);
        }
        for trace in &section.traces {
            self.trace(trace);
        }
        for section in &section.sections {
            self.section(section);
        }
        if named {
            self.text += &format!("{end}\n-{}\n", section.name);
        }
    }

    fn trace(&mut self, trace: &'a Trace) {
        let flags = match &trace.shown {
            Shown::Binary => BINARY.to_owned(),
            Shown::Decimal => DECIMAL.to_owned(),
            Shown::Hexadecimal => HEXADECIMAL.to_owned(),
            Shown::Text => TEXT.to_owned(),
            Shown::Names(names) => format!("{FILTERED}\n^1 {}", self.filter(trace.width, names)),
        };
        let alias = match trace.label.as_str() {
            "" => String::new(),
            label => format!("+{{{label}}} "),
        };
        self.text += &format!("{flags}\n{alias}{}\n", trace.path);
    }

    /// GTKWave looks values up as they are shown: in binary.
    fn filter(&mut self, width: u32, names: &'a BTreeMap<u64, String>) -> String {
        if let Some(file) = self.filters.get(&(width, names)) {
            return file.clone();
        }
        let file = format!("{}.enum{}.txt", self.stem, self.filters.len());
        let line = |(number, name)| format!("{number:0width$b} {name}\n", width = width as usize);
        self.files.push((self.dump.with_file_name(&file), names.iter().map(line).collect()));
        self.filters.insert((width, names), file.clone());
        file
    }
}
