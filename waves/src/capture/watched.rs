//! Events that signals stand for, where the signals are.

use super::track::Tracks;
use crate::error::WaveError;
use crate::watch::{Condition, Watch};
use std::collections::HashMap;

/// A [`Condition`] with the places of its signals: track and variable.
pub struct Watched {
    pub set: (usize, usize),
    pub unless: Option<(usize, usize)>,
    pub with: Option<(usize, usize)>,
}

impl Watched {
    /// Whether it holds in the cycle that `tracks` have.
    pub fn holds(&self, tracks: &Tracks) -> bool {
        let bits = |place| tracks.bits(place);
        let unless = self.unless.map(bits).unwrap_or_default();
        let holds = |(at, bit): (usize, &u8)| *bit == b'1' && unless.get(at) != Some(&b'1');
        self.with.is_none_or(|with| bits(with).contains(&b'1'))
            && bits(self.set).iter().enumerate().any(holds)
    }
}

/// The conditions of `watch`, whose signals are at `places`.
///
/// # Errors
/// When there is no such signal.
pub fn watched(
    watch: &Watch,
    places: &HashMap<String, (usize, usize)>,
) -> Result<Vec<Watched>, WaveError> {
    let find = |path: &String| {
        places.get(path).copied().ok_or_else(|| WaveError::NoSuchSignal(path.clone()))
    };
    let resolve = |condition: &Condition| {
        let unless = condition.unless.as_ref().map(find).transpose()?;
        let with = condition.with.as_ref().map(find).transpose()?;
        Ok(Watched { set: find(&condition.set)?, unless, with })
    };
    watch.conditions.iter().map(resolve).collect()
}
