//! State space: N claimants, N things, each open or not; exhausted for N up to 3, sampled up to 132
//! with targets beyond N.

use crate::harness::{drive_word, fresh, random};
use blockyard_rtl::mask::Mask;
use blockyard_rtl::module::settle;
use blockyard_rtl::prim::ClaimArbiter;
use blockyard_rtl::word::id_bits;
use rand::RngExt;

fn check(arbiter: &mut ClaimArbiter, claims: &[Option<usize>], open: &[bool]) {
    let count = claims.len();
    let word = |bits: &[bool]| Mask::gather(count, |bit| bits[bit]);
    arbiter.claims.next = word(&claims.iter().map(Option::is_some).collect::<Vec<_>>());
    for (port, claim) in arbiter.target.iter_mut().zip(claims) {
        drive_word(port, claim.unwrap_or(0));
    }
    arbiter.open.next = word(open);
    settle(arbiter);
    let is_open = |thing: usize| open.get(thing).copied().unwrap_or(false);
    let first = |thing: usize| claims.iter().position(|&claim| claim == Some(thing));
    let (mut grant, mut refuse) = (vec![false; count], vec![false; count]);
    for (claimant, claim) in claims.iter().enumerate() {
        let Some(thing) = *claim else { continue };
        grant[claimant] = is_open(thing) && first(thing) == Some(claimant);
        refuse[claimant] = !is_open(thing);
    }
    let taken: Vec<_> = (0..count).map(|thing| is_open(thing) && first(thing).is_some()).collect();
    assert_eq!(arbiter.grant.val(), word(&grant), "{claims:?} of {open:?}");
    assert_eq!(arbiter.refuse.val(), word(&refuse), "{claims:?} of {open:?}");
    assert_eq!(arbiter.taken.val(), word(&taken), "{claims:?} of {open:?}");
}

fn exhaust(count: usize) {
    let mut arbiter = fresh(ClaimArbiter::new(count));
    let choices = count + 1;
    for choice in 0..choices.pow(count as u32) {
        let claims: Vec<_> = (0..count)
            .map(|claimant| (choice / choices.pow(claimant as u32) % choices).checked_sub(1))
            .collect();
        for open in 0..1u32 << count {
            let open: Vec<_> = (0..count).map(|thing| open >> thing & 1 == 1).collect();
            check(&mut arbiter, &claims, &open);
        }
    }
}

fn sample(count: usize) {
    let mut arbiter = fresh(ClaimArbiter::new(count));
    let mut random = random(count as u64);
    for _ in 0..2_000 {
        let most = random.random_range(1..=1 << id_bits(count));
        let claims: Vec<_> = (0..count)
            .map(|_| random.random_bool(0.7).then(|| random.random_range(0..most)))
            .collect();
        let open: Vec<_> = (0..count).map(|_| random.random_bool(0.6)).collect();
        check(&mut arbiter, &claims, &open);
    }
}

#[test]
fn the_lowest_claimant_of_an_open_thing_is_granted_and_all_claimants_of_another_are_refused() {
    for count in 1..=3 {
        exhaust(count);
    }
}

#[test]
fn claims_of_many_and_of_things_that_are_not_there_obey_the_same_rule() {
    for count in [1, 4, 15, 31, 32, 33, 65, 132] {
        sample(count);
    }
}
