//! The kernels as a program of the CPU; `blockyard_cpu_main.h` has the format of its files.

use std::fs;
use std::path::Path;
use std::process::Command;

use tempfile::TempDir;

use crate::case::{Argument, Case};
use crate::support::{folder, kernels, succeed};

/// All kernels in one program: what takes the compiler long are the library's headers.
pub struct Driver(TempDir);

impl Driver {
    /// Compiles all kernels in the launch mode of that number; their PTX ends in one of `ends`.
    pub fn new(compiler: &Path, mode: &str, ends: &[&str]) -> Self {
        let (mut source, mut entries) = (String::new(), Vec::new());
        for kernel in kernels() {
            let paths = ends.iter().map(|end| folder().join(format!("{kernel}/{kernel}{end}")));
            let Some(ptx) = paths.into_iter().find_map(|path| fs::read_to_string(path).ok()) else {
                continue;
            };
            source += &format!("#include \"{kernel}/{kernel}.cu\"\n");
            let entry =
                |line: &str| Some(line.split_once(".entry ")?.1.split_once('(')?.0.to_owned());
            entries.extend(ptx.lines().filter_map(entry));
            for constant in ptx.lines().filter_map(constant) {
                source += &setter(constant);
                entries.push(format!("set_{constant}"));
            }
        }
        source += "#include \"blockyard_cpu_main.h\"\n";
        source += &format!("BLOCKYARD_CPU_MAIN({})\n", entries.join(", "));

        let place = tempfile::tempdir().expect("a folder");
        let file = place.path().join("driver.cpp");
        fs::write(&file, source).expect("a writable folder");
        let mut command = Command::new(compiler);
        command.args(["-x", "c++", "-std=c++17", "-O1"]).arg(format!("-DBLOCKYARD_LAUNCH={mode}"));
        command.arg("-I").arg(folder()).arg("-I").arg(folder().join("include"));
        succeed(command.arg("-o").arg(place.path().join("driver")).arg(file));
        Self(place)
    }

    /// What the kernels leave in the buffers; `order` decides on that of threads, blocks and
    /// launches.
    pub fn run(&self, case: &Case, order: u32) -> Vec<Vec<u32>> {
        let file = |name| self.0.path().join(name);
        fs::write(file("input"), written(case, order)).expect("a writable folder");
        succeed(Command::new(file("driver")).args([file("input"), file("output")]));
        let bytes = fs::read(file("output")).expect("what it has written");
        let (count, mut rest) = bytes.split_first_chunk().expect("the number of buffers");
        let mut buffers = Vec::new();
        for _ in 0..u32::from_le_bytes(*count) {
            let (length, contents) = rest.split_first_chunk().expect("a length");
            let contents = contents.split_at(u64::from_le_bytes(*length) as usize);
            let words = contents.0.as_chunks().0.iter().map(|&word| u32::from_le_bytes(word));
            buffers.push(words.collect());
            rest = contents.1;
        }
        assert!(rest.is_empty(), "{} bytes follow", rest.len());
        buffers
    }
}

/// The constant variable that a line of PTX declares for the host, if it does.
fn constant(line: &str) -> Option<&str> {
    let declared = line.strip_prefix(".visible .const ")?;
    declared.split_once('[')?.0.rsplit(' ').next()
}

/// A function that is called as a kernel is, and does what the host does to a constant variable.
fn setter(constant: &str) -> String {
    format!(
        "extern \"C\" void set_{constant}(const uint32_t *from, uint32_t words) {{\n    \
         memcpy((void *)&{constant}, from, 4 * words);\n}}\n"
    )
}

/// The driver's input.
fn written(case: &Case, order: u32) -> Vec<u8> {
    let mut bytes = b"BYCPU001".to_vec();
    append(&mut bytes, &[order, case.buffers.len() as u32]);
    for buffer in &case.buffers {
        append(&mut bytes, &[4 * buffer.len() as u32, 0]);
        append(&mut bytes, buffer);
    }
    append(&mut bytes, &[case.calls.len() as u32]);
    for call in &case.calls {
        let name = format!("{}{}", if call.sets_constant { "set_" } else { "" }, call.kernel);
        append(&mut bytes, &[name.len() as u32]);
        bytes.extend(name.as_bytes());
        append(&mut bytes, &[call.grid[0], call.grid[1], 1, call.block[0], call.block[1], 1]);
        append(&mut bytes, &[call.arguments.len() as u32]);
        for argument in &call.arguments {
            match *argument {
                Argument::Word(word) => append(&mut bytes, &[0, 4, word]),
                Argument::Buffer(number) => append(&mut bytes, &[1, 12, number as u32, 0, 0]),
            }
        }
    }
    bytes
}

fn append(bytes: &mut Vec<u8>, words: &[u32]) {
    bytes.extend(words.iter().flat_map(|word| word.to_le_bytes()));
}
