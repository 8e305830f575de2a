//! Running a kernel without timing.

use std::rc::Rc;

use blockyard_contract::diagnostic::InputError;
use blockyard_contract::port::Dim3;
use blockyard_ptx::{functional, Arguments, Launch, Machine};

/// A machine with the module `text`.
///
/// # Panics
/// When the module cannot be loaded.
#[allow(dead_code)]
pub fn machine(text: &str) -> Rc<Machine> {
    match blockyard_ptx::load("test.ptx", text) {
        Ok(program) => Machine::new(program),
        Err(error) => panic!("{}\n{text}", blockyard_contract::diagnostic::rendered(&error)),
    }
}

/// Runs `kernel` over `blocks` blocks of `threads` threads.
#[allow(dead_code)]
pub fn run(
    machine: &Rc<Machine>,
    kernel: &str,
    (blocks, threads): (u32, u32),
    arguments: Arguments,
) -> Result<functional::Counts, InputError> {
    let launch = Launch {
        grid: Dim3::new(blocks, 1, 1),
        block: Dim3::new(threads, 1, 1),
        shared_memory: 0,
        parameters: arguments.into_bytes(),
    };
    let launch = machine.launch(kernel, launch, 0)?;
    functional::run(&mut vec![launch])
}

/// A module of `items` for 64-bit addresses.
#[allow(dead_code)]
pub fn module(items: &str) -> String {
    format!(".version 7.0\n.target sm_70\n.address_size 64\n{items}")
}

/// Runs `kernel` as `launch` says.
#[allow(dead_code)]
pub fn run_launch(
    machine: &Rc<Machine>,
    kernel: &str,
    launch: Launch,
) -> Result<functional::Counts, InputError> {
    let launch = machine.launch(kernel, launch, 0)?;
    functional::run(&mut vec![launch])
}

/// What a user reads when the run of `kernel` over one block of `threads` threads fails.
///
/// # Panics
/// When it does not.
#[allow(dead_code)]
pub fn complaint(text: &str, kernel: &str, threads: u32, arguments: Arguments) -> String {
    let error = run(&machine(text), kernel, (1, threads), arguments).expect_err("it fails");
    let text = blockyard_contract::diagnostic::rendered(&error);
    // Lines without their indentation, which tests have one of their own for.
    text.lines().map(str::trim).collect::<Vec<_>>().join("\n")
}

/// A module with `items` and a kernel `k` of `body`, which takes the 64-bit parameters `a` and `b`;
/// they are in `%a` and `%b`, the thread's number in `%t`.
#[allow(dead_code)]
pub fn kernel(items: &str, body: &str) -> String {
    module(&format!(
        "{items}
.visible .entry k(.param .u64 a, .param .u64 b)
{{
.reg .b16 %h<9>;
.reg .b32 %t, %r<9>;
.reg .b64 %a, %b, %d<9>;
.reg .pred %p<9>;
ld.param.u64 %a, [a];
ld.param.u64 %b, [b];
mov.u32 %t, %tid.x;
{body}
ret;
}}
"
    ))
}

/// What one thread leaves in `words` words from `%a` on.
#[allow(dead_code)]
pub fn left(items: &str, body: &str, words: usize) -> Vec<u32> {
    left_by(1, items, body, words)
}

/// What `threads` threads leave there.
#[allow(dead_code)]
pub fn left_by(threads: u32, items: &str, body: &str, words: usize) -> Vec<u32> {
    let text = kernel(items, body);
    let machine = machine(&text);
    let at = machine.array(&vec![0; words]).unwrap();
    let arguments = Arguments::new().long(at).long(0x0123_4567_89ab_cdef);
    if let Err(error) = run(&machine, "k", (1, threads), arguments) {
        panic!("{}\n{text}", blockyard_contract::diagnostic::rendered(&error));
    }
    machine.words(at, words as u64).unwrap()
}
