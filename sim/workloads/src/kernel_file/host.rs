//! The host program that a file describes.

use std::rc::Rc;

use blockyard_ptx::{Launch, Machine};

use super::argument::Now;
use super::launch::{LaunchSpec, Repeat, Step};
use super::{contents, KernelFile};
use crate::diagnostic::InputError;
use crate::gpu::host::{HostLaunch, HostProgram, Products};
use crate::port::Dim3;

/// The stream of resident kernels: no other one waits behind them.
const RESIDENT_STREAM: u32 = 1 << 31;

/// See the module.
pub struct KernelHost {
    file: Rc<KernelFile>,
    machine: Rc<Machine>,
    /// Where each buffer is now.
    addresses: Vec<u64>,
    /// The handle of each texture.
    textures: Vec<u64>,
    /// The step that is next, or whose rounds run.
    next: usize,
    /// Rounds of it that have begun.
    rounds: u32,
    /// Turns of the last of these that have begun.
    turns: usize,
    /// Why it has ended early.
    failure: Option<String>,
}

impl KernelHost {
    /// The program of `file` on a machine of its own; `seed` decides what is drawn.
    ///
    /// # Errors
    /// When there is no memory for a buffer, or the module has no such variable or texture.
    pub fn new(file: Rc<KernelFile>, seed: u64) -> Result<Self, InputError> {
        let machine = Machine::new(Rc::clone(&file.program));
        let mut addresses = Vec::new();
        for buffer in &file.buffers {
            let address = machine.allocate(buffer.bytes()).ok_or_else(|| {
                let message = format!("no room for buffer `{}`", buffer.name);
                file.source.error(&buffer.span, message, "expected less in all")
            })?;
            machine.write(address, &buffer.initial(seed));
            addresses.push(address);
        }
        for variable in &file.variables {
            let bytes = variable.initial(seed);
            let set = match machine.variable(&variable.name) {
                Some((address, room)) => {
                    bytes.len() as u64 <= room && machine.write(address, &bytes)
                }
                None => machine.set_constant(&variable.name, &bytes),
            };
            if !set {
                let message = format!("`{}` cannot be set to {} bytes", variable.name, bytes.len());
                let expected = "expected a variable of the module that has as many";
                return Err(file.source.error(&variable.span, message, expected));
            }
        }
        let textures = file.textures.iter();
        let textures = textures.map(|spec| machine.texture_object(spec.texture)).collect();
        let (next, rounds, turns, failure) = (0, 0, 0, None);
        let host = Self { file, machine, addresses, textures, next, rounds, turns, failure };
        host.bind()?;
        Ok(host)
    }

    /// The machine in whose memory the kernels compute.
    pub fn machine(&self) -> &Rc<Machine> {
        &self.machine
    }

    /// Binds the textures to where the buffers are.
    fn bind(&self) -> Result<(), InputError> {
        for (number, spec) in self.file.textures.iter().enumerate() {
            let mut texture = spec.texture;
            texture.address = self.addresses[spec.buffer];
            self.machine.set_texture_object(self.textures[number], texture);
            if !self.machine.bind(&spec.name, texture) && !self.file.passes(number) {
                let message = format!("the module has no texture `{}`", spec.name);
                let expected = "expected a .texref of the module, or an argument with it";
                return Err(self.file.source.error(&spec.span, message, expected));
            }
        }
        Ok(())
    }

    /// What is launched in `cycle`, when everything before has finished.
    fn advance(&mut self, cycle: u64) -> Vec<HostLaunch> {
        let file = Rc::clone(&self.file);
        while let Some(step) = file.steps.get(self.next) {
            let mut flag = None;
            let launches = match step {
                Step::Launches(launches) => {
                    self.next += 1;
                    launches
                }
                Step::Repeat(repeat) => {
                    if self.rounds == 0 || self.turns == repeat.turns.len() {
                        if self.is_over(repeat) {
                            self.next += 1;
                            self.rounds = 0;
                            continue;
                        }
                        if self.failure.is_some() {
                            return Vec::new();
                        }
                        flag = repeat.until_zero;
                        self.rounds += 1;
                        self.turns = 0;
                    }
                    self.turns += 1;
                    &repeat.turns[self.turns - 1]
                }
            };
            let _ = self.bind();
            // What is read is read before anything is written.
            let read: Vec<_> = launches.iter().map(|spec| self.read(spec)).collect();
            if let Some(flag) = flag {
                self.machine.write(self.addresses[flag], &[0; 4]);
            }
            launches.iter().for_each(|spec| self.write(spec));
            let launches = launches.iter().zip(read);
            let launched: Vec<HostLaunch> =
                launches.filter_map(|(spec, read)| self.launch(spec, read, cycle)).collect();
            // Where no grid has a block, the next ones begin.
            if !launched.is_empty() || self.failure.is_some() {
                return launched;
            }
        }
        Vec::new()
    }

