//! A small design, with values of every kind.

use rust_hdl::prelude::*;

#[derive(LogicState, Copy, Clone, Debug, PartialEq)]
pub enum Phase {
    Idle,
    Count,
    Rest,
}

#[derive(LogicStruct, Copy, Clone, Debug, Default, PartialEq)]
pub struct Pair {
    pub high: Bits<4>,
    pub low: Bit,
}

#[derive(LogicBlock, Default)]
pub struct Cell {
    pub clock: Signal<In, Clock>,
    pub value: Signal<Out, Bits<8>>,
}
impl Logic for Cell {
    fn update(&mut self) {}
}

#[derive(LogicBlock, Default)]
pub struct Top {
    pub clock: Signal<In, Clock>,
    pub count: Signal<Out, Bits<8>>,
    pub pair: Signal<Out, Pair>,
    pub phase: Signal<Local, Phase>,
    pub wide: Signal<Out, Bits<100>>,
    pub cells: [Cell; 2],
}
impl Logic for Top {
    fn update(&mut self) {}
}

/// The design in a cycle: it changes in every third one only.
pub fn at(cycle: u64) -> Top {
    let mut top = Top::default();
    let step = cycle / 3;
    top.count.next = step.into();
    top.pair.next = Pair { high: (step % 16).into(), low: step % 2 == 1 };
    top.phase.next = [Phase::Idle, Phase::Count, Phase::Rest][step as usize % 3];
    top.cells[1].value.next = (step * 2).into();
    top.wide.next = Bits::<100>::from(step) << Bits::<7>::from(70) | Bits::from(step);
    top.update_all();
    top
}
