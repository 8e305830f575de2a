//! A twin that knows whether it is back where it was, and that states what its gates do to running
//! blocks.

use crate::admission::Gates;
use crate::port::{Activity, Inputs, Outputs, Scheduler};
use crate::Twin;

/// A twin, and the whole state that it remembers, so that being back is equality.
#[derive(Debug)]
pub(crate) struct Remembering<T> {
    twin: T,
    remembered: Option<T>,
}

impl<T: Twin + Clone + PartialEq + 'static> Remembering<T> {
    /// This twin; it remembers nothing yet.
    pub(crate) fn boxed(twin: T) -> Box<dyn Twin> {
        Box::new(Self { twin, remembered: None })
    }
}

impl<T: Twin + Clone + PartialEq> Scheduler for Remembering<T> {
    fn smx(&self) -> usize {
        self.twin.smx()
    }

    fn cycle(&mut self, inputs: &Inputs, outputs: &mut Outputs) -> Activity {
        // From the state before the clock edge, whatever the scheduler.
        let running_limits = self.twin.running_limits();
        let activity = self.twin.cycle(inputs, outputs);
        outputs.running_limits = running_limits;
        activity
    }

    fn remember(&mut self) {
        self.remembered = Some(self.twin.clone());
    }

    fn is_back(&self) -> bool {
        self.remembered.as_ref() == Some(&self.twin)
    }

    fn explain(&self) -> String {
        self.twin.explain()
    }
}

impl<T: Twin + Clone + PartialEq> Twin for Remembering<T> {
    fn gates_mut(&mut self) -> &mut Gates {
        self.twin.gates_mut()
    }

    fn running_limits(&mut self) -> Vec<u8> {
        self.twin.running_limits()
    }
}
