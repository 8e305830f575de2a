//! Modules of `dependent`.

mod waiting;
