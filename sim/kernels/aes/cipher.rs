//! AES on the CPU, byte by byte as FIPS 197 has it, and the tables and keys that kernels look up.

/// Rounds with a key of 128 bits.
const ROUNDS: usize = 10;

/// Words of the keys of all rounds, the first one included.
const KEY_WORDS: usize = 4 * (ROUNDS + 1);

/// Row r of a column begins at row r * this in the table of products: what MixColumns multiplies
/// by, and what its inverse does.
const MIX: [u8; 4] = [2, 3, 1, 1];
const UNMIX: [u8; 4] = [14, 11, 13, 9];

/// A state, column by column.
type State = [u8; 16];

/// A key with those of all rounds, and the substitution of bytes.
#[derive(Clone)]
pub struct Cipher {
    keys: Vec<[u8; 4]>,
    substitute: [u8; 256],
    restore: [u8; 256],
}

/// The product in the field of 256 elements.
fn times(a: u8, b: u8) -> u8 {
    let mut a = a;
    let mut product = 0;
    for bit in 0..8 {
        if b >> bit & 1 == 1 {
            product ^= a;
        }
        a = a << 1 ^ if a & 0x80 == 0 { 0 } else { 0x1b };
    }
    product
}

/// Section 5.1.1: the inverse, 0 for 0, through an affine map.
fn substituted(byte: u8) -> u8 {
    let inverse = (1..=255).find(|&other| times(byte, other) == 1).unwrap_or(0);
    (0..5).fold(0x63, |sum, by| sum ^ inverse.rotate_left(by))
}

/// Section 5.1.3, or its inverse: a column times a matrix whose rows are `by`, turned.
fn mixed(column: [u8; 4], by: [u8; 4]) -> [u8; 4] {
    std::array::from_fn(|row| {
        (0..4).fold(0, |sum, other| sum ^ times(by[(4 + other - row) % 4], column[other]))
    })
}

impl Cipher {
    /// With `key`: section 5.2.
    pub fn new(key: [u8; 16]) -> Self {
        let substitute: [u8; 256] = std::array::from_fn(|byte| substituted(byte as u8));
        let mut restore = [0; 256];
        (0..=255).for_each(|byte: u8| restore[usize::from(substitute[usize::from(byte)])] = byte);
        let mut keys: Vec<[u8; 4]> = key.as_chunks().0.to_vec();
        let mut constant = 1;
        for word in 4..KEY_WORDS {
            let mut next = keys[word - 1];
            if word % 4 == 0 {
                next.rotate_left(1);
                next = next.map(|byte| substitute[usize::from(byte)]);
                next[0] ^= constant;
                constant = times(constant, 2);
            }
            keys.push(std::array::from_fn(|row| next[row] ^ keys[word - 4][row]));
        }
        Self { keys, substitute, restore }
    }

    /// Section 5.1.
    pub fn encrypt(&self, state: State) -> State {
        let mut state = self.add_key(state, 0);
        for round in 1..=ROUNDS {
            state = state.map(|byte| self.substitute[usize::from(byte)]);
            state = turned(state, 1);
            if round < ROUNDS {
                state = columns(state, MIX);
            }
            state = self.add_key(state, round);
        }
        state
    }

    /// Section 5.3.
    pub fn decrypt(&self, state: State) -> State {
        let mut state = self.add_key(state, ROUNDS);
        for round in (0..ROUNDS).rev() {
            state = turned(state, 3);
            state = state.map(|byte| self.restore[usize::from(byte)]);
            state = self.add_key(state, round);
            if round > 0 {
                state = columns(state, UNMIX);
            }
        }
        state
    }

    fn add_key(&self, state: State, round: usize) -> State {
        std::array::from_fn(|at| state[at] ^ self.keys[4 * round + at / 4][at % 4])
    }

    /// The keys that the kernel adds, in order.
    pub fn round_keys(&self, decrypts: bool) -> Vec<u32> {
        let keys = self.keys.chunks(4);
        let rounds: Vec<Vec<[u8; 4]>> = if decrypts {
            let inner = |(round, keys): (usize, &[[u8; 4]])| match round {
                0 | ROUNDS => keys.to_vec(),
                _ => keys.iter().map(|&key| mixed(key, UNMIX)).collect(),
            };
            keys.enumerate().map(inner).rev().collect()
        } else {
            keys.map(<[_]>::to_vec).collect()
        };
        rounds.into_iter().flatten().map(u32::from_le_bytes).collect()
    }

    /// The kernel's tables: of each row what a byte adds to its column, and the substitution.
    pub fn tables(&self, decrypts: bool) -> Vec<u32> {
        let (bytes, by) = if decrypts { (&self.restore, UNMIX) } else { (&self.substitute, MIX) };
        let of_row = |row: usize| {
            bytes.iter().map(move |&byte| {
                let mut column = [0; 4];
                column[row] = byte;
                u32::from_le_bytes(mixed(column, by))
            })
        };
        (0..4).flat_map(of_row).chain(bytes.iter().map(|&byte| u32::from(byte))).collect()
    }
}

/// Section 5.1.2, or with `by` 3 its inverse: row r of a column comes from `r * by` columns
/// further.
fn turned(state: State, by: usize) -> State {
    std::array::from_fn(|at| state[(at + 4 * by * (at % 4)) % 16])
}

fn columns(state: State, by: [u8; 4]) -> State {
    let mut next = state;
    next.as_chunks_mut().0.iter_mut().for_each(|column| *column = mixed(*column, by));
    next
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Appendix C.1 of FIPS 197.
    const KEY: [u8; 16] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];
    const PLAIN: State = [
        0x00, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88, 0x99, 0xaa, 0xbb, 0xcc, 0xdd, 0xee,
        0xff,
    ];
    const ENCRYPTED: State = [
        0x69, 0xc4, 0xe0, 0xd8, 0x6a, 0x7b, 0x04, 0x30, 0xd8, 0xcd, 0xb7, 0x80, 0x70, 0xb4, 0xc5,
        0x5a,
    ];

    #[test]
    fn the_example_of_fips_197_is_encrypted_and_decrypted() {
        let cipher = Cipher::new(KEY);
        assert_eq!(cipher.encrypt(PLAIN), ENCRYPTED);
        assert_eq!(cipher.decrypt(ENCRYPTED), PLAIN);
    }

    #[test]
    fn keys_are_those_of_the_standard_s_example_of_their_expansion() {
        // Appendix A.1, its last word.
        let key = [
            0x2b, 0x7e, 0x15, 0x16, 0x28, 0xae, 0xd2, 0xa6, 0xab, 0xf7, 0x15, 0x88, 0x09, 0xcf,
            0x4f, 0x3c,
        ];
        let keys = Cipher::new(key).round_keys(false);
        assert_eq!((keys.len(), keys[43].to_be()), (KEY_WORDS, 0xb663_0ca6));
    }

    #[test]
    fn the_tables_have_the_substitution_of_the_standard_s_figure_7() {
        let tables = Cipher::new(KEY).tables(false);
        let substitution = &tables[4 * 256..];
        assert_eq!([0, 0x53, 0xff].map(|byte| substitution[byte]), [0x63, 0xed, 0x16]);
        // A byte of the first row is doubled there, and tripled in the last.
        assert_eq!(tables[0].to_le_bytes(), [0xc6, 0x63, 0x63, 0xa5]);
    }
}
