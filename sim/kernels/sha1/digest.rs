//! SHA-1 on the CPU, as FIPS 180-4 has it in section 6.1.

/// The digest of a message of bytes.
pub fn digest(message: &[u8]) -> [u32; 5] {
    let mut padded = message.to_vec();
    padded.push(0x80);
    while padded.len() % 64 != 56 {
        padded.push(0);
    }
    padded.extend((8 * message.len() as u64).to_be_bytes());

    let mut digest = [0x6745_2301_u32, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476, 0xc3d2_e1f0];
    for chunk in padded.as_chunks::<64>().0 {
        let mut words: Vec<u32> =
            chunk.as_chunks().0.iter().map(|&word| u32::from_be_bytes(word)).collect();
        for at in 16..80 {
            let next = words[at - 3] ^ words[at - 8] ^ words[at - 14] ^ words[at - 16];
            words.push(next.rotate_left(1));
        }
        let [mut a, mut b, mut c, mut d, mut e] = digest;
        for (round, word) in words.into_iter().enumerate() {
            let (mixed, constant) = match round {
                0..20 => (b & c ^ !b & d, 0x5a82_7999),
                20..40 => (b ^ c ^ d, 0x6ed9_eba1),
                40..60 => (b & c ^ b & d ^ c & d, 0x8f1b_bcdc),
                _ => (b ^ c ^ d, 0xca62_c1d6_u32),
            };
            let terms = [a.rotate_left(5), mixed, e, constant, word];
            let next = terms.into_iter().fold(0, u32::wrapping_add);
            (a, b, c, d, e) = (next, a, b.rotate_left(30), c, d);
        }
        digest
            .iter_mut()
            .zip([a, b, c, d, e])
            .for_each(|(sum, word)| *sum = sum.wrapping_add(word));
    }
    digest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_examples_of_the_standard_have_their_digests() {
        let abc = [0xa999_3e36, 0x4706_816a, 0xba3e_2571, 0x7850_c26c, 0x9cd0_d89d];
        assert_eq!(digest(b"abc"), abc);
        // Two chunks.
        let long = b"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
        let expected = [0x8498_3e44, 0x1c3b_d26e, 0xbaae_4aa1, 0xf951_29e5, 0xe546_70f1];
        assert_eq!(digest(long), expected);
        let nothing = [0xda39_a3ee, 0x5e6b_4b0d, 0x3255_bfef, 0x9560_1890, 0xafd8_0709];
        assert_eq!(digest(b""), nothing);
    }
}
