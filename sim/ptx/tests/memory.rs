//! Memory and registers: every state space, and what happens outside of it.

mod memory {
    mod atomics;
    mod faults;
    mod generic;
    mod local;
    mod mbarriers;
    mod registers;
    mod shared;
    mod unseen;
    mod variables;
    mod vector_atomics;
    mod widths;

    use crate::support::{kernel as module, left, left_by};
}
mod support;
