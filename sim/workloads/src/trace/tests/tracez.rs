//! Traces in frames.

use proptest::prelude::*;
use zstd::bulk::Compressor;

use super::*;
use crate::trace::info;

/// A trace of two blocks of two warps: warp 0 of block `x` loads from 0x1000 * (x + 1), and adds so
/// often.
fn text(adds: usize) -> String {
    let block = |x: u32| {
        let load = format!("0000 ffffffff 1 R1 LDG.E 1 R2 4 1 {:#x} 4 0", 0x1000 * (x + 1));
        let add = "0010 ffffffff 1 R1 FADD 2 R1 R2 0 0";
        let lines = [&[&*load][..], &vec![add; adds], &[EXIT]].concat();
        block((x, 0, 0), &[warp(0, &lines), warp(1, &[EXIT])])
    };
    header((2, 1, 1)) + &block(0) + &block(1)
}

/// The lines of each warp of each block, and the header before them.
fn parts(text: &str) -> (String, Vec<Vec<Vec<&str>>>) {
    let (header, blocks) = text.split_once("#BEGIN_TB\n").unwrap();
    let blocks = blocks.split("#BEGIN_TB\n").map(|block| {
        let warps = block.split("warp = ").skip(1);
        warps.map(|warp| warp.lines().skip(2).take_while(|line| !line.is_empty()).collect())
    });
    (header.to_owned(), blocks.map(Iterator::collect).collect())
}

/// `text` as Accel-Sim's post-processing writes it in frames of `per_frame` lines.
fn tracez(text: &str, per_frame: usize, dictionary: &[u8]) -> Vec<u8> {
    let (header, blocks) = parts(text);
    let mut compressor = Compressor::with_dictionary(3, dictionary).unwrap();
    let mut file = header.into_bytes();
    let mut index = Vec::new();
    let numbers = |to: &mut Vec<u8>, values: &[usize]| {
        to.extend(values.iter().flat_map(|&value| (value as u32).to_le_bytes()));
    };
    file.push(0);
    numbers(&mut file, &[dictionary.len()]);
    numbers(&mut file, &[per_frame]);
    file.extend_from_slice(dictionary);
    numbers(&mut index, &[blocks.len()]);
    for (x, warps) in blocks.iter().enumerate() {
        // Its index, its cluster, its index and rank there.
        numbers(&mut index, &[x, 0, 0, x / 2, 0, 0, x % 2, 0, 0, x % 2, warps.len()]);
        for lines in warps {
            let frames: Vec<&[&str]> = lines.chunks(per_frame).collect();
            numbers(&mut index, &[lines.len(), frames.len()]);
            index.extend((file.len() as u64).to_le_bytes());
            numbers(&mut file, &[lines.len(), frames.len()]);
            for frame in frames {
                numbers(&mut index, &[frame.len()]);
                let frame = compressor.compress(frame.join("\n").as_bytes()).unwrap();
                numbers(&mut file, &[frame.len()]);
                file.extend(frame);
            }
        }
    }
    let place = file.len() as u64;
    file.extend(index);
    file.extend(place.to_le_bytes());
    file
}

/// `text` as Accel-Sim's `traceDsm` prints it from [`tracez`].
fn disassembled(text: &str) -> String {
    let (mut out, blocks) = parts(text);
    for (x, warps) in blocks.iter().enumerate() {
        out += &format!("\n#BEGIN_TB\n\nthread block = {x},0,0\ncluster id = {},0,0\n", x / 2);
        out += &format!("cluster cta = {},0,0\ncluster rank = {}\n", x % 2, x % 2);
        for (warp, lines) in warps.iter().enumerate() {
            out += &format!("\nwarp = {warp}\ninsts = {}\n{}\n", lines.len(), lines.join("\n"));
        }
        out += "\n#END_TB\n";
    }
    out
}

fn dictionary() -> Vec<u8> {
    let samples: Vec<String> = (0..2000)
        .map(|n| format!("{:04x} ffffffff 1 R{} LDG.E 1 R2 4 1 {n:#x}0 4 0", 16 * n, n % 200))
        .collect();
    zstd::dict::from_samples(&samples, 4096).unwrap()
}

/// What each of the two blocks does, asked for in the order `asked`.
fn run(path: &Rc<Path>, asked: [u32; 2]) -> [Vec<Vec<Instruction>>; 2] {
    let kernel = TracedKernel::open(Rc::clone(path), Rc::new(Store::default())).unwrap();
    let mut result = [Vec::new(), Vec::new()];
    for x in asked {
        result[x as usize] = instructions(&kernel, Dim3::new(x, 0, 0), 2).unwrap();
    }
    assert!(kernel.is_closed());
    result
}

