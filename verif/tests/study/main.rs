//! `blockyard study`: axes, constraints, one row a run, and nothing lost or made twice.

#[path = "../cli/command.rs"]
mod command;

mod axes;
mod bad_use;
mod cluster;
mod compare;
mod flags;
mod interrupt;
mod resume;
mod search;

use command::Place;

/// A study of five runs that take a blink: a scenario with blocks of some cycles.
const STUDY: &str = "\
baseline = { scheduler = \"rr\" }
[axes]
scheduler = [\"rr\", \"rr+claso(pa={pa},pl={pl})\"]
pa = { from = 1, to = 2 }
pl = [0, 10]
gpu = \"c2050\"
scenario = \"s.toml\"
";

const SCENARIO: &str = "[gpu]\nsmx = 2\n[[kernel]]\nname = \"A\"\ngrid = [9, 1, 1]\n\
    block = [32, 1, 1]\nduration = 100\n";

/// A folder with a study in `t.toml`.
fn place(study: &str) -> Place {
    let place = Place::new();
    place.write("s.toml", SCENARIO);
    place.write("t.toml", study);
    place
}

/// A table, by row and column.
struct Table {
    header: csv::StringRecord,
    rows: Vec<csv::StringRecord>,
}

impl Table {
    fn of(place: &Place, path: &str) -> Self {
        let mut reader = csv::Reader::from_path(place.file(path)).expect("a table");
        let header = reader.headers().expect("a header").clone();
        Self { header, rows: reader.records().map(|row| row.expect("a row")).collect() }
    }

    fn column(&self, name: &str) -> Vec<String> {
        let place = self.header.iter().position(|column| column == name).expect("a column");
        self.rows.iter().map(|row| row[place].to_owned()).collect()
    }
}
