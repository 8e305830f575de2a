//! State space: N claimants, N things, each open or not; exhausted for N up to 3, sampled up to 32 with
//! targets beyond N.

use crate::harness::{fresh, random};
use blockyard_rtl::module::settle;
use blockyard_rtl::prim::ClaimArbiter;
use blockyard_rtl::word::U;
use rand::RngExt;

fn check<const N: usize>(arbiter: &mut ClaimArbiter<N>, claims: &[Option<usize>], open: &[bool]) {
    let word = |bits: &[bool]| {
        U::new(bits.iter().enumerate().fold(0, |word, (bit, &set)| word | u64::from(set) << bit))
    };
    arbiter.claims.next = word(&claims.iter().map(Option::is_some).collect::<Vec<_>>());
    for (port, claim) in arbiter.target.iter_mut().zip(claims) {
        port.next = U::new(claim.unwrap_or(0) as u64);
    }
    arbiter.open.next = word(open);
    settle(arbiter);
    let is_open = |thing: usize| open.get(thing).copied().unwrap_or(false);
    let first = |thing: usize| claims.iter().position(|&claim| claim == Some(thing));
    let (mut grant, mut refuse) = (vec![false; N], vec![false; N]);
    for (claimant, claim) in claims.iter().enumerate() {
        let Some(thing) = *claim else { continue };
        grant[claimant] = is_open(thing) && first(thing) == Some(claimant);
        refuse[claimant] = !is_open(thing);
    }
    let taken: Vec<_> = (0..N).map(|thing| is_open(thing) && first(thing).is_some()).collect();
    assert_eq!(arbiter.grant.val(), word(&grant), "N {N}, {claims:?} of {open:?}");
    assert_eq!(arbiter.refuse.val(), word(&refuse), "N {N}, {claims:?} of {open:?}");
    assert_eq!(arbiter.taken.val(), word(&taken), "N {N}, {claims:?} of {open:?}");
}

fn exhaust<const N: usize>() {
    let mut arbiter = fresh(ClaimArbiter::<N>::new());
    for choice in 0..(N + 1).pow(N as u32) {
        let claims: Vec<_> = (0..N)
            .map(|claimant| (choice / (N + 1).pow(claimant as u32) % (N + 1)).checked_sub(1))
            .collect();
        for open in 0..1u32 << N {
            let open: Vec<_> = (0..N).map(|thing| open >> thing & 1 == 1).collect();
            check(&mut arbiter, &claims, &open);
        }
    }
}

fn sample<const N: usize>() {
    let mut arbiter = fresh(ClaimArbiter::<N>::new());
    let mut random = random(N as u64);
    for _ in 0..2_000 {
        let most = random.random_range(1..=32);
        let claims: Vec<_> =
            (0..N).map(|_| random.random_bool(0.7).then(|| random.random_range(0..most))).collect();
        let open: Vec<_> = (0..N).map(|_| random.random_bool(0.6)).collect();
        check(&mut arbiter, &claims, &open);
    }
}

#[test]
fn the_lowest_claimant_of_an_open_thing_is_granted_and_all_claimants_of_another_are_refused() {
    exhaust::<1>();
    exhaust::<2>();
    exhaust::<3>();
}

#[test]
fn claims_of_many_and_of_things_that_are_not_there_obey_the_same_rule() {
    sample::<1>();
    sample::<4>();
    sample::<15>();
    sample::<31>();
    sample::<32>();
}
