//! Cases of the benchmarks of other papers' suites.

use crate::case::{Call, Case};
use crate::random::Random;

/// One dimension.
pub fn line(x: u32) -> [u32; 2] {
    [x, 1]
}

/// An f32 from `least` to `most`, in thousandths.
pub fn between(random: &mut Random, least: u32, most: u32) -> u32 {
    (random.within(1000 * least, 1000 * most) as f32 / 1000.0).to_bits()
}

pub fn scalarprod(random: &mut Random) -> Case {
    let (vectors, elements) = (random.size(20), random.size(3000));
    let (blocks, block) = (random.within(1, 9), random.size(300).max(1));
    let [a, b] = [0, 1].map(|_| random.array(vectors * elements, Random::moderate));
    let call = Call::new("scalarprod", line(blocks), line(block), 0..3, &[vectors, elements]);
    Case { buffers: vec![a, b, vec![7; vectors as usize]], calls: vec![call] }
}

/// Two slices of atoms, or none.
pub fn coulomb(random: &mut Random) -> Case {
    let [width, height] = [200, 30].map(|most| random.size(most));
    let spacing = between(random, 0, 2);
    let slice = |random: &mut Random| {
        let atom = |random: &mut Random| {
            let [x, y, square] = [20, 20, 9].map(|most| between(random, 0, most));
            // No atom is on the plane.
            let square = f32::from_bits(square) + 0.25;
            [x, y, square.to_bits(), random.moderate()]
        };
        (0..random.size(40)).flat_map(|_| atom(random)).collect::<Vec<_>>()
    };
    let slices = [slice(random), slice(random)];
    let potential = random.array(width * height, Random::moderate);
    let grid = [width.div_ceil(128), height.div_ceil(8)];
    let calls = slices.iter().enumerate().flat_map(|(at, slice)| {
        let words = slice.len() as u32;
        let arguments = [width, height, spacing, words / 4];
        let adds = Call::new("coulomb", grid, [16, 8], [0], &arguments);
        [Call::constant("coulomb_atoms", 1 + at, words), adds]
    });
    let calls = calls.collect();
    let [first, second] = slices;
    Case { buffers: vec![potential, first, second], calls }
}

pub fn blackscholes(random: &mut Random) -> Case {
    let count = random.size(1000);
    let (blocks, block) = (random.within(1, 9), random.size(300).max(1));
    let inputs = [(5, 30), (1, 100), (1, 10)]
        .map(|(least, most)| random.array(count, |random| between(random, least, most)));
    let (rate, volatility) = (between(random, 0, 1), between(random, 1, 2));
    let words = [count, rate, volatility];
    let call = Call::new("blackscholes", line(blocks), line(block), 0..5, &words);
    let results = [0, 1].map(|_| vec![7; count as usize]);
    Case { buffers: inputs.into_iter().chain(results).collect(), calls: vec![call] }
}

/// Both kernels of a transform, as far as there are enough values, and the product.
pub fn walsh(random: &mut Random) -> Case {
    let log2 = random.within(2, 12);
    let (count, tile) = (1 << log2, 1 << random.within(2, log2.min(11)));
    let [values, filter] = [0, 1].map(|_| random.array(count, Random::moderate));
    let scale = between(random, 0, 1);
    let strided = (log2 > 9).then(|| {
        let stride = 1 << random.within(0, log2 - 2);
        Call::new("walsh_strided", line(count / 1024), line(256), [0], &[stride])
    });
    let block = random.size(300).max(1);
    let calls = [
        Call::new("walsh_tile", line(count / tile), line(block), [0], &[tile]),
        Call::new("walsh_product", line(random.within(1, 5)), line(block), 0..2, &[count, scale]),
    ];
    Case { buffers: vec![values, filter], calls: strided.into_iter().chain(calls).collect() }
}

pub fn montecarlo(random: &mut Random) -> Case {
    let (options, paths) = (random.size(20), random.size(1000));
    let option = |random: &mut Random| {
        [(5, 50), (10, 25), (0, 1), (0, 1)].map(|(least, most)| between(random, least, most))
    };
    let options: Vec<u32> = (0..options).flat_map(|_| option(random)).collect();
    let (blocks, block) = (random.within(1, 5), random.size(300).max(1));
    let results = vec![7; options.len() / 2];
    let samples = Call::new("montecarlo_samples", line(blocks), line(block), [1], &[paths]);
    let grid = line(options.len() as u32 / 4);
    let calls = Call::new("montecarlo_calls", grid, line(256), 0..3, &[paths]);
    Case { buffers: vec![options, vec![7; paths as usize], results], calls: vec![samples, calls] }
}

pub fn scan(random: &mut Random) -> Case {
    let count = random.size(3000);
    let blocks = count.div_ceil(512);
    let words = random.array(count, Random::word);
    let offsets = random.array(blocks, Random::word);
    let [before, totals] = [count, blocks].map(|length| vec![7; length as usize]);
    let calls = vec![
        Call::new("scan_blocks", line(blocks), line(256), [0, 1, 2], &[count]),
        Call::new("scan_add", line(blocks), line(256), [1, 3], &[count]),
    ];
    Case { buffers: vec![words, before, totals, offsets], calls }
}

