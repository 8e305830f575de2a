//! Matrices that a warp holds together.
//!
//! Products are exact, and added up one after the other in f64, which is rounded once to the
//! result: hardware keeps fewer bits on the way, and the manual does not say which.

use super::addresses::each;
use super::{Fault, Warp};
use crate::ast::Type;
use crate::machine::{put, value_of};
use crate::program::{Element, Fragment, Held, Lookup, Order, Reg, Tensor};
use crate::semantics;
use blockyard_gpu::program::{Instruction, WARP_LANES};

/// A matrix, row by row.
struct Matrix {
    columns: u32,
    numbers: Vec<f64>,
}

impl Matrix {
    fn new(rows: u32, columns: u32) -> Self {
        Self { columns, numbers: vec![0.0; (rows * columns) as usize] }
    }

    fn at(&mut self, (row, column): (u32, u32)) -> &mut f64 {
        &mut self.numbers[(row * self.columns + column) as usize]
    }
}

impl Warp {
    pub(super) fn tensor(
        &mut self,
        tensor: &Tensor,
        lanes: u32,
        shown: &mut Instruction,
    ) -> Result<(), Fault> {
        match tensor {
            Tensor::Multiply { factors: [a, b], sums, result, to, clamps } => {
                let [mut left, mut right, mut sums] = [a, b, sums].map(|held| self.gathered(held));
                let inner = a.fragment.columns;
                for row in 0..result.rows {
                    for column in 0..result.columns {
                        let mut sum = *sums.at((row, column));
                        for k in 0..inner {
                            sum = left.at((row, k)).mul_add(*right.at((k, column)), sum);
                        }
                        *sums.at((row, column)) = sum;
                    }
                }
                self.scatter(&mut sums, *result, *clamps, (to, lanes));
            }
            Tensor::Load { from, fragment, order, to } => {
                self.load_matrix(from, *fragment, *order, (to, lanes), shown)?;
            }
            Tensor::Store { to, matrix, order } => {
                self.store_matrix(to, matrix, *order, lanes, shown)?;
            }
            Tensor::Rows { from, transposed, to } => {
                self.load_rows(from, *transposed, (to, lanes), shown)?;
            }
            Tensor::Copy { to, from, bytes, valid } => {
                let (targets, sources) = (self.addresses(to), self.addresses(from));
                let valid = valid.map(|source| self.lanes_of(source));
                for lane in each(lanes) {
                    let valid = valid.map_or(*bytes, |valid| valid[lane].min(*bytes));
                    for at in 0..*bytes {
                        let mut byte = 0;
                        if at < valid {
                            let place = sources[lane].wrapping_add(at);
                            byte = self.place(from.space, lane, place, 1, "load", |p| p[0])?;
                        }
                        let place = targets[lane].wrapping_add(at);
                        self.place(to.space, lane, place, 1, "store", |place| place[0] = byte)?;
                    }
                }
                self.show_each(lanes, from, &sources, shown);
            }
        }
        Ok(())
    }

    /// The matrix that all lanes hold together.
    fn gathered(&self, held: &Held) -> Matrix {
        let fragment = held.fragment;
        let mut matrix = Matrix::new(fragment.rows, fragment.columns);
        let packed = fragment.element.per_register();
        for (register, source) in (0..).zip(&held.registers) {
            let values = self.lanes_of(*source);
            for (lane, value) in (0..).zip(values) {
                for part in 0..packed {
                    let bits = value >> (part * fragment.element.bits());
                    let place = fragment.place(lane, register * packed + part);
                    *matrix.at(place) = number(fragment.element, bits);
                }
            }
        }
        matrix
    }

    /// Gives each of `lanes` its elements.
    fn scatter(
        &mut self,
        matrix: &mut Matrix,
        fragment: Fragment,
        clamps: bool,
        (to, lanes): (&[Option<Reg>], u32),
    ) {
        let packed = fragment.element.per_register();
        for (register, to) in (0..).zip(to) {
            let values = std::array::from_fn(|lane| {
                (0..packed).fold(0, |value, part| {
                    let place = fragment.place(lane as u32, register * packed + part);
                    let bits = bits(fragment.element, *matrix.at(place), clamps);
                    value | bits << (part * fragment.element.bits())
                })
            });
            if let Some(to) = *to {
                self.registers.write(to, lanes, &values);
            }
        }
    }

    /// Where the elements in the slots of a lane are, of a matrix that begins `at`.
    fn elements(
        &self,
        at: &Lookup,
        fragment: Fragment,
        order: Order,
    ) -> impl Fn(usize, u32) -> u64 {
        let begins = self.addresses(at);
        let strides = order.stride.map(|stride| self.lanes_of(stride));
        move |lane, slot| {
            let (row, column) = fragment.place(lane as u32, slot);
            let (line, place, length) = match order.by_columns {
                true => (column, row, fragment.rows),
                false => (row, column, fragment.columns),
            };
            let stride = strides.map_or(length.into(), |strides| strides[lane]);
            let before = u64::from(line) * stride + u64::from(place);
            begins[lane].wrapping_add(before * u64::from(fragment.element.bits() / 8))
        }
    }

