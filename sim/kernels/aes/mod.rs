//! `aes`: states encrypted or decrypted with one key, once.

mod cipher;
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
use cipher::Cipher;
pub use options::AesOptions;

/// Threads of a block, each with a column of four bytes.
const BLOCK: u32 = 256;

/// The host program.
pub struct Aes {
    machine: Rc<Machine>,
    cipher: Cipher,
    decrypts: bool,
    input: Array,
    output: Array,
}

impl Aes {
    /// Before its launch, with key and states drawn from `seed`.
    ///
    /// # Errors
    /// When there is no memory for them.
    pub fn new(options: &AesOptions, seed: u64, _mode: LaunchMode) -> Result<Self, InputError> {
        let machine = machine("aes/aes.ptx", include_str!("aes.ptx"));
        let mut draw = Draw::new(seed);
        let cipher = Cipher::new(std::array::from_fn(|_| draw.word() as u8));
        let input = Array::new(&machine, draw.words(4 * options.states))?;
        let output = Array::zeros(&machine, 4 * options.states)?;
        Ok(Self { machine, cipher, decrypts: options.direction == 1, input, output })
    }

    fn set_constant(&self, name: &str, words: &[u32]) {
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        assert!(self.machine.set_constant(name, &bytes), "the module has room for {name}");
    }
}

impl HostProgram for Aes {
    fn start(&mut self) -> Vec<HostLaunch> {
        self.set_constant("aes_keys", &self.cipher.round_keys(self.decrypts));
        self.set_constant("aes_tables", &self.cipher.tables(self.decrypts));
        let kernel = if self.decrypts { "aes_decrypt" } else { "aes_encrypt" };
        let columns = self.input.given().len() as u32;
        let arguments =
            Arguments::new().long(self.input.address()).long(self.output.address()).word(columns);
        let extents = (line(columns.div_ceil(BLOCK)), line(BLOCK));
        launch(&self.machine, kernel, extents, arguments, 0)
    }

    fn kernel_finished(&mut self, _name: &str, _instance: u32, _cycle: u64) -> Vec<HostLaunch> {
        Vec::new()
    }

    fn verify(&mut self) -> Result<(), String> {
        let bytes: Vec<u8> = self.input.given_bytes().collect();
        let states = bytes.as_chunks::<16>().0.iter().map(|&state| {
            if self.decrypts {
                self.cipher.decrypt(state)
            } else {
                self.cipher.encrypt(state)
            }
        });
        let expected: Vec<u32> = states
            .flat_map(|state| state.as_chunks::<4>().0.to_vec())
            .map(u32::from_le_bytes)
            .collect();
        compare::words(&self.output, &expected, |at| {
            format!("aes: column {} of state {}", at % 4, at / 4)
        })
    }
}

impl Computation for Aes {
    fn machine(&self) -> &Rc<Machine> {
        &self.machine
    }

    fn results(&self) -> Vec<Range<u64>> {
        vec![self.output.range()]
    }
}
