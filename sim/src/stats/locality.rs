//! What of the memory's traffic stays in the domain of the SMX that asks (`docs/gpu.md`, "Memory in
//! domains").

use serde::Serialize;

use super::ratio::ratio;
use crate::gpu::memory::Homes;

/// Requests to the L2 by whether the domain that asks has the address.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LocalityStats {
    /// Requests to slices of the SMX's own domain.
    pub local_requests: u64,
    /// Bytes of the flits of these and of their replies.
    pub local_bytes: u64,
    /// Requests to slices of another domain.
    pub remote_requests: u64,
    /// Bytes of the flits of these and of their replies.
    pub remote_bytes: u64,
    /// Remote requests by all; `null` without any.
    pub remote_rate: Option<f64>,
    /// Pages of each domain; only under first touch.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pages: Option<Vec<u64>>,
}

impl LocalityStats {
    pub(super) fn new(homes: &Homes) -> Self {
        let (local, remote) = (homes.local(), homes.remote());
        Self {
            local_requests: local.requests,
            local_bytes: local.bytes,
            remote_requests: remote.requests,
            remote_bytes: remote.bytes,
            remote_rate: ratio(remote.requests, local.requests + remote.requests),
            pages: homes.pages().map(<[u64]>::to_vec),
        }
    }
}
