//! A study as TOML. `docs/studies.md` describes it.

mod axes;
mod check;
mod constraints;
mod search;
mod source;
mod values;

pub use source::Source;

use super::Study;
use axes::axes;
use blockyard_sim::diagnostic::InputError;
use constraints::{baseline, constraints};
use miette::Result;
use std::path::{Path, PathBuf};
use toml::de::DeTable;
use values::{flag, number, scalars, text, Field};

const KEYS: [&str; 12] = [
    "name",
    "engine",
    "baseline",
    "axes",
    "constraint",
    "search",
    "max_cycles",
    "footprint",
    "storage",
    "blocks",
    "figures",
    "max_runs",
];

impl Study {
    /// The study in the file at `path`.
    ///
    /// # Errors
    /// When it cannot be read or is no study, with line and key.
    pub fn read(path: &Path) -> Result<Self> {
        let text = std::fs::read_to_string(path)
            .map_err(|error| InputError::file("read", path, &error))?;
        let source = Source { name: path.display().to_string(), text };
        let folder = path.parent().map_or_else(PathBuf::new, Path::to_owned);
        let mut study = Self::parse(source, folder)?;
        if study.name.is_none() {
            study.name = path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
        }
        Ok(study)
    }

    /// The study that `source` describes; paths are relative to `paths`. It is to be
    /// [checked](Self::check) when it is whole.
    ///
    /// # Errors
    /// When it is no study, with line and key.
    pub fn parse(source: Source, paths: PathBuf) -> Result<Self, InputError> {
        let whole = DeTable::parse(&source.text).map_err(|error| {
            source.wrong(error.span().unwrap_or(0..0), error.message().trim_end().to_owned())
        })?;
        let mut study = Self {
            name: None,
            source: source.clone(),
            paths,
            baseline: Vec::new(),
            axes: Vec::new(),
            constraints: Vec::new(),
            search: None,
            max_cycles: None,
            footprint: false,
            storage: false,
            blocks: false,
            figures: Vec::new(),
            max_runs: None,
        };
        for field in Field::all(whole.get_ref()) {
            match field.name {
                "name" => study.name = Some(text(&source, &field)?),
                "engine" => study.axes.extend(axes(&source, [field].into())?),
                "axes" => {
                    let axes = axes(&source, Field::all(field.table(&source)?))?;
                    study.axes.splice(0..0, axes);
                }
                "baseline" => study.baseline = baseline(&source, &field)?,
                "constraint" => study.constraints = constraints(&source, &field)?,
                "search" => study.search = Some(search::search(&source, &field)?),
                "max_cycles" => study.max_cycles = Some(number(&source, &field)?),
                "max_runs" => study.max_runs = Some(number(&source, &field)?),
                "footprint" => study.footprint = flag(&source, &field)?,
                "storage" => study.storage = flag(&source, &field)?,
                "blocks" => study.blocks = flag(&source, &field)?,
                "figures" => {
                    let names = scalars(&source, &field)?.into_iter();
                    study.figures = names.map(|(name, _)| name).collect();
                }
                _ => return Err(field.unknown(&source, &KEYS)),
            }
        }
        Ok(study)
    }

    /// Adds what `text` describes: its axes take the place of those of the same name, and what else
    /// it says wins. It stands below this study's own text from then on; paths stay those of this
    /// study.
    ///
    /// # Errors
    /// As [`parse`](Self::parse).
    pub fn extend(&mut self, text: &str) -> Result<(), InputError> {
        let above = format!("{}\n# By the command line:\n", self.source.text.trim_end());
        // Spans are those of the whole text in this way.
        let blank: String =
            above.bytes().map(|byte| if byte == b'\n' { '\n' } else { ' ' }).collect();
        let padded = Source { name: self.source.name.clone(), text: blank + text };
        let other = Self::parse(padded, self.paths.clone())?;
        self.source.text = above + text;
        for axis in other.axes {
            match self.axes.iter_mut().find(|own| own.name == axis.name) {
                Some(own) => *own = axis,
                None => self.axes.push(axis),
            }
        }
        self.name = other.name.or(self.name.take());
        self.max_runs = other.max_runs.or(self.max_runs);
        self.max_cycles = other.max_cycles.or(self.max_cycles);
        if !other.baseline.is_empty() {
            self.baseline = other.baseline;
        }
        self.constraints.extend(other.constraints);
        self.search = other.search.or(self.search.take());
        self.footprint |= other.footprint;
        self.storage |= other.storage;
        self.blocks |= other.blocks;
        if !other.figures.is_empty() {
            self.figures = other.figures;
        }
        Ok(())
    }
}