    fn load_matrix(
        &mut self,
        from: &Lookup,
        fragment: Fragment,
        order: Order,
        (to, lanes): (&[Option<Reg>], u32),
        shown: &mut Instruction,
    ) -> Result<(), Fault> {
        let at = self.elements(from, fragment, order);
        let element = fragment.element;
        let bytes = u64::from(element.bits() / 8);
        let packed = element.per_register();
        let mut values = vec![[0; WARP_LANES]; to.len()];
        for lane in each(lanes) {
            for slot in 0..fragment.slots() {
                let bits =
                    self.place(from.space, lane, at(lane, slot), bytes, "load", |p| value_of(p))?;
                values[(slot / packed) as usize][lane] |= bits << (slot % packed * element.bits());
            }
        }
        self.registers.write_all(lanes, to, &values);
        let first = std::array::from_fn(|lane| at(lane, 0));
        self.show_each(lanes, from, &first, shown);
        Ok(())
    }

    fn store_matrix(
        &mut self,
        to: &Lookup,
        matrix: &Held,
        order: Order,
        lanes: u32,
        shown: &mut Instruction,
    ) -> Result<(), Fault> {
        let fragment = matrix.fragment;
        let at = self.elements(to, fragment, order);
        let element = fragment.element;
        let bytes = u64::from(element.bits() / 8);
        let packed = element.per_register();
        for (register, source) in (0..).zip(&matrix.registers) {
            let values = self.lanes_of(*source);
            for lane in each(lanes) {
                for part in 0..packed {
                    let at = at(lane, register * packed + part);
                    let value = values[lane] >> (part * element.bits());
                    self.place(to.space, lane, at, bytes, "store", |place| put(place, value))?;
                }
            }
        }
        let first = std::array::from_fn(|lane| at(lane, 0));
        self.show_each(lanes, to, &first, shown);
        Ok(())
    }

    /// Lanes 8 to 15, for instance, say where the rows of the second matrix are, 8 halves each.
    fn load_rows(
        &mut self,
        from: &Lookup,
        transposed: bool,
        (to, lanes): (&[Option<Reg>], u32),
        shown: &mut Instruction,
    ) -> Result<(), Fault> {
        let addresses = self.addresses(from);
        for (matrix, to) in to.iter().enumerate() {
            let mut values = [0; WARP_LANES];
            for lane in each(lanes) {
                for part in 0..2 {
                    let (row, column) = (lane / 4, lane % 4 * 2 + part);
                    let (row, column) = if transposed { (column, row) } else { (row, column) };
                    let at = addresses[8 * matrix + row].wrapping_add(2 * column as u64);
                    let half = self.place(from.space, lane, at, 2, "load", |p| value_of(p))?;
                    values[lane] |= half << (16 * part);
                }
            }
            if let Some(to) = *to {
                self.registers.write(to, lanes, &values);
            }
        }
        let rows = 8 * to.len();
        let rows = std::array::from_fn(|lane| addresses[lane % rows]);
        self.show_each(lanes, from, &rows, shown);
        Ok(())
    }
}

/// The number that the low bits stand for; f64 has all of them.
fn number(element: Element, bits: u64) -> f64 {
    let whole = |signed: bool, width: u32| {
        let above = bits << (64 - width);
        if signed {
            (above as i64 >> (64 - width)) as f64
        } else {
            (above >> (64 - width)) as f64
        }
    };
    match element {
        Element::Half => semantics::widened(Type::Float(16), bits),
        Element::Brain => semantics::widened(Type::Brain, bits),
        Element::Tensor => f64::from(f32::from_bits(bits as u32 >> 13 << 13)),
        Element::Single => f64::from(f32::from_bits(bits as u32)),
        Element::Double => f64::from_bits(bits),
        Element::Byte { signed } => whole(signed, 8),
        Element::Nibble { signed } => whole(signed, 4),
        Element::Word => whole(true, 32),
    }
}

/// The bits of a sum; those of whole numbers that are too large are clamped or cut off.
fn bits(element: Element, number: f64, clamps: bool) -> u64 {
    match element {
        Element::Half => semantics::narrowed(Type::Float(16), number),
        Element::Single => semantics::narrowed(Type::Float(32), number),
        Element::Double => semantics::narrowed(Type::Float(64), number),
        _ if clamps => u64::from(number as i32 as u32),
        _ => u64::from(number as i64 as u32),
    }
}
