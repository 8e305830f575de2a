//! Textures by handle.

use blockyard_ptx::Texture;

use crate::left_by;

/// Threads, and words that each of them writes.
const THREADS: u32 = 8;
const WORDS: usize = 10;

const SOURCE: &str = r#"
    extern "C" __global__ void k(unsigned *out, cudaTextureObject_t floats, cudaTextureObject_t words) {
        unsigned t = threadIdx.x;
        float *given = (float *)out + 10 * t;
        given[0] = tex1Dfetch<float>(floats, t);
        given[1] = tex2D<float>(floats, t % 4 + 0.5f, t / 4 + 0.5f);
        given[2] = tex1D<float1>(floats, t + 0.5f).x;
        float2 two = tex2D<float2>(floats, 1.5f, 0.5f);
        given[3] = two.x + two.y;
        out[10 * t + 4] = tex1Dfetch<unsigned>(words, t);
        int4 four = tex1Dfetch<int4>(words, t);
        out[10 * t + 5] = four.x + four.y + four.z + four.w;
        out[10 * t + 6] = tex3D<int>(words, t % 2, t / 2 % 2, t / 4);
        out[10 * t + 7] = tex2DLayered<unsigned>(words, t % 2, 1, t / 4);
        out[10 * t + 8] = tex1DLayered<unsigned>(words, 1, t / 4);
        out[10 * t + 9] = tex1Dfetch<uint2>(words, t).x;
    }
"#;

#[test]
fn elements_are_read_by_whole_and_by_other_coordinates() {
    // Eight floats in rows of four: 0.25, 1.25, ...; eight words, 2 by 2 by 2: 100, 101, ...
    let others = |machine: &blockyard_ptx::Machine| {
        let floats: Vec<u32> = (0..8).map(|number| (number as f32 + 0.25).to_bits()).collect();
        let floats = machine.array(&floats).expect("an array");
        let words = machine.array(&(100..108).collect::<Vec<u32>>()).expect("an array");
        let plain = Texture {
            address: floats,
            width: 4,
            height: 2,
            depth: 1,
            pitch: 16,
            channels: 1,
            normalized: false,
            linear: false,
            wraps: false,
        };
        let cube = Texture { address: words, width: 2, depth: 2, pitch: 8, ..plain };
        vec![machine.texture_object(plain), machine.texture_object(cube)]
    };
    let words = THREADS as usize * WORDS;
    let Some(found) = left_by(THREADS, SOURCE, words, others) else { return };
    for t in 0..THREADS {
        let own = &found[t as usize * WORDS..][..WORDS];
        let floats = [0, 1, 2, 3].map(|at| f32::from_bits(own[at]));
        // Beyond the row: 0 by whole coordinates, the edge by others. The second channel is not
        // there.
        let row = |t: u32| if t < 4 { t as f32 + 0.25 } else { 0.0 };
        assert_eq!(floats, [row(t), t as f32 + 0.25, t.min(3) as f32 + 0.25, 1.25], "thread {t}");
        let whole = if t < 2 { 100 + t } else { 0 };
        let layer = 100 + 4 * (t / 4);
        assert_eq!(own[4..], [whole, whole, 100 + t, layer + t % 2 + 2, layer + 1, whole]);
    }
}
