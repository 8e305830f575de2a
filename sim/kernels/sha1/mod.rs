//! `sha1`: the digests of many messages, once.

mod digest;
mod options;

use std::ops::Range;
use std::rc::Rc;

use blockyard_contract::diagnostic::InputError;
use blockyard_contract::port::LaunchMode;
use blockyard_gpu::host::{HostLaunch, HostProgram};
use blockyard_ptx::{Arguments, Machine};

use crate::array::Array;
use crate::compare;
use crate::draw::Draw;
use crate::launch::{launch, line, machine, Computation};
use digest::digest;
pub use options::Sha1Options;

/// Words of a chunk, and of a digest.
const CHUNK: u32 = 16;
const DIGEST: usize = 5;

/// The host program.
pub struct Sha1 {
    machine: Rc<Machine>,
    options: Sha1Options,
    messages: Array,
    digests: Array,
}

impl Sha1 {
    /// Before its launch, with messages drawn from `seed`.
    ///
    /// # Errors
    /// When there is no memory for them.
    pub fn new(options: &Sha1Options, seed: u64, _mode: LaunchMode) -> Result<Self, InputError> {
        let machine = machine("sha1/sha1.ptx", include_str!("sha1.ptx"));
        let Sha1Options { messages, chunks, .. } = *options;
        let words = Draw::new(seed).words(messages * chunks * CHUNK);
        let messages = Array::new(&machine, words)?;
        let digests = Array::zeros(&machine, options.messages * DIGEST as u32)?;
        Ok(Self { machine, options: *options, messages, digests })
    }
}

impl HostProgram for Sha1 {
    fn start(&mut self) -> Vec<HostLaunch> {
        let Sha1Options { messages, chunks, block } = self.options;
        let arguments = Arguments::new()
            .long(self.messages.address())
            .long(self.digests.address())
            .word(messages)
            .word(chunks);
        let extents = (line(messages.div_ceil(block)), line(block));
        launch(&self.machine, "sha1", extents, arguments, 0)
    }

    fn kernel_finished(&mut self, _name: &str, _instance: u32, _cycle: u64) -> Vec<HostLaunch> {
        Vec::new()
    }

    fn verify(&mut self) -> Result<(), String> {
        let length = (self.options.chunks * CHUNK) as usize;
        let given = self.messages.given();
        let of = |number: usize| {
            let words = given[number * length..][..length].iter();
            digest(&words.flat_map(|word| word.to_be_bytes()).collect::<Vec<_>>())
        };
        let expected: Vec<u32> = (0..self.options.messages as usize).flat_map(of).collect();
        compare::shown(
            &self.digests,
            &expected,
            |at| format!("sha1: word {} of the digest of message {}", at % DIGEST, at / DIGEST),
            |word| format!("{word:#010x}"),
        )
    }
}

impl Computation for Sha1 {
    fn machine(&self) -> &Rc<Machine> {
        &self.machine
    }

    fn results(&self) -> Vec<Range<u64>> {
        vec![self.digests.range()]
    }
}
