//! The addresses of the lanes of an instruction, in as few numbers as they take.

use crate::program::WARP_LANES;

/// The addresses of the active lanes of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Addresses {
    /// It is no memory access.
    None,
    /// Lane `l` accesses `base + l * stride`, in 64 bits with wrap-around.
    Stride { base: u64, stride: u64 },
    /// One for each active lane, in a list beside this.
    List,
}

impl Addresses {
    /// Those of the lanes `active` of which the lowest has `first`, and a lane `n` further
    /// `first + n * stride`.
    #[inline]
    pub fn from_first(active: u32, first: u64, stride: u64) -> Self {
        let lane = u64::from(active.trailing_zeros());
        if active == 0 {
            Self::None
        } else if active.is_power_of_two() {
            Self::Stride { base: first, stride: 0 }
        } else {
            Self::Stride { base: first.wrapping_sub(stride.wrapping_mul(lane)), stride }
        }
    }

    /// The addresses `list` of the lanes `active`: with their stride, if they have one.
    #[inline]
    pub fn of_list(active: u32, list: &[u64; WARP_LANES]) -> Self {
        if active == 0 {
            return Self::None;
        }
        let first = active.trailing_zeros();
        let rest = active & (active - 1);
        if rest == 0 {
            return Self::Stride { base: list[0], stride: 0 };
        }
        let step = list[1].wrapping_sub(list[0]) as i64;
        let lanes = i64::from(rest.trailing_zeros() - first);
        // Lanes are mostly neighbours, and a division takes long.
        let stride = if lanes == 1 {
            step as u64
        } else if step % lanes == 0 {
            (step / lanes) as u64
        } else {
            return Self::List;
        };
        let base = list[0].wrapping_sub(stride.wrapping_mul(u64::from(first)));
        let mut left = rest;
        for &address in &list[1..active.count_ones() as usize] {
            let lane = u64::from(left.trailing_zeros());
            left &= left - 1;
            if base.wrapping_add(stride.wrapping_mul(lane)) != address {
                return Self::List;
            }
        }
        Self::Stride { base, stride }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(active: u32, addresses: &[u64]) -> Addresses {
        let mut list = [0; WARP_LANES];
        list[..addresses.len()].copy_from_slice(addresses);
        Addresses::of_list(active, &list)
    }

    #[test]
    fn lanes_apart_have_a_stride_if_their_addresses_are_as_far_apart() {
        assert_eq!(of(0b10_0100, &[108, 120]), Addresses::Stride { base: 100, stride: 4 });
        assert_eq!(of(0b10_0100, &[108, 121]), Addresses::List);
        assert_eq!(of(0b110_0100, &[108, 120, 124]), Addresses::Stride { base: 100, stride: 4 });
        assert_eq!(of(0b110_0100, &[108, 120, 125]), Addresses::List);
    }

    #[test]
    fn one_lane_has_no_stride_and_none_no_address() {
        assert_eq!(of(0b100, &[108]), Addresses::Stride { base: 108, stride: 0 });
        assert_eq!(of(0, &[]), Addresses::None);
    }
}
