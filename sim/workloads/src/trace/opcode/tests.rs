use super::*;
use Architecture::*;

const ALL: [Architecture; 7] = [Kepler, MaxwellPascal, Volta, Turing, Ampere, Hopper, Blackwell];

fn class(architecture: Architecture, opcode: &str) -> Option<Class> {
    let opcode = Opcode::resolve(architecture, opcode.as_bytes());
    (!opcode.unknown).then_some(opcode.class)
}

#[test]
fn no_architecture_has_an_opcode_twice() {
    for architecture in ALL {
        let groups = architecture.tables().iter().copied().flatten();
        let mut names: Vec<&str> =
            groups.flat_map(|(_, names)| names.split_ascii_whitespace()).collect();
        let before = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), before, "{architecture:?}");
    }
}

#[test]
fn the_binary_version_decides_the_architecture() {
    let of = Architecture::of_binary;
    assert_eq!([of(20), of(35), of(37)], [Some(Kepler); 3]);
    assert_eq!([of(52), of(60), of(62)], [Some(MaxwellPascal); 3]);
    assert_eq!([of(70), of(72)], [Some(Volta); 2]);
    assert_eq!(of(75), Some(Turing));
    assert_eq!([of(80), of(86), of(87), of(89)], [Some(Ampere); 4]);
    assert_eq!([of(90), of(99)], [Some(Hopper); 2]);
    assert_eq!([of(100), of(103), of(120), of(129)], [Some(Blackwell); 4]);
    assert_eq!([of(0), of(19), of(40), of(49), of(130)], [None; 5]);
}

#[test]
fn the_base_opcode_stands_before_the_first_dot() {
    for architecture in ALL {
        assert_eq!(class(architecture, "FADD.FTZ.SAT"), Some(Class::SINGLE));
        assert_eq!(class(architecture, "LDL.64"), Some(Class::load(GLOBAL)));
        assert_eq!(class(architecture, "LD.E.SYS"), Some(Class::load(GENERIC)));
        assert_eq!(class(architecture, "IMAD.WIDE.U32"), Some(Class::INTEGER));
        assert_eq!(class(architecture, "DFMA"), Some(Class::DOUBLE));
        assert_eq!(class(architecture, "MUFU.RCP"), Some(Class::SPECIAL));
        assert_eq!(class(architecture, "F2I.TRUNC"), Some(Class::INTEGER));
        assert_eq!(class(architecture, ".FADD"), None);
        assert_eq!(class(architecture, "FAD"), None);
    }
}

#[test]
fn each_architecture_has_its_own_opcodes_and_those_it_inherits() {
    let have = |opcode: &str| ALL.map(|architecture| class(architecture, opcode).is_some());
    let since = |first: usize| std::array::from_fn(|architecture| architecture >= first);
    assert_eq!(have("LDSLK"), [true, false, false, false, false, false, false]);
    assert_eq!(have("RRO.SINCOS"), [true, true, false, false, false, false, false]);
    assert_eq!(have("XMAD.MRG"), [false, true, false, false, false, false, false]);
    assert_eq!(have("STG.E"), since(1));
    assert_eq!(have("HMMA.884.F32.F32.STEP0"), since(2));
    assert_eq!(have("ULDC.64"), since(3));
    assert_eq!(have("LDGSTS.E.BYPASS.128"), since(4));
    assert_eq!(have("VIADD"), since(5));
    assert_eq!(have("HGMMA.64x64x16.F32.BF16"), [false, false, false, false, false, true, false]);
    assert_eq!(have("UTCHMMA.2CTA"), since(6));
}

#[test]
fn opcodes_since_hopper_run_on_the_units_that_they_stand_for() {
    let of = |opcode: &str| class(Blackwell, opcode);
    assert_eq!(of("VIADDMNMX.RELU"), Some(Class::INTEGER));
    assert_eq!(of("VHMNMX"), Some(Class::SINGLE));
    assert_eq!(of("STSM.16.MT88.4"), Some(Class::store(SHARED)));
    assert_eq!(of("REDG.E.ADD"), Some(Class::atomic(GLOBAL)));
    assert_eq!(of("REDAS"), Some(Class::atomic(SHARED)));
    assert_eq!(of("LDGMC"), Some(Class::load(GLOBAL)));
    assert_eq!(of("SYNCS.PHASECHK.TRANS64.TRYWAIT"), Some(Class::INTEGER));
    assert_eq!(of("UTMALDG.2D"), Some(Class::Bulk));
    assert_eq!(of("LDCU.64"), Some(Class::Constant));
    assert_eq!(of("FFMA2"), Some(Class::SINGLE));
    assert_eq!(of("QMMA.16832"), Some(Class::TENSOR));
    assert_eq!(class(Hopper, "QGMMA.64x128x32"), Some(Class::TENSOR));
}

#[test]
fn arriving_at_a_barrier_without_waiting_is_no_barrier() {
    assert_eq!(class(Volta, "BAR.SYNC.DEFER_BLOCKING"), Some(Class::Barrier));
    assert_eq!(class(Volta, "BAR.RED.AND"), Some(Class::Barrier));
    assert_eq!(class(Volta, "BAR"), Some(Class::Barrier));
    assert_eq!(class(Volta, "BAR.ARV"), Some(Class::INTEGER));
}

#[test]
fn a_decoder_answers_the_same_every_time_and_counts_the_unknown_as_integers() {
    let mut decoder = Decoder::new(Ampere, Rc::default());
    for _ in 0..2 {
        let opcode = decoder.resolve(b"BOGUS.X");
        assert_eq!((opcode.class, opcode.unknown), (Class::INTEGER, true));
        let opcode = decoder.resolve(b"LDSM.MT88.4");
        assert_eq!((opcode.class, opcode.default_bytes), (Class::load(SHARED), 16));
    }
}

#[test]
fn a_decoder_remembers_so_many_opcodes_and_no_long_ones() {
    let mut decoder = Decoder::new(Volta, Rc::default());
    let long = "LDG.".repeat(1000);
    assert_eq!(decoder.resolve(long.as_bytes()).class, Class::load(GLOBAL));
    assert_eq!(decoder.known.len(), 0);
    for number in 0..2 * MOST_KNOWN {
        let opcode = decoder.resolve(format!("FADD.{number}").as_bytes());
        assert_eq!((opcode.class, opcode.unknown), (Class::SINGLE, false));
    }
    assert_eq!(decoder.known.len(), MOST_KNOWN);
}
