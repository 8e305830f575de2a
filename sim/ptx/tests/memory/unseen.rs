//! Instructions and modifiers that change nothing that a thread could see.

use super::{left, module};

/// All forms of the manual that are about caches, order and time.
const INSTRUCTIONS: &[&str] = &[
    "membar.cta",
    "membar.gl",
    "membar.sys",
    "membar.proxy.alias",
    "fence.gpu",
    "fence.sc.cta",
    "fence.sc.sys",
    "fence.acq_rel.gpu",
    "fence.acq_rel.cluster",
    "fence.acquire.sys",
    "fence.release.cta",
    "fence.proxy.alias",
    "fence.proxy.async",
    "fence.proxy.async.shared::cta",
    "fence.proxy.async.global",
    "fence.proxy.tensormap::generic.release.gpu",
    "fence.proxy.tensormap::generic.acquire.gpu [%a], 128",
    "fence.mbarrier_init.release.cluster",
    "fence.acquire.sync_restrict::shared::cluster.cluster",
    "fence.release.sync_restrict::shared::cta.cluster",
    "fence.proxy.async::generic.acquire.sync_restrict::shared::cluster.cluster",
    "fence.proxy.async::generic.release.sync_restrict::shared::cta.cluster",
    "prefetch.global.L1 [%a]",
    "prefetch.global.L2 [%a+8]",
    "prefetch.local.L1 [%d0]",
    "prefetch.L2 [%a]",
    "prefetch.global.L2::evict_last [%a]",
    "prefetch.global.L2::evict_normal [%a]",
    "prefetch.tensormap [%a]",
    "prefetch.param.tensormap [%a]",
    "prefetchu.L1 [%a]",
    "applypriority.global.L2::evict_normal [%a], 128",
    "applypriority.L2::evict_normal [%a], 128",
    // Of what is discarded nothing may be read; this is elsewhere.
    "discard.global.L2 [%b], 128",
    "discard.L2 [%b], 128",
    "nanosleep.u32 %r1",
    "nanosleep.u32 20",
    "pmevent 7",
    "pmevent.mask 0xff",
    "brkpt",
];

#[test]
fn registers_predicates_and_memory_stay_as_they_were() {
    for instruction in INSTRUCTIONS {
        let body = format!(
            "mov.u32 %r1, 5; mov.u32 %r2, 0x89abcdef; setp.eq.u32 %p1, %r1, 5;
            st.global.v2.u32 [%a], {{%r1, %r2}};
            {instruction};
            selp.u32 %r3, 1, 2, %p1;
            ld.global.v2.u32 {{%r4, %r5}}, [%a];
            st.global.v4.u32 [%a+16], {{%r1, %r2, %r3, %r4}};
            st.global.u32 [%a+32], %r5;"
        );
        let found = left("", &body, 9);
        let expected = [5, 0x89ab_cdef, 0, 0, 5, 0x89ab_cdef, 1, 5, 0x89ab_cdef];
        assert_eq!(found, expected, "{instruction}");
    }
}

#[test]
fn forms_that_the_manual_does_not_have_are_refused_by_name() {
    for instruction in [
        "membar.cluster",
        "membar",
        "fence.relaxed.gpu",
        "fence.sc.warp",
        "fence.acquire.sync_restrict::shared::cta.cluster",
        "fence.proxy.texture",
        "fence.proxy.tensormap::generic.release.warp",
        "prefetch.shared.L1 [%a]",
        "prefetch.global.L3 [%a]",
        "prefetchu.L2 [%a]",
        "discard.global.L1 [%a], 128",
        "applypriority.global.L2::evict_last [%a], 128",
        "nanosleep.u64 %d0",
        "pmevent.all 1",
        "brkpt.uni",
    ] {
        let text = module("", &format!("{instruction};"));
        let Err(error) = blockyard_ptx::load("test.ptx", &text) else { panic!("{instruction}") };
        let opcode = instruction.split([' ', '.']).next().unwrap();
        assert!(error.to_string().contains(opcode), "{error}");
    }
}

#[test]
fn orders_scopes_caches_and_hints_of_accesses_change_nothing() {
    let loads = [
        "ld",
        "ld.weak",
        "ld.volatile",
        "ld.relaxed.cta",
        "ld.relaxed.gpu",
        "ld.acquire.cluster",
        "ld.acquire.sys",
        "ld.mmio.relaxed.sys",
        "ldu",
    ];
    let stores = [
        "st",
        "st.weak",
        "st.volatile",
        "st.relaxed.cluster",
        "st.release.gpu",
        "st.mmio.relaxed.sys",
    ];
    let after_load = [
        "",
        ".ca",
        ".cg",
        ".cs",
        ".lu",
        ".cv",
        ".nc",
        ".nc.L1::evict_last",
        ".L1::evict_normal",
        ".L1::evict_unchanged",
        ".L1::evict_first",
        ".L1::no_allocate",
        ".L2::evict_normal",
        ".L2::evict_first",
        ".L2::evict_last",
        ".L2::64B",
        ".L2::128B",
        ".L2::256B",
        ".L1::no_allocate.L2::128B",
    ];
    let after_store = ["", ".wb", ".cg", ".cs", ".wt", ".L1::evict_first", ".L2::evict_last"];
    let loads = loads.map(|load| (load, ""));
    let stores = stores.map(|store| (store, ""));
    let loads = loads.into_iter().chain(after_load.map(|after| ("ld", after)));
    let stores: Vec<_> = stores.into_iter().chain(after_store.map(|after| ("st", after))).collect();
    for (load, load_after) in loads {
        for &(store, store_after) in &stores {
            let body = format!(
                "mov.u32 %r1, 0x89abcdef;
                {store}.global{store_after}.u32 [%a+4], %r1;
                {load}.global{load_after}.u32 %r2, [%a+4];
                createpolicy.fractional.L2::evict_last.b64 %d0, 1.0;
                ld.global.L2::cache_hint.u32 %r3, [%a+4], %d0;
                st.global.L2::cache_hint.v2.u32 [%a+8], {{%r2, %r3}}, %d0;"
            );
            let expected = [0, 0x89ab_cdef, 0x89ab_cdef, 0x89ab_cdef];
            assert_eq!(left("", &body, 4), expected, "{load}{load_after} {store}{store_after}");
        }
    }
}
