//! The files that a run writes: whether they can be written, before it runs, and those of its
//! workload.

use crate::standard_output::give_to_a_file;
use blockyard_sim::gpu::host::Products;
use blockyard_sim::input::is_standard;
use blockyard_sim::output;
use miette::{miette, Result};
use std::path::{Path, PathBuf};

/// The file that an option names.
#[derive(Clone, Debug)]
pub struct Named {
    /// The option, with its dashes.
    pub option: &'static str,
    /// Its value.
    pub path: PathBuf,
}

/// The file at `path`, if the option is given.
pub fn named(option: &'static str, path: Option<impl AsRef<Path>>) -> Option<Named> {
    path.map(|path| Named { option, path: path.as_ref().to_owned() })
}

/// The dump that `--wave` names, and the views beside it, if it is a file.
pub fn dump_with_views(wave: Option<&Path>) -> Vec<Named> {
    let file = wave.filter(|wave| !is_standard(wave));
    let file = file.filter(|wave| wave.metadata().map_or(true, |there| there.is_file()));
    let view = |kind| {
        let view = file.map(|file| file.with_extension(kind));
        named("a view of --wave", view.filter(|view| Some(&**view) != wave))
    };
    [named("--wave", wave), view("gtkw"), view("sucl")].into_iter().flatten().collect()
}

/// Checks that every file of `written` can be written, that no two of them are the same, and that
/// none is one of those that are `read`. If one is `-`, what is printed goes to standard error from
/// now on.
///
/// # Errors
/// The first that cannot be, with the path.
pub fn check(written: &[Named], read: &[Named]) -> Result<()> {
    distinct(written, read)?;
    written.iter().try_for_each(|named| probe(&named.path))?;
    give_standard(written);
    Ok(())
}

/// Has nothing else go to standard output, if one of `written` is to go there.
pub fn give_standard(written: &[Named]) {
    if written.iter().any(|named| is_standard(&named.path)) {
        give_to_a_file();
    }
}

/// Whether the file at `path` can be written.
///
/// # Errors
/// It cannot.
pub fn probe(path: &Path) -> Result<()> {
    Ok(output::probe(path).map_err(|error| output::unwritable(path, &error))?)
}

/// Checks that no two files of `written` are the same, and that none is one of those that are
/// `read`.
///
/// # Errors
/// The first that is, with the path.
pub fn distinct(written: &[Named], read: &[Named]) -> Result<()> {
    for (index, named) in written.iter().enumerate() {
        let read = read.iter().filter(|named| !is_standard(&named.path));
        let mut others = written[..index].iter().chain(read);
        let shared = |other: &&Named| is_shared(&other.path, &named.path);
        if let Some(other) = others.find(shared) {
            return Err(miette!(
                help = "expected a file for each",
                "{} and {} are both {}",
                other.option,
                named.option,
                named.path.display()
            ));
        }
    }
    Ok(())
}

/// Whether two paths are of one file. What is no file, as `/dev/null`, may be written by many.
fn is_shared(one: &Path, other: &Path) -> bool {
    if is_standard(one) || is_standard(other) {
        return one == other;
    }
    let special = |path: &Path| path.metadata().is_ok_and(|there| !there.is_file());
    place(one) == place(other) && !special(one)
}

/// Where the path leads, with everything resolved but the last name, which need not exist yet.
fn place(path: &Path) -> PathBuf {
    let path = output::target(path).unwrap_or_else(|_| path.to_owned());
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    let resolved = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    resolved.join(path.file_name().unwrap_or_default())
}

/// Writes the files of the workload.
///
/// # Errors
/// The first that cannot be written.
pub fn write_products(products: &Products) -> Result<()> {
    for (path, contents) in &products.files {
        output::write_file(path, |out| out.write_all(contents))?;
    }
    Ok(())
}
