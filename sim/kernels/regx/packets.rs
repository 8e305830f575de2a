//! Packets, and what is looked for in them.

use super::RegxOptions;
use crate::draw::Draw;

/// `regx.input=darpa`.
const DARPA: u32 = 1;

/// Letters of random strings.
const LETTERS: u32 = 8;

/// Bytes of a random string.
const STRING: (u32, u32) = (16, 256);

/// What is looked for in random strings: four of the 64 pairs of letters begin one of them. The
/// first goes on to the end of its string, as patterns with `.*` do.
const STRING_PATTERNS: &[&str] = &["ab[a-h]*hg", "ba+[c-h]*b", "cde?[e-h]*g", "hh[a-d]+h"];

/// What is looked for in packets.
const DARPA_PATTERNS: &[&str] = &[
    "GET /[a-z0-9/]*.cgi",
    "Host: [a-z.]*.mil",
    "USER [a-z]+",
    "PASS [a-z0-9]+",
    "RCPT TO:<[a-z]*@",
    "[0-9]+.[0-9]+.[0-9]+.[0-9]+",
    "login: root",
    "/etc/passwd",
];

/// Lines of packets: `%w` is a word, `%n` a number, `%a` an address.
const LINES: &[&str] = &[
    "GET /%w/%w.html HTTP/1.0\r\n",
    "GET /%w/%w.cgi HTTP/1.0\r\n",
    "Host: %w.%w.mil\r\n",
    "Host: %w.%w.com\r\n",
    "User-Agent: %w/%n.%n\r\n",
    "Content-Length: %n\r\n",
    "USER %w\r\n",
    "PASS %w%n\r\n",
    "MAIL FROM:<%w@%w.mil>\r\n",
    "RCPT TO:<%w@%w.mil>\r\n",
    "Received: from %a by %a\r\n",
    "login: %w\r\n",
    "login: root\r\n",
    "cat /etc/passwd\r\n",
    "%w %w %w %w, %w %w.\r\n",
    "%w %w %w %w %w %w %w.\r\n",
];

/// Packets one behind the other.
pub(super) struct Packets {
    pub bytes: Vec<u8>,
    /// Where each begins, and the last one ends.
    pub bounds: Vec<u32>,
}

impl Packets {
    /// Those that `options` ask for.
    pub fn drawn(options: &RegxOptions, seed: u64) -> Self {
        let mut draw = Draw::new(seed);
        let mut packets = Self { bytes: Vec::new(), bounds: vec![0] };
        for _ in 0..options.packets {
            match options.input {
                DARPA => packets.append_lines(&mut draw),
                _ => packets.append_string(&mut draw),
            }
            packets.bounds.push(packets.bytes.len() as u32);
        }
        packets
    }

    /// The patterns that `options` look for.
    pub fn patterns(options: &RegxOptions) -> &'static [&'static str] {
        match options.input {
            DARPA => DARPA_PATTERNS,
            _ => STRING_PATTERNS,
        }
    }

    /// The bytes of each.
    pub fn iter(&self) -> impl Iterator<Item = &[u8]> {
        self.bounds.windows(2).map(|bounds| &self.bytes[bounds[0] as usize..bounds[1] as usize])
    }

    fn append_string(&mut self, draw: &mut Draw) {
        let length = within(draw, STRING);
        self.bytes.extend((0..length).map(|_| b'a' + draw.below(LETTERS) as u8));
    }

    /// Half of all packets are short and a third as long as Ethernet lets them be.
    fn append_lines(&mut self, draw: &mut Draw) {
        let length = match draw.below(6) {
            0..=2 => within(draw, (40, 100)),
            3 => within(draw, (101, 1399)),
            _ => within(draw, (1400, 1500)),
        };
        let end = self.bytes.len() + length as usize;
        while self.bytes.len() < end {
            self.append_line(draw);
        }
        self.bytes.truncate(end);
    }

    fn append_line(&mut self, draw: &mut Draw) {
        let line = LINES[draw.below(LINES.len() as u32) as usize];
        let mut bytes = line.bytes();
        while let Some(byte) = bytes.next() {
            let kind = if byte == b'%' { bytes.next() } else { None };
            match kind {
                None => self.bytes.push(byte),
                Some(b'w') => {
                    let letters = within(draw, (2, 9));
                    self.bytes.extend((0..letters).map(|_| b'a' + draw.below(26) as u8));
                }
                Some(b'n') => self.bytes.extend(draw.below(1000).to_string().bytes()),
                Some(_) => {
                    let parts = [0; 4].map(|_| draw.below(256).to_string());
                    self.bytes.extend(parts.join(".").bytes());
                }
            }
        }
    }
}

/// From the first to the last, both among them.
fn within(draw: &mut Draw, (least, most): (u32, u32)) -> u32 {
    least + draw.below(most - least + 1)
}

#[cfg(test)]
mod tests {
    use super::super::automaton::Automaton;
    use super::*;

    fn drawn(input: u32) -> (Packets, Automaton) {
        let options = RegxOptions { input, packets: 600, ..RegxOptions::default() };
        (Packets::drawn(&options, 5), Automaton::of(Packets::patterns(&options)))
    }

    #[test]
    fn packets_are_as_long_as_those_of_their_kind() {
        let (strings, _) = drawn(0);
        assert!(strings.iter().all(|packet| (16..=256).contains(&packet.len())));
        let (packets, _) = drawn(DARPA);
        assert!(packets.iter().all(|packet| (40..=1500).contains(&packet.len())));
        let [short, long] = [40..=100, 1400..=1500]
            .map(|of| packets.iter().filter(|p| of.contains(&p.len())).count());
        assert!((250..350).contains(&short) && (150..250).contains(&long), "{short} {long}");
    }

    #[test]
    fn every_pattern_occurs() {
        for input in [0, DARPA] {
            let (packets, automaton) = drawn(input);
            let from_every_byte = |packet: &[u8]| {
                (0..packet.len()).map(|at| automaton.longest(&packet[at..])).collect()
            };
            let found: Vec<u32> =
                packets.iter().flat_map(|p| -> Vec<u32> { from_every_byte(p) }).collect();
            let patterns = if input == DARPA { DARPA_PATTERNS } else { STRING_PATTERNS };
            let occurs = |number| found.iter().any(|&word| word >> 16 == number);
            assert!((1..=patterns.len() as u32).all(occurs), "{input}");
        }
    }
}