/// Both kernels, on whatever errors the host may have found.
pub fn backprop(random: &mut Random) -> Case {
    let inputs = 16 * random.within(0, 9);
    let [values, sums] = [0, 1].map(|_| random.array(inputs, Random::moderate));
    let [weights, changes] = [0, 1].map(|_| random.array(16 * inputs, Random::moderate));
    let errors = random.array(16, Random::moderate);
    let [rate, momentum] = [0, 1].map(|_| between(random, 0, 1));
    let grid = [1, inputs / 16];
    let calls = vec![
        Call::new("backprop_forward", grid, [16, 16], 0..3, &[]),
        Call::new("backprop_adjust", grid, [16, 16], [0, 1, 3, 4], &[rate, momentum]),
    ];
    Case { buffers: vec![values, weights, sums, changes, errors], calls }
}

pub fn stencil3d(random: &mut Random) -> Case {
    let [width, height] = [0, 1].map(|_| random.size(50));
    let depth = random.within(1, 6);
    let spaces = [0, 1].map(|_| random.array(width * height * depth, Random::moderate));
    let rate = between(random, 0, 1);
    let grid = [width.div_ceil(32), height.div_ceil(4)];
    let step = |buffers: [usize; 2]| {
        Call::new("stencil3d", grid, [32, 4], buffers, &[width, height, depth, rate])
    };
    Case { buffers: spaces.to_vec(), calls: vec![step([0, 1]), step([1, 0]), step([0, 1])] }
}

/// Any keys and tables, in both directions.
pub fn aes(random: &mut Random) -> Case {
    let columns = 4 * random.size(300);
    let input = random.array(columns, Random::word);
    let keys = random.array(44, Random::word);
    let mut tables = random.array(4 * 256, Random::word);
    tables.extend((0..256).map(|_| random.within(0, 255)));
    let of = |kernel, [from, to]: [usize; 2]| {
        Call::new(kernel, line(columns.div_ceil(256)), line(256), [from, to], &[columns])
    };
    let calls = vec![
        Call::constant("aes_keys", 2, 44),
        Call::constant("aes_tables", 3, 5 * 256),
        of("aes_encrypt", [0, 1]),
        of("aes_decrypt", [1, 4]),
    ];
    let [first, second] = [0, 1].map(|_| vec![7; columns as usize]);
    Case { buffers: vec![input, first, keys, tables, second], calls }
}

pub fn kmeans(random: &mut Random) -> Case {
    let (count, features) = (random.size(600), random.within(1, 40));
    let (clusters, block) = (random.within(1, 16), random.size(300).max(1));
    let points = random.array(count * features, Random::moderate);
    let centres = random.array(clusters * features, Random::moderate);
    let grid = line(count.div_ceil(block));
    let calls = vec![
        Call::constant("kmeans_centres", 3, clusters * features),
        Call::new("kmeans_turn", grid, line(block), [0, 1], &[count, features]),
        Call::new("kmeans_assign", grid, line(block), [1, 2], &[count, features, clusters]),
    ];
    let turned = vec![7; points.len()];
    Case { buffers: vec![points, turned, vec![7; count as usize], centres], calls }
}

/// Both kernels, on any rates.
pub fn libor(random: &mut Random) -> Case {
    let (paths, steps) = (random.size(90), random.within(0, 8));
    let normals = random.array(paths * steps, |random| between(random, 0, 2));
    let rates = steps + 40;
    let percent = |random: &mut Random| (random.within(1, 9) as f32 / 100.0).to_bits();
    let [start, volatilities] = [0, 1].map(|_| random.array(rates, percent));
    let maturities = random.array(15, |random| random.within(1, 40));
    let swap_rates = random.array(15, percent);
    let constants = [
        ("libor_start", rates),
        ("libor_volatilities", rates),
        ("libor_maturities", 15),
        ("libor_swap_rates", 15),
    ];
    let set = constants.into_iter().enumerate();
    let set = set.map(|(at, (name, words))| Call::constant(name, 4 + at, words));
    let grid = line(paths.div_ceil(64));
    let calls = [
        Call::new("libor_sensitivities", grid, line(64), [0, 1, 2], &[paths, steps]),
        Call::new("libor_values", grid, line(64), [0, 3], &[paths, steps]),
    ];
    let results = [0, 1, 2].map(|_| vec![7; paths as usize]);
    let market = [start, volatilities, maturities, swap_rates];
    let buffers = [normals].into_iter().chain(results).chain(market).collect();
    Case { buffers, calls: set.chain(calls).collect() }
}

/// A layer of maps, and a dense one of any size.
pub fn digits(random: &mut Random) -> Case {
    let (images, maps, over) = (random.within(1, 3), random.within(1, 4), random.within(1, 3));
    let side = random.within(1, 6);
    let width = 2 * (side - 1) + 5;
    let points = random.array(images * over * width * width, |random| between(random, 0, 2));
    let weight = |random: &mut Random| between(random, 0, 1) ^ random.word() & 1 << 31;
    let windows = random.array(maps * (1 + 25 * over), weight);
    let (count, neurons) = (maps * side * side, random.size(20));
    let dense = random.array(neurons * (1 + count), weight);
    let calls = vec![
        Call::new("digits_maps", [maps, images], [side, side], 0..3, &[over, width]),
        Call::new(
            "digits_dense",
            [neurons.div_ceil(4), images],
            line(128),
            2..5,
            &[count, neurons],
        ),
    ];
    let results = [images * count, images * neurons].map(|words| vec![7; words as usize]);
    let [first, second] = results;
    Case { buffers: vec![points, windows, first, dense, second], calls }
}
