//! GTKWave's save file.

use crate::read::DumpSignal;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Flags of a trace: one bit as binary, words as hexadecimal, with a filter file.
const BINARY: &str = "@28";
const HEXADECIMAL: &str = "@22";
const FILTERED: &str = "@2028";
const GROUP_BEGIN: &str = "@800200";
const GROUP_END: &str = "@1000200";

/// Modules down to this depth start open; the ones below are there, closed.
const OPEN_DEPTH: usize = 2;

/// The save file of a dump and the filter files that it refers to.
pub fn files(dump: &Path, signals: &[DumpSignal]) -> Vec<(PathBuf, String)> {
    let name = dump.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let stem = dump.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let mut filters: BTreeMap<&BTreeMap<u64, String>, String> = BTreeMap::new();
    let mut files = Vec::new();
    for signal in signals.iter().filter(|signal| !signal.names.is_empty()) {
        if !filters.contains_key(&signal.names) {
            let file = format!("{stem}.enum{}.txt", filters.len());
            files.push((dump.with_file_name(&file), filter(signal)));
            filters.insert(&signal.names, file);
        }
    }
    // GTKWave finds the dump and the filters beside the save file, from whatever folder it is
    // started in, only when the save file says its own name too.
    let mut text = format!(
        "[*] Blockyard\n[dumpfile] \"{name}\"\n[savefile] \"{stem}.gtkw\"\n[timestart] 0\n"
    );
    let mut open: Vec<&str> = Vec::new();
    for signal in signals {
        let modules: Vec<&str> = match signal.path.rsplit_once('.') {
            Some((scope, _)) => scope.split('.').collect(),
            None => Vec::new(),
        };
        move_to(&mut open, &modules, &mut text);
        text += &trace(signal, filters.get(&signal.names).map(String::as_str));
    }
    move_to(&mut open, &[], &mut text);
    files.insert(0, (dump.with_extension("gtkw"), text));
    files
}

/// Ends and begins groups so that those of `modules` are open.
fn move_to<'a>(open: &mut Vec<&'a str>, modules: &[&'a str], text: &mut String) {
    let common = open.iter().zip(modules).take_while(|(a, b)| a == b).count();
    while open.len() > common {
        *text += &format!("{}\n-{}\n", closing(open.len()), open.join("."));
        open.pop();
    }
    for module in &modules[common..] {
        open.push(module);
        *text += &format!("{}\n-{}\n", opening(open.len()), open.join("."));
    }
}

/// A closed group has the flag 0x400000... of GTKWave set on both of its lines.
fn opening(depth: usize) -> &'static str {
    if depth <= OPEN_DEPTH {
        GROUP_BEGIN
    } else {
        "@c00200"
    }
}

fn closing(depth: usize) -> &'static str {
    if depth <= OPEN_DEPTH {
        GROUP_END
    } else {
        "@1401200"
    }
}

fn trace(signal: &DumpSignal, filter: Option<&str>) -> String {
    match filter {
        Some(file) => format!("{FILTERED}\n^1 {file}\n{}\n", signal.path),
        None if signal.width == 1 => format!("{BINARY}\n{}\n", signal.path),
        None => format!("{HEXADECIMAL}\n{}\n", signal.path),
    }
}

/// GTKWave looks values up as they are shown: in binary.
fn filter(signal: &DumpSignal) -> String {
    let width = signal.width as usize;
    signal.names.iter().map(|(number, name)| format!("{number:0width$b} {name}\n")).collect()
}
