//! The kernels as workloads, by name. A new one is a folder and a line here.

use blockyard_contract::diagnostic::InputError;
use blockyard_contract::port::LaunchMode;
use blockyard_workloads::graph::SetError;

use crate::launch::Computation;
use crate::options::Setting;

macro_rules! workloads {
    ($($name:ident: $host:ident($options:ident), $about:literal;)+) => {
        $(use crate::$name::{$host, $options};)+

        /// The name of every workload, and what it computes.
        pub const WORKLOADS: &[(&str, &str)] = &[$((stringify!($name), $about)),+];

        /// A workload with its settings.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum KernelWorkload {
            $(#[doc = concat!("See [`", stringify!($host), "`].")] $host($options),)+
        }

        impl KernelWorkload {
            /// Its host program, with inputs drawn from `seed`; `mode` says how blocks launch, in
            /// those workloads whose blocks do.
            ///
            /// # Errors
            /// When there is no memory for its inputs.
            pub fn program(
                &self,
                seed: u64,
                mode: LaunchMode,
            ) -> Result<Box<dyn Computation>, InputError> {
                Ok(match self {
                    $(Self::$host(options) => Box::new($host::new(options, seed, mode)?),)+
                })
            }
        }

        /// Settings of all workloads.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub struct KernelSettings {
            $(#[doc = concat!("`", stringify!($name), ".*`.")] pub $name: $options,)+
        }

        impl KernelSettings {
            /// Every setting of every workload.
            pub fn all() -> impl Iterator<Item = &'static Setting> {
                [$($options::SETTINGS),+].into_iter().flatten()
            }

            /// Sets `key` to `value`. Whether it is a key of one of these workloads.
            ///
            /// # Errors
            /// When the workload has no such key, or the value is not one that it takes.
            pub fn set(&mut self, key: &str, value: &str) -> Result<bool, SetError> {
                match key.split_once('.').map(|(workload, _)| workload) {
                    $(Some(stringify!($name)) => self.$name.set(key, value)?,)+
                    _ => return Ok(false),
                }
                Ok(true)
            }

            /// The workload `name`, if there is one.
            pub fn workload(&self, name: &str) -> Option<KernelWorkload> {
                Some(match name {
                    $(stringify!($name) => KernelWorkload::$host(self.$name),)+
                    _ => return None,
                })
            }
        }
    };
}

