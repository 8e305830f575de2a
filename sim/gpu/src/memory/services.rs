//! For whom the channels of DRAM work: what CLASO's Figures 4 and 5 count.

use crate::intervals::Intervals;

/// What a channel, or all of them, did for each SMX. A service is a request that has been served: a
/// sector that the L2 fetches for the SMX that asked first. What the L2 writes back is for no SMX.
#[derive(Clone, Debug)]
pub struct Services {
    smx: Vec<Intervals>,
    /// Services for SMXs.
    served: u64,
    /// Of these, that come in their channel directly behind one for the same SMX.
    behind_own: u64,
    /// For whom the last service was, if it was for an SMX.
    last: Option<u8>,
}

impl Services {
    /// None so far, for so many SMXs, in intervals of `length` cycles, at least 1.
    pub fn new(smxs: usize, length: u64) -> Self {
        Self { smx: vec![Intervals::new(length); smxs], served: 0, behind_own: 0, last: None }
    }

    /// The next service of the channel, of which the data end in SMX cycle `cycle`, is for `smx`.
    pub fn serve(&mut self, cycle: u64, smx: Option<u8>) {
        if let Some(smx) = smx {
            self.smx[usize::from(smx)].add(cycle, 1);
            self.served += 1;
            self.behind_own += u64::from(self.last == Some(smx));
        }
        self.last = smx;
    }

    /// The services of both, which are of several channels.
    pub fn join(mut self, other: &Self) -> Self {
        self.smx.iter_mut().zip(&other.smx).for_each(|(own, other)| own.join(other));
        self.served += other.served;
        self.behind_own += other.behind_own;
        self
    }

    /// By interval, an entry an SMX.
    pub fn by_smx(&self) -> &[Intervals] {
        &self.smx
    }

    /// Services for SMXs.
    pub fn served(&self) -> u64 {
        self.served
    }

    /// Of these, that come in their channel directly behind one for the same SMX.
    pub fn behind_own(&self) -> u64 {
        self.behind_own
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_service_behind_one_for_the_same_smx_counts_and_one_behind_a_write_back_does_not() {
        let mut services = Services::new(3, 10);
        for smx in [Some(1), Some(1), None, Some(1), Some(2), Some(2), Some(2)] {
            services.serve(0, smx);
        }
        assert_eq!((services.served(), services.behind_own()), (6, 3));
    }

    #[test]
    fn the_first_service_of_a_channel_is_behind_none_of_another_channel() {
        let mut one = Services::new(2, 10);
        one.serve(3, Some(0));
        let mut other = Services::new(2, 10);
        other.serve(12, Some(0));
        let both = one.join(&other);
        assert_eq!((both.served(), both.behind_own()), (2, 0));
        assert_eq!(both.by_smx()[0].of_run(20), [1, 1]);
        assert_eq!(both.by_smx()[1].of_run(20), [0, 0]);
    }
}
