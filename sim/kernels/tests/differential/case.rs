//! Launches of kernels on buffers, and running them as PTX.

use std::fs;
use std::path::Path;

use blockyard_contract::diagnostic::rendered;
use blockyard_contract::port::Dim3;
use blockyard_ptx::{functional, Arguments, Launch, Machine};

/// An argument of a kernel.
#[derive(Clone, Copy, Debug)]
pub enum Argument {
    /// A pointer to the begin of the buffer with that number.
    Buffer(usize),
    /// A word of 32 bits.
    Word(u32),
}

/// A launch, or what the host does between two.
#[derive(Clone, Debug)]
pub struct Call {
    pub kernel: &'static str,
    /// No launch: the first buffer, of as many words as the second argument says, becomes the begin
    /// of the constant variable `kernel`.
    pub sets_constant: bool,
    pub grid: [u32; 2],
    pub block: [u32; 2],
    pub arguments: Vec<Argument>,
}

impl Call {
    /// With the first `buffers` buffers and these words.
    pub fn new(
        kernel: &'static str,
        grid: [u32; 2],
        block: [u32; 2],
        buffers: impl IntoIterator<Item = usize>,
        words: &[u32],
    ) -> Self {
        let buffers = buffers.into_iter().map(Argument::Buffer);
        let arguments = buffers.chain(words.iter().map(|&word| Argument::Word(word))).collect();
        Self { kernel, sets_constant: false, grid, block, arguments }
    }

    /// The host puts the words of a buffer, as many as it has, to the begin of the constant
    /// variable `name`.
    pub fn constant(name: &'static str, buffer: usize, words: u32) -> Self {
        Self { sets_constant: true, ..Self::new(name, [1, 1], [1, 1], [buffer], &[words]) }
    }
}

/// What is launched, one after the other, on which words.
#[derive(Clone, Debug)]
pub struct Case {
    pub buffers: Vec<Vec<u32>>,
    pub calls: Vec<Call>,
}

impl Case {
    /// What the PTX at `path` leaves in the buffers.
    pub fn run(&self, path: &Path) -> Vec<Vec<u32>> {
        let text = fs::read_to_string(path).expect("PTX");
        let program = blockyard_ptx::load(&path.display().to_string(), &text);
        let machine = Machine::new(program.unwrap_or_else(|error| panic!("{}", rendered(&error))));
        let place = |words: &Vec<u32>| machine.array(words).expect("room");
        let places: Vec<u64> = self.buffers.iter().map(place).collect();
        for call in &self.calls {
            if call.sets_constant {
                let [Argument::Buffer(buffer), ..] = call.arguments[..] else { panic!("{call:?}") };
                let words = self.buffers[buffer].iter();
                let bytes: Vec<u8> = words.flat_map(|word| word.to_le_bytes()).collect();
                assert!(machine.set_constant(call.kernel, &bytes), "{call:?}");
                continue;
            }
            let parameters =
                call.arguments.iter().fold(Arguments::new(), |all, argument| match *argument {
                    Argument::Buffer(number) => all.long(places[number]),
                    Argument::Word(word) => all.word(word),
                });
            let launch = Launch {
                grid: Dim3::new(call.grid[0], call.grid[1], 1),
                block: Dim3::new(call.block[0], call.block[1], 1),
                shared_memory: 0,
                parameters: parameters.into_bytes(),
            };
            let launch = machine.launch(call.kernel, launch, 0);
            let launch = launch.unwrap_or_else(|error| panic!("{}", rendered(&error)));
            let ended = functional::run(&mut vec![launch]);
            ended.unwrap_or_else(|error| panic!("{}", rendered(&error)));
        }
        let left = |(&place, words): (&u64, &Vec<u32>)| {
            machine.words(place, words.len() as u64).expect("a buffer")
        };
        places.iter().zip(&self.buffers).map(left).collect()
    }
}
