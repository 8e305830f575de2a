use super::blocks::Blocks;
use super::Node;

/// Which registers are live at the borders of blocks: a thread may read them before it writes them.
///
/// Registers that no block reads before it writes them live in one block at a time and have no bit
/// here, so that functions of thousands of short-lived registers need small sets.
pub(super) struct Liveness {
    /// The register of every bit.
    registers: Vec<u32>,
    /// Words of a set.
    words: usize,
    /// Set of every block: live where it begins.
    into: Vec<u64>,
    /// Set of every block: live where it ends.
    out: Vec<u64>,
}

impl Liveness {
    /// Finds the live registers of `nodes`, which `blocks` divides; registers are below `count`.
    pub fn new(nodes: &[Node], blocks: &Blocks, count: usize) -> Self {
        let registers = shared(nodes, blocks, count);
        let mut bits = vec![None; count];
        for (bit, &register) in registers.iter().enumerate() {
            bits[register as usize] = Some(bit);
        }
        let words = registers.len().div_ceil(64);
        let size = words * blocks.len();
        let mut liveness = Self { registers, words, into: vec![0; size], out: vec![0; size] };
        let mut written = vec![0; size];
        for block in 0..blocks.len() {
            let base = block * words;
            for node in &nodes[blocks.instructions(block)] {
                for bit in node.reads.iter().filter_map(|&register| bits[register as usize]) {
                    let (word, mask) = (base + bit / 64, 1 << (bit % 64));
                    liveness.into[word] |= mask & !written[word];
                }
                for bit in ended(node).filter_map(|&register| bits[register as usize]) {
                    written[base + bit / 64] |= 1 << (bit % 64);
                }
            }
        }
        liveness.spread(blocks, &written);
        liveness
    }

    /// Carries what is live against the edges until nothing changes.
    fn spread(&mut self, blocks: &Blocks, written: &[u64]) {
        // From the end of the program to its beginning, so that only ways back need another round.
        let mut waits = vec![true; blocks.len()];
        while waits.contains(&true) {
            for block in (0..blocks.len()).rev() {
                if std::mem::take(&mut waits[block]) && self.carry(blocks, written, block) {
                    for &before in &blocks.before[block] {
                        waits[before as usize] = true;
                    }
                }
            }
        }
    }

    /// Carries what is live from the blocks after `block` to its beginning; whether that was more.
    fn carry(&mut self, blocks: &Blocks, written: &[u64], block: usize) -> bool {
        let base = block * self.words;
        let mut grew = false;
        for word in 0..self.words {
            let starts = blocks.after[block].iter().map(|&to| to as usize * self.words + word);
            let out = starts.fold(0, |all, start| all | self.into[start]);
            let into = self.into[base + word] | (out & !written[base + word]);
            grew |= into != self.into[base + word];
            self.out[base + word] = out;
            self.into[base + word] = into;
        }
        grew
    }

    /// Registers that are live where `block` begins.
    pub fn at_start(&self, block: usize) -> impl Iterator<Item = u32> + '_ {
        self.members(&self.into[block * self.words..][..self.words])
    }

    /// Registers that are live where `block` ends.
    pub fn at_end(&self, block: usize) -> impl Iterator<Item = u32> + '_ {
        self.members(&self.out[block * self.words..][..self.words])
    }

    fn members<'a>(&'a self, set: &'a [u64]) -> impl Iterator<Item = u32> + 'a {
        let ones = |word: u64| {
            // Without the lowest one each time, until none is left.
            std::iter::successors(Some(word), |word| Some(word & word.checked_sub(1)?))
                .take_while(|&word| word != 0)
                .map(|word| word.trailing_zeros() as usize)
        };
        let bits = set.iter().enumerate();
        let bits = bits.flat_map(move |(index, &word)| ones(word).map(move |bit| index * 64 + bit));
        bits.map(|bit| self.registers[bit])
    }
}

/// Registers of which `node` replaces the value in every lane that executes it.
fn ended(node: &Node) -> impl Iterator<Item = &u32> {
    node.writes.iter().filter(|_| !node.keeps)
}

/// Registers that some block reads before it writes them.
fn shared(nodes: &[Node], blocks: &Blocks, count: usize) -> Vec<u32> {
    let mut shared = vec![false; count];
    // The block that wrote each register last, plus one.
    let mut writer = vec![0; count];
    for block in 0..blocks.len() {
        for node in &nodes[blocks.instructions(block)] {
            for &register in &node.reads {
                shared[register as usize] |= writer[register as usize] != block + 1;
            }
            for &register in ended(node) {
                writer[register as usize] = block + 1;
            }
        }
    }
    (0..count as u32).filter(|&register| shared[register as usize]).collect()
}