workloads! {
    vecadd: Vecadd(VecaddOptions), "the sum of two arrays of floats";
    steal: Steal(StealOptions), "the sum of two arrays of floats, by blocks that take others";
    matmul: Matmul(MatmulOptions), "the product of two matrices of floats";
    attention: Attention(AttentionOptions), "what each query attends to, by an online softmax";
    reduce: Reduce(ReduceOptions), "the sum of an array of words";
    histogram: Histogram(HistogramOptions), "how often each byte occurs";
    stencil: Stencil(StencilOptions), "the heat equation on a plane";
    scalarprod: Scalarprod(ScalarprodOptions), "the scalar products of pairs of vectors";
    coulomb: Coulomb(CoulombOptions), "the potential of charges on a plane";
    blackscholes: Blackscholes(BlackscholesOptions), "what options are worth by Black and Scholes";
    walsh: Walsh(WalshOptions), "a signal and a filter, convolved by Walsh's transform";
    montecarlo: Montecarlo(MontecarloOptions), "what options pay on many paths of the price";
    backprop: Backprop(BackpropOptions), "steps of learning in a network by back propagation";
    scan: Scan(ScanOptions), "the prefix sums of an array of words";
    stencil3d: Stencil3d(Stencil3dOptions), "the heat equation in space";
    aes: Aes(AesOptions), "states encrypted or decrypted by AES";
    kmeans: Kmeans(KmeansOptions), "points that find the nearest of a few centres";
    libor: Libor(LiborOptions), "what swaptions are worth on many paths of the rates";
    digits: Digits(DigitsOptions), "images of digits through a convolutional network";
    hotspot: Hotspot(HotspotOptions), "the temperature of a chip, several steps a launch";
    pathfinder: Pathfinder(PathfinderOptions), "the cheapest ways down a wall of numbers";
    srad1: Srad1(Srad1Options), "an image without speckle, all of it on the GPU";
    srad2: Srad2(Srad2Options), "an image without speckle, in tiles";
    nw: Nw(NwOptions), "the best alignment of two sequences";
    lud: Lud(LudOptions), "a matrix as the product of a lower and an upper one";
    convolution: Convolution(ConvolutionOptions), "a picture through a separable filter";
    lavamd: Lavamd(LavamdOptions), "the forces between particles of boxes that touch";
    nearest: Nearest(NearestOptions), "how far places are from one that is asked for";
    sgemm: Sgemm(SgemmOptions), "a product of matrices by outer products";
    sha1: Sha1(Sha1Options), "the digests of many messages by SHA-1";
    sad: Sad(SadOptions), "how blocks of a picture differ from what is around their places in another one";
    dct: Dct(DctOptions), "the cosine transform of a picture, or its inverse";
    denoise: Denoise(DenoiseOptions), "a picture without noise, by means over what is alike";
    raytrace: Raytrace(RaytraceOptions), "a picture of balls that mirror each other";
    nested: Nested(NestedOptions), "the quadtree of a map, whose blocks launch the next level";
    sort: Sort(SortOptions), "parts of an array, sorted by blocks that wait for what they launch";
    join: Join(JoinOptions), "two sorted tables, joined by their keys";
    regx: Regx(RegxOptions), "regular expressions in packets";
    amr: Amr(AmrOptions), "a grid, refined where it burns by a kernel that launches itself";
    bht: Bht(BhtOptions), "the forces between bodies by Barnes and Hut's tree";
    pre: Pre(PreOptions), "the item most like another one, by what users think of both";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_has_a_workload_and_others_have_none() {
        let settings = KernelSettings::default();
        assert!(WORKLOADS.iter().all(|(name, _)| settings.workload(name).is_some()));
        assert_eq!(settings.workload("vec"), None);
    }

    #[test]
    fn keys_reach_the_workload_that_they_name() {
        let mut settings = KernelSettings::default();
        assert_eq!(settings.set("reduce.count", "17"), Ok(true));
        assert_eq!(settings.reduce.count, 17);
        assert_eq!(settings.set("bfs.block", "17"), Ok(false));
        assert_eq!(settings.set("count", "17"), Ok(false));
    }

    #[test]
    fn every_key_takes_its_limits_and_nothing_beyond() {
        assert!(KernelSettings::all().count() > 10);
        for &Setting { key, default, least, most, names, .. } in KernelSettings::all() {
            let (default, least, most) = (i64::from(default), i64::from(least), i64::from(most));
            let text = |value: i64| match usize::try_from(value).ok().and_then(|at| names.get(at)) {
                Some(&name) => name.to_owned(),
                None => value.to_string(),
            };
            let set = |value: i64| KernelSettings::default().set(key, &text(value));
            assert_eq!((set(least), set(default), set(most)), (Ok(true), Ok(true), Ok(true)));
            assert!(names.is_empty() || (least, most) == (0, names.len() as i64 - 1), "{key}");
            for beyond in [least - 1, most + 1] {
                let refused = set(beyond);
                assert!(matches!(refused, Err(SetError::BadValue { .. })), "{key} {refused:?}");
            }
            let table = key.split_once('.').expect("a key").0;
            let unknown = KernelSettings::default().set(&format!("{table}.no"), "1");
            let Err(SetError::UnknownKey { known, .. }) = unknown else { panic!("{unknown:?}") };
            assert!(known.contains(&key), "{key} is not among {known:?}");
        }
    }

    #[test]
    fn a_value_with_a_name_is_set_by_it_and_not_by_its_number() {
        let mut settings = KernelSettings::default();
        assert_eq!(settings.set("join.keys", "gaussian"), Ok(true));
        assert_eq!(settings.join.keys, 1);
        let refused = settings.set("join.keys", "1");
        let Err(SetError::BadValue { expected, .. }) = refused else { panic!("{refused:?}") };
        assert_eq!(expected, "uniform or gaussian");
        assert_eq!(settings.join.keys, 1);
    }

    #[test]
    fn a_setting_says_what_it_counts() {
        let count = KernelSettings::all().find(|setting| setting.key == "vecadd.count");
        let expected = Setting {
            key: "vecadd.count",
            about: "Elements of an array.",
            default: 10_000,
            least: 0,
            most: 1 << 26,
            names: &[],
        };
        assert_eq!(count, Some(&expected));
    }
}
