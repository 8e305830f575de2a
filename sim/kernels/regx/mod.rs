//! `regx`: regular expressions are looked for in packets, one launch. Under CDP and DTBL children
//! go on where a thread has found how a match may begin.

mod automaton;
mod options;
mod packets;
mod pattern;

use std::ops::Range;
use std::rc::Rc;

use blockyard_contract::diagnostic::InputError;
use blockyard_contract::port::LaunchMode;
use blockyard_gpu::host::{HostLaunch, HostProgram};
use blockyard_ptx::{Arguments, Machine};

use crate::array::{place, Array};
use crate::compare;
use crate::launch::{launch, line, machine, ptx, with_child, Computation};
use automaton::Automaton;
pub use options::RegxOptions;
use packets::Packets;

/// The host program.
pub struct Regx {
    machine: Rc<Machine>,
    options: RegxOptions,
    automaton: Automaton,
    packets: Packets,
    /// Addresses of the automaton's table, of the packets' bytes and of their bounds.
    inputs: [u64; 3],
    matches: Array,
}

impl Regx {
    /// Before its launch, with packets drawn from `seed`.
    ///
    /// # Errors
    /// When there is no memory for them.
    pub fn new(options: &RegxOptions, seed: u64, mode: LaunchMode) -> Result<Self, InputError> {
        let (file, text) = ptx!("regx", mode);
        let machine = machine(file, text);
        let packets = Packets::drawn(options, seed);
        let automaton = Automaton::of(Packets::patterns(options));
        let word = |bytes: &[u8]| {
            let byte = |at| u32::from(bytes.get(at).copied().unwrap_or(0));
            byte(0) | byte(1) << 8 | byte(2) << 16 | byte(3) << 24
        };
        let words: Vec<u32> = packets.bytes.chunks(4).map(word).collect();
        Ok(Self {
            inputs: [
                place(&machine, &automaton.table)?,
                place(&machine, &words)?,
                place(&machine, &packets.bounds)?,
            ],
            matches: Array::zeros(&machine, packets.bytes.len() as u32)?,
            automaton,
            packets,
            options: *options,
            machine,
        })
    }
}

impl HostProgram for Regx {
    fn start(&mut self) -> Vec<HostLaunch> {
        let RegxOptions { packets, prefix, window, threshold, block, child_block, .. } =
            self.options;
        let arguments = self.inputs.iter().fold(Arguments::new(), |all, &input| all.long(input));
        let arguments = arguments
            .long(self.matches.address())
            .word(packets)
            .word(prefix)
            .word(window)
            .word(threshold)
            .word(child_block);
        let extents = (line(packets.div_ceil(block)), line(block));
        let parents = launch(&self.machine, "regx", extents, arguments, 0);
        with_child(&self.machine, "regx_suffixes", line(child_block), parents)
    }

    fn kernel_finished(&mut self, _name: &str, _instance: u32, _cycle: u64) -> Vec<HostLaunch> {
        Vec::new()
    }

    fn verify(&mut self) -> Result<(), String> {
        let suffixes = |packet| (0..<[u8]>::len(packet)).map(move |at| &packet[at..]);
        let expected: Vec<u32> = self
            .packets
            .iter()
            .flat_map(suffixes)
            .map(|text| self.automaton.longest(text))
            .collect();
        let name = |byte| format!("regx: the longest match from byte {byte} on");
        compare::shown(&self.matches, &expected, name, |found| match found >> 16 {
            0 => "none".to_owned(),
            pattern => format!("of pattern {pattern}, {} bytes", found & 0xffff),
        })
    }
}

impl Computation for Regx {
    fn machine(&self) -> &Rc<Machine> {
        &self.machine
    }

    fn results(&self) -> Vec<Range<u64>> {
        vec![self.matches.range()]
    }
}