#[test]
fn frames_hold_what_the_text_holds_in_any_order_of_blocks() {
    let place = Place::new();
    for adds in [0, 1, 700] {
        let text = text(adds);
        let plain = place.write("k.traceg", &text);
        let expected = run(&plain, [0, 1]);
        for (per_frame, dictionary) in [(1, Vec::new()), (7, dictionary()), (2048, dictionary())] {
            let path = place.write("k.tracez", tracez(&text, per_frame, &dictionary));
            for asked in [[0, 1], [1, 0]] {
                assert_eq!(run(&path, asked), expected, "{adds} {per_frame} {asked:?}");
            }
            let [framed, plain] = [&path, &plain].map(|path| info(path).unwrap().total);
            assert_eq!(framed, plain);
        }
    }
}

#[test]
fn a_frame_may_be_larger_than_what_is_read_of_it_at_once() {
    // Addresses at random: they hardly shrink.
    let mut state = 1_u64;
    let mut random = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695);
        state >> 16
    };
    let mut line = || {
        let list: String = (0..32).map(|_| format!(" {:#x}", random())).collect();
        format!("0010 ffffffff 1 R1 LDG.E 1 R2 4 0{list} 0")
    };
    let lines: Vec<String> = (0..500).map(|_| line()).chain([EXIT.to_owned()]).collect();
    let block = |x| block((x, 0, 0), &[warp(0, &lines), warp(1, &[EXIT])]);
    let text = header((2, 1, 1)) + &block(0) + &block(1);
    let place = Place::new();
    let framed = tracez(&text, 2048, &[]);
    assert!(framed.len() > 2 * 100_000, "{}", framed.len());
    let path = place.write("k.tracez", framed);
    assert_eq!(run(&path, [0, 1]), run(&place.write("k.traceg", &text), [0, 1]));
}

#[test]
fn a_list_names_traces_in_frames() {
    let place = Place::new();
    place.write("k.tracez", tracez(&text(1), 2048, &[]));
    let list = place.write("kernelslist.g", "MemcpyHtoD,0x1000,4\nk.tracez\n");
    assert_eq!(info(&list).unwrap().kernels.len(), 1);
}

#[test]
fn a_warp_without_instructions_has_no_frame() {
    let text = text(0).replacen(&format!("insts = 1\n{EXIT}\n"), "insts = 0\n", 1);
    let place = Place::new();
    let path = place.write("k.tracez", tracez(&text, 2048, &[]));
    assert_eq!(run(&path, [0, 1])[0][1].len(), 1, "an exit that is added");
}

#[test]
fn what_is_wrong_in_a_line_has_its_number_in_the_text() {
    let text = text(5).replace("0x2000 4", "0x2000 x");
    let place = Place::new();
    let plain = info(&place.write("k.traceg", disassembled(&text))).unwrap_err().to_string();
    for per_frame in [1, 2048] {
        let path = place.write("k.tracez", tracez(&text, per_frame, &[]));
        let framed = info(&path).unwrap_err().to_string();
        assert_eq!(framed, plain.replace("traceg", "tracez"));
        let kernel = TracedKernel::open(path, Rc::default()).unwrap();
        let error = instructions(&kernel, Dim3::new(1, 0, 0), 2).unwrap_err().to_string();
        assert_eq!(error, framed);
    }
}

/// The parts of a file of [`text`] by what is there: where a number of 4 bytes is.
struct Layout {
    file: Vec<u8>,
    dictionary: usize,
    index: usize,
}

impl Layout {
    fn new() -> Self {
        let file = tracez(&text(1), 2048, &[]);
        let dictionary = file.iter().position(|&byte| byte == 0).unwrap() + 1;
        let index = u64::from_le_bytes(file[file.len() - 8..].try_into().unwrap()) as usize;
        Self { file, dictionary, index }
    }

    /// What is said when the number at byte `at` is `value`.
    fn with(&self, at: usize, value: u32) -> String {
        let mut file = self.file.clone();
        file[at..at + 4].copy_from_slice(&value.to_le_bytes());
        refused(file)
    }
}

fn refused(file: Vec<u8>) -> String {
    let place = Place::new();
    let error = info(&place.write("k.tracez", file)).map(drop).unwrap_err();
    place.shown(&error).replace("\n│ ", " ")
}

