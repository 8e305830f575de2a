//! Memory: every state space, and what happens outside of it.

mod memory {
    mod faults;
    mod generic;
    mod local;
    mod shared;
    mod variables;
    mod widths;

    use crate::support;
    use blockyard_ptx::Arguments;

    /// A module with `items` and a kernel `k` of `body`, which takes the 64-bit parameters `a` and `b`;
    /// they are in `%a` and `%b`, the thread's number in `%t`.
    pub fn module(items: &str, body: &str) -> String {
        support::module(&format!(
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
    pub fn left(items: &str, body: &str, words: usize) -> Vec<u32> {
        left_by(1, items, body, words)
    }

    /// What `threads` threads leave there.
    pub fn left_by(threads: u32, items: &str, body: &str, words: usize) -> Vec<u32> {
        let text = module(items, body);
        let machine = support::machine(&text);
        let at = machine.array(&vec![0; words]).unwrap();
        let arguments = Arguments::new().long(at).long(0x0123_4567_89ab_cdef);
        if let Err(error) = support::run(&machine, "k", (1, threads), arguments) {
            panic!("{}\n{text}", blockyard_contract::diagnostic::rendered(&error));
        }
        machine.words(at, words as u64).unwrap()
    }
}
mod support;