    /// The parameters and the extent that `spec` is given now.
    fn read(&self, spec: &LaunchSpec) -> (Vec<u8>, Result<Option<Dim3>, String>) {
        let word = |buffer: usize| {
            let bytes = self.machine.read(self.addresses[buffer], 4);
            bytes.and_then(|bytes| bytes.try_into().ok()).map_or(0, u32::from_le_bytes)
        };
        let (addresses, textures) = (&self.addresses, &self.textures);
        let now = Now { addresses, textures, round: self.rounds.saturating_sub(1) };
        (spec.arguments.at(&now, word), spec.grid.at(word))
    }

    /// Writes what `spec` says before it is launched.
    fn write(&self, spec: &LaunchSpec) {
        for &buffer in &spec.zero {
            let bytes = self.file.buffers[buffer].bytes();
            self.machine.write(self.addresses[buffer], &vec![0; bytes as usize]);
        }
        for write in &spec.writes {
            self.machine.write(self.addresses[write.buffer] + write.offset, &write.bytes);
        }
    }

    /// Whether the round before was the last one; ends it.
    fn is_over(&mut self, repeat: &Repeat) -> bool {
        if self.rounds == 0 {
            return false;
        }
        if let Some([one, other]) = repeat.swap {
            self.addresses.swap(one, other);
        }
        let all = self.rounds >= repeat.rounds;
        let Some(flag) = repeat.until_zero else { return all };
        let word = self.machine.read(self.addresses[flag], 4);
        if word.is_some_and(|word| word == [0; 4]) {
            return true;
        }
        if all {
            let name = &self.file.buffers[flag].name;
            let rounds = self.rounds;
            self.failure = Some(format!("buffer `{name}` is not zero after {rounds} rounds"));
        }
        false
    }

    fn launch(
        &mut self,
        spec: &LaunchSpec,
        (parameters, grid): (Vec<u8>, Result<Option<Dim3>, String>),
        cycle: u64,
    ) -> Option<HostLaunch> {
        if spec.resident {
            let launch =
                self.machine.launch_without_blocks(&spec.kernel, spec.block, cycle).ok()?;
            return Some(HostLaunch { stream: RESIDENT_STREAM, resident: true, ..launch });
        }
        let grid = match grid {
            Ok(grid) => grid?,
            Err(failure) => {
                self.failure = Some(format!("kernel `{}`: {failure}", spec.kernel));
                return None;
            }
        };
        let launch =
            Launch { grid, block: spec.block, shared_memory: spec.shared_memory, parameters };
        match self.machine.launch_in_clusters(&spec.kernel, launch, spec.cluster, cycle) {
            Ok(mut launch) => {
                launch.stream = spec.stream;
                launch.overlap.dependent = spec.dependent.is_some();
                Some(launch)
            }
            Err(error) => {
                self.failure = Some(error.to_string());
                None
            }
        }
    }

    fn bytes(&self, buffer: usize) -> Vec<u8> {
        let bytes = self.file.buffers[buffer].bytes();
        self.machine.read(self.addresses[buffer], bytes).unwrap_or_default()
    }
}

impl HostProgram for KernelHost {
    fn start(&mut self) -> Vec<HostLaunch> {
        self.advance(0)
    }

    fn kernel_finished(&mut self, _name: &str, _instance: u32, _cycle: u64) -> Vec<HostLaunch> {
        Vec::new()
    }

    fn all_finished(&mut self, cycle: u64) -> Vec<HostLaunch> {
        self.advance(cycle + 1)
    }

    fn products(&mut self) -> Products {
        let file = |output: &super::Output| {
            let element = self.file.buffers[output.buffer].element;
            let contents = contents::written(&output.path, element, &self.bytes(output.buffer));
            (output.path.clone(), contents)
        };
        let files = self.file.outputs.iter().map(file).collect();
        Products { printed: self.machine.take_printed(), files }
    }

    fn verify(&mut self) -> Result<(), String> {
        if let Some(failure) = &self.failure {
            return Err(failure.clone());
        }
        for expectation in &self.file.expectations {
            let buffer = &self.file.buffers[expectation.buffer];
            expectation.compare(buffer, &self.bytes(expectation.buffer))?;
        }
        Ok(())
    }
}
