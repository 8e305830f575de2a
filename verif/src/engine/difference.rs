//! The first port on which two engines disagree.

use blockyard_sim::port::Outputs;
use std::fmt;

/// A port with what each side put on it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The port, with its SMX or entry: `dispatch[3]`.
    pub port: String,
    /// What the behavioural twin says.
    pub expected: String,
    /// What the hardware says.
    pub got: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "port {}: expected {}, got {}", self.port, self.expected, self.got)
    }
}

/// Compares every output; `None` when all agree.
pub fn compare(expected: &Outputs, got: &Outputs) -> Option<Difference> {
    if expected == got {
        return None;
    }
    let mut found = check("launch_ready", &expected.launch_ready, &got.launch_ready);
    for smx in 0..expected.dispatch.len().max(got.dispatch.len()) {
        let port = format!("dispatch[{smx}]");
        found = found.or_else(|| check(&port, &expected.dispatch.get(smx), &got.dispatch.get(smx)));
    }
    for entry in 0..32 {
        let port = format!("finished_kernels[{entry}]");
        let bit = |mask: u32| mask >> entry & 1;
        found = found
            .or_else(|| check(&port, &bit(expected.finished_kernels), &bit(got.finished_kernels)));
    }
    found.or_else(|| check("context", &expected.context, &got.context))
}

fn check<T: PartialEq + fmt::Debug>(port: &str, expected: &T, got: &T) -> Option<Difference> {
    (expected != got).then(|| Difference {
        port: port.to_owned(),
        expected: format!("{expected:?}"),
        got: format!("{got:?}"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use blockyard_sim::port::{Dim3, Dispatch, KernelContext, KernelEntry};

    #[test]
    fn every_output_is_compared() {
        let base = Outputs::idle(3);
        let mut changed = vec![base.clone(); 4];
        changed[0].launch_ready = Some(KernelEntry(1));
        changed[1].dispatch[2] =
            Some(Dispatch { kernel: KernelEntry(0), block: Dim3::new(1, 0, 0) });
        changed[2].finished_kernels = 1 << 31;
        changed[3].context = Some(KernelContext::default());
        let ports = ["launch_ready", "dispatch[2]", "finished_kernels[31]", "context"];
        for (outputs, port) in changed.iter().zip(ports) {
            assert_eq!(compare(&base, outputs).expect("they differ").port, port);
            assert_eq!(compare(outputs, outputs), None);
        }
    }

    #[test]
    fn a_missing_dispatch_port_is_a_difference() {
        let found = compare(&Outputs::idle(2), &Outputs::idle(1)).expect("they differ");
        assert_eq!(found.port, "dispatch[1]");
    }
}