#[test]
fn each_number_that_is_wrong_is_named_with_its_byte() {
    let layout = Layout::new();
    let (first, index, end) = (layout.dictionary, layout.index, layout.file.len() - 8);
    let says = |at: usize, value: u32, expected: &str| {
        let (said, expected) = (layout.with(at, value), format!("k.tracez, byte {expected}"));
        assert!(said.contains(&expected), "{said}\nexpected {expected}");
    };
    says(first, (1 << 20) + 1, &format!("{first}: the dictionary has 1048577 bytes"));
    says(first, 1 << 20, &format!("{}: the file ends within the dictionary", first + 8));
    // There is no dictionary: the first warp is behind two numbers.
    says(end, first as u32 + 7, &format!("{end}: the index is at byte {}", first + 7));
    let said = layout.with(end, first as u32 + 8);
    assert!(!said.contains("the index is at byte"), "{said}");
    says(end, end as u32, &format!("{end}: the index is at byte {end}"));
    says(index, 1, &format!("{}: 84 bytes follow the index", index + 4 + 84));
    says(index, 3, &format!("{end}: the index ends within the block's index"));
    says(index + 4, 9, &format!("{}: thread block (9, 0, 0) is outside of the grid", index + 4));
    says(index + 4, 1, &format!("{}: thread block (1, 0, 0) is here again", index + 4 + 84));
    says(index + 44, 3, &format!("{}: thread block (0, 0, 0) has 3 warps", index + 44));
    says(index + 48, 9, &format!("{}: the frames of warp 0 have 3 instructions", index + 48));
    says(index + 56, 3, &format!("{}: warp 0 is at byte 3", index + 56));
    says(index, 0, &format!("{}: 168 bytes follow the index", index + 4));
}

#[test]
fn a_block_that_is_missing_is_named_with_the_line_where_it_should_be() {
    let text = text(1).replace("(2,1,1)", "(3,1,1)");
    let lines = disassembled(&text).lines().count();
    let said = refused(tracez(&text, 2048, &[]));
    let missing = "the file ends here: thread block (2, 0, 0) is missing (2 of 3 are there)";
    assert!(said.contains(&format!("k.tracez, line {lines}: {missing}")), "{said}");
}

#[test]
fn frames_that_are_damaged_are_named_with_their_byte() {
    let layout = Layout::new();
    let warp = layout.dictionary + 8;
    let says = |at: usize, value: u32, expected: &str| {
        let said = layout.with(at, value);
        assert!(said.contains(expected), "{said}\nexpected {expected}");
    };
    let at = format!("cannot read k.tracez after line 27: byte {}: ", warp + 12);
    says(warp, 9, &format!("byte {warp}: warp 0 has 9 instructions in 1 frames here, and 3 in 1"));
    says(warp + 12, 7, &format!("{at}the frame: Unknown frame descriptor"));
    let size = u32::from_le_bytes(layout.file[warp + 8..warp + 12].try_into().unwrap());
    says(warp + 8, size + 1, "the frame is shorter than stated");
    says(warp + 8, size - 1, "the frame is longer than stated");
    says(warp + 8, u32::MAX, "failed to fill whole buffer");
}

#[test]
fn a_header_has_an_end_and_nothing_else_in_it() {
    let text = text(1);
    assert!(refused(text.clone().into_bytes()).contains("k.tracez: the header has no end"));
    let other = tracez(&text.replacen("#BEGIN_TB\n", "what\n#BEGIN_TB\n", 1), 2048, &[]);
    let said = refused(other);
    assert!(said.contains("k.tracez, line 18: `what` is not a line of a header"), "{said}");
    let said = refused(tracez(&text.replace("= 70", "= 49"), 2048, &[]));
    assert!(said.contains("k.tracez, line 7: `-binary version` is `49`"), "{said}");
}

#[test]
fn a_file_that_is_cut_off_anywhere_is_refused() {
    let file = Layout::new().file;
    let place = Place::new();
    for length in 0..file.len() {
        let path = place.write("k.tracez", &file[..length]);
        assert!(info(&path).is_err(), "{length} of {} bytes", file.len());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn no_byte_makes_it_panic(at in any::<prop::sample::Index>(), byte: u8) {
        let mut file = tracez(&text(2), 2, &dictionary()[..]);
        let at = at.index(file.len());
        file[at] = byte;
        let place = Place::new();
        let path = place.write("k.tracez", file);
        if info(&path).is_ok() {
            let [forwards, backwards] = [[0, 1], [1, 0]].map(|asked| run(&path, asked));
            prop_assert_eq!(forwards, backwards);
        }
    }
}
