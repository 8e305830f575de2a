//! Modules of `clusters`.

mod balance;
mod kernel_table;
mod sequence;
mod spread;

use blockyard_sim::port::FloorPlan;

/// Floor plans with one GPC, one SMX, GPCs of one SMX, of different sizes, and masks of several
/// words.
fn plans() -> Vec<FloorPlan> {
    let plan = |gpcs: &[u32]| FloorPlan::new(gpcs.iter().sum::<u32>() as usize, gpcs);
    vec![
        plan(&[1]),
        plan(&[3]),
        plan(&[2, 1]),
        plan(&[1, 1, 1]),
        plan(&[3, 2, 2]),
        plan(&[5, 4, 4]),
        plan(&[17, 16]),
        FloorPlan::uneven(65),
        plan(&[16, 16, 16, 16, 18, 18, 18, 14]),
    ]
}
