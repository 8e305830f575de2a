//! The addresses of the lanes of a memory operation.

use crate::port::WARP_LANES;

/// One byte address for each lane; those of inactive lanes mean nothing.
///
/// Lanes that access one place after the other, as most do, take two numbers: 32 are neither
/// written nor compared then.
#[derive(Clone, Debug)]
pub struct LaneAddresses {
    /// Of lanes at equal distances, that of lane 0 alone means something.
    lanes: [u64; WARP_LANES],
    /// From each lane to the next, with wrap-around; `None`: each has an address of its own.
    stride: Option<u64>,
}

impl Default for LaneAddresses {
    /// 0 for all.
    fn default() -> Self {
        Self { lanes: [0; WARP_LANES], stride: None }
    }
}

impl From<[u64; WARP_LANES]> for LaneAddresses {
    fn from(lanes: [u64; WARP_LANES]) -> Self {
        Self { lanes, stride: None }
    }
}

impl PartialEq for LaneAddresses {
    fn eq(&self, other: &Self) -> bool {
        (0..WARP_LANES).all(|lane| self.of(lane) == other.of(lane))
    }
}

impl Eq for LaneAddresses {}

impl LaneAddresses {
    /// That of lane `lane`.
    #[inline]
    pub fn of(&self, lane: usize) -> u64 {
        match self.stride {
            Some(stride) => self.lanes[0].wrapping_add(stride.wrapping_mul(lane as u64)),
            None => self.lanes[lane],
        }
    }

    /// That of lane 0 and the stride, if the addresses were given so.
    #[inline]
    pub fn stride(&self) -> Option<(u64, u64)> {
        self.stride.map(|stride| (self.lanes[0], stride))
    }

    /// That of each lane, unless they were given by their stride.
    #[inline]
    pub fn list(&self) -> Option<&[u64; WARP_LANES]> {
        self.stride.is_none().then_some(&self.lanes)
    }

    /// Lane `l` accesses `base + l * stride`, with wrap-around.
    #[inline]
    pub fn set_stride(&mut self, base: u64, stride: u64) {
        self.lanes[0] = base;
        self.stride = Some(stride);
    }

    /// Moves all addresses up by `bytes`, with wrap-around.
    #[inline]
    pub fn move_by(&mut self, bytes: u64) {
        // Of lanes at equal distances the first one says where the others are.
        let given = if self.stride.is_some() { 1 } else { WARP_LANES };
        self.lanes[..given].iter_mut().for_each(|lane| *lane = lane.wrapping_add(bytes));
    }

    /// The address of each lane, to be overwritten: they mean nothing where they were given by
    /// their stride before.
    #[inline]
    pub fn list_mut(&mut self) -> &mut [u64; WARP_LANES] {
        self.stride = None;
        &mut self.lanes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stride_says_the_same_as_the_list_of_its_addresses() {
        let list = std::array::from_fn(|lane| u64::MAX.wrapping_add(8 * lane as u64));
        let mut addresses = LaneAddresses::default();
        addresses.set_stride(u64::MAX, 8);
        assert_eq!(addresses, LaneAddresses::from(list));
        assert_eq!((addresses.stride(), addresses.list()), (Some((u64::MAX, 8)), None));
        assert_eq!((addresses.of(0), addresses.of(31)), (u64::MAX, 247));
        *addresses.list_mut() = list;
        assert_eq!((addresses.stride(), addresses.list()), (None, Some(&list)));
        addresses.list_mut()[31] = 0;
        assert_ne!(addresses, LaneAddresses::from(list));
    }

    #[test]
    fn addresses_move_together_however_they_are_given() {
        let list = LaneAddresses::from(std::array::from_fn(|lane| (lane * lane) as u64));
        let mut stride = LaneAddresses::default();
        stride.set_stride(u64::MAX, 8);
        for mut addresses in [list, stride] {
            let before: Vec<u64> = (0..WARP_LANES).map(|lane| addresses.of(lane)).collect();
            addresses.move_by(1 << 40);
            for (lane, before) in before.into_iter().enumerate() {
                assert_eq!(addresses.of(lane), before.wrapping_add(1 << 40), "{lane}");
            }
        }
    }
}
