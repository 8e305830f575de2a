//! Lanes that go different ways: drawn programs leave what their threads leave one by one.

mod divergence {
    mod barriers;
    mod counts;
    mod drawn;
    mod graphs;
    mod programs;
    mod scalar;
    mod text;
}
mod support;
