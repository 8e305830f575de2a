//! The driver of `blockyard_rtl::module` against rust-hdl's own: the ordered, lazy blocks mean what
//! rust-hdl's plain ones mean, and what cannot settle is noticed.

#[path = "driver/calm.rs"]
mod calm;
#[path = "driver/conditions.rs"]
mod conditions;
#[path = "driver/loops.rs"]
mod loops;
#[path = "driver/plain.rs"]
mod plain;
#[path = "driver/sampling.rs"]
mod sampling;
#[path = "driver/threaded.rs"]
mod threaded;
