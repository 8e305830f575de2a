use super::*;
use blockyard_contract::port::Dim3;
use blockyard_gpu::program::{Instruction, Operation, Space};

use crate::reduce::ReduceOptions;
use crate::vecadd::VecaddOptions;
use crate::walsh::WalshOptions;

fn member(workload: KernelWorkload, arrive: u64) -> Member {
    Member { workload, arrive }
}

/// Two launches, one after the other.
fn reduce() -> KernelWorkload {
    KernelWorkload::Reduce(ReduceOptions { count: 4_000, block: 32 })
}

#[test]
fn programs_begin_when_they_arrive_in_streams_of_their_own_under_names_of_their_own() {
    let vecadd = KernelWorkload::Vecadd(VecaddOptions::default());
    let mut together = Together::new(&[member(vecadd, 0), member(vecadd, 75)], 1).expect("memory");
    let launches = together.start();
    let seen: Vec<_> =
        launches.iter().map(|launch| (&*launch.name, launch.arrive, launch.stream)).collect();
    assert_eq!(seen, [("1:vecadd", 0, 0), ("2:vecadd", 75, STREAMS)]);
}

#[test]
fn each_program_goes_on_when_its_own_kernels_have_finished() {
    let walsh = KernelWorkload::Walsh(WalshOptions { log2: 6 });
    let mut together = Together::new(&[member(reduce(), 0), member(walsh, 0)], 1).expect("memory");
    assert_eq!(together.start().len(), 2);
    let next = together.kernel_finished("1:reduce", 0, 100);
    let seen: Vec<_> = next.iter().map(|launch| (&*launch.name, launch.arrive)).collect();
    assert_eq!(seen, [("1:reduce", 101)]);
    let next = together.kernel_finished("2:walsh_tile", 0, 120);
    assert_eq!(next.iter().map(|launch| &*launch.name).collect::<Vec<_>>(), ["2:walsh_tile"]);
}

#[test]
fn who_has_said_that_nothing_follows_is_not_asked_again() {
    let vecadd = KernelWorkload::Vecadd(VecaddOptions { count: 64, block: 32 });
    let none = KernelWorkload::Vecadd(VecaddOptions { count: 0, block: 32 });
    let mut together = Together::new(&[member(none, 0), member(vecadd, 0)], 1).expect("memory");
    assert_eq!(together.start().len(), 1);
    assert!(together.kernel_finished("2:vecadd", 0, 9).is_empty());
    assert!(together.0.iter().all(|program| program.done && program.running == 0));
    assert!(together.all_finished(9).is_empty());
}

#[test]
fn what_is_wrong_is_said_with_the_number_of_the_program() {
    let vecadd = KernelWorkload::Vecadd(VecaddOptions { count: 64, block: 32 });
    let none = KernelWorkload::Vecadd(VecaddOptions { count: 0, block: 32 });
    let mut together = Together::new(&[member(none, 0), member(vecadd, 0)], 1).expect("memory");
    let wrong = together.verify().expect_err("nothing was added");
    assert!(wrong.starts_with("program 2: vecadd: "), "{wrong}");
}

#[test]
fn only_kernels_of_programs_beside_others_have_a_program() {
    assert_eq!(program_of("2:sad"), Some((1, "sad")));
    assert_eq!(program_of("8:a:b"), Some((7, "a:b")));
    for name in ["sad", "0:sad", "x:sad", ":sad"] {
        assert_eq!(program_of(name), None, "{name}");
    }
}

/// The first memory instruction of the first warp of `launch`.
fn first_access(launch: &HostLaunch) -> Instruction {
    let Body::Code(code) = &launch.body else { panic!("code") };
    let mut programs = Vec::new();
    code.block(Dim3::new(0, 0, 0), 1, &mut programs).expect("a block");
    let mut instruction = Instruction::default();
    loop {
        programs[0].next(&mut instruction);
        assert_ne!(instruction.operation, Operation::Exit, "an access comes first");
        if let Operation::Memory { space: Space::Global, .. } = instruction.operation {
            return instruction;
        }
    }
}

#[test]
fn a_program_s_memory_lies_apart_from_that_of_the_one_before() {
    let vecadd = KernelWorkload::Vecadd(VecaddOptions { count: 64, block: 32 });
    let mut together = Together::new(&[member(vecadd, 0), member(vecadd, 0)], 1).expect("memory");
    let launches = together.start();
    let [first, second] = [0, 1].map(|number: usize| first_access(&launches[number]));
    for lane in 0..32 {
        assert_eq!(second.addresses.of(lane), first.addresses.of(lane) + SPACE, "{lane}");
    }
    assert_eq!((first.pc, first.active), (second.pc, second.active));
}
