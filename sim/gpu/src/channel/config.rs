//! The parameters of a channel: organisation, scheduler and timing set.

mod validate;

use serde::{Deserialize, Serialize};

/// Which request of the queue is served next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Policy {
    /// One window over all banks: in every cycle the oldest request whose next command is legal.
    /// A bank is precharged only for its oldest request, and only when no request of the window
    /// hits the open row or the row-hit cap is reached. As DRAMsim3's unified queue.
    #[serde(rename = "window")]
    Window,
    /// Every bank serves its open row until no request for it is left, then the row of its oldest
    /// request; one request a cycle moves to a bank that serves none. As GPGPU-Sim's FR-FCFS.
    #[serde(rename = "open-row")]
    OpenRow,
}

/// One DRAM channel. All times are in cycles of its command clock.
///
/// The default is the GDDR5 channel that the oracle data were made with: 128-byte bursts, a window
/// of 16 bursts, no row-hit cap.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChannelConfig {
    /// Banks, 1 to 64.
    pub banks: u32,
    /// Bank groups; bank `b` is in group `b` modulo their number. 1 to 16, a divisor of `banks`.
    pub bank_groups: u32,
    /// Which request is served next.
    pub scheduler: Policy,
    /// Bursts among which the scheduler chooses, 1 to 4096; those behind wait in order. Under
    /// `open-row` it is requests, whatever their bursts, and what a bank is serving has left the
    /// queue.
    pub queue: u32,
    /// Bursts from one activation after which a row gives way to an older request for another one;
    /// 0: never. Only under `window`.
    pub row_hit_cap: u32,
    /// Bytes that one column command moves: 32, 64 or 128.
    pub burst_bytes: u32,
    /// Cycles for which a burst holds the data bus. Column commands are never closer than this.
    pub burst_cycles: u32,
    /// CL: read command to first data.
    pub cl: u32,
    /// WL: write command to first data.
    pub wl: u32,
    /// RCD: activate to read, same bank.
    pub rcd: u32,
    /// RCDWR: activate to write, same bank.
    pub rcd_write: u32,
    /// RP: precharge to activate, same bank.
    pub rp: u32,
    /// RAS: activate to precharge, same bank.
    pub ras: u32,
    /// RC: activate to activate, same bank.
    pub rc: u32,
    /// RRD: activate to activate, any two banks.
    pub rrd: u32,
    /// CCD: column command to column command, any two banks.
    pub ccd: u32,
    /// CCDL: column command to column command, same bank group.
    pub ccdl: u32,
    /// WR: end of write data to precharge, same bank.
    pub wr: u32,
    /// WTR (CDLR): end of write data to read, any two banks.
    pub wtr: u32,
    /// RTP: read to precharge, same bank.
    pub rtp: u32,
    /// RTPL: read to precharge, same bank group.
    pub rtpl: u32,
    /// Cycles between the data of a read and those of a write that follows it.
    pub turnaround: u32,
}

impl Default for ChannelConfig {
    fn default() -> Self {
        Self {
            banks: 16,
            bank_groups: 4,
            scheduler: Policy::Window,
            queue: 16,
            row_hit_cap: 0,
            burst_bytes: 128,
            burst_cycles: 4,
            cl: 12,
            wl: 4,
            rcd: 12,
            rcd_write: 12,
            rp: 12,
            ras: 28,
            rc: 40,
            rrd: 6,
            ccd: 2,
            ccdl: 3,
            wr: 12,
            wtr: 5,
            rtp: 2,
            rtpl: 0,
            turnaround: 2,
        }
    }
}

impl ChannelConfig {
    /// Cycles from a read to a write, any two banks: the write's data follow the read's by
    /// [`turnaround`](Self::turnaround).
    pub fn read_to_write(&self) -> u32 {
        (self.cl + self.burst_cycles + self.turnaround).saturating_sub(self.wl)
    }

    /// Cycles from a write to a read, any two banks.
    pub fn write_to_read(&self) -> u32 {
        self.wl + self.burst_cycles + self.wtr
    }

    /// Cycles from a write to a precharge, same bank.
    pub fn write_to_precharge(&self) -> u32 {
        self.wl + self.burst_cycles + self.wr
    }
}
