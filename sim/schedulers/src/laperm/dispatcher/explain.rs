//! What the report of a stuck run says of a dispatcher.

use super::super::super::dispatch::FcfsControlInputs;
use super::super::{QueueBankInputs, SelectorInputs};
use super::Dispatcher;

impl Dispatcher {
    /// The queues, the gates' reasons for the kernels at their heads, what the coalescer does, and
    /// where the scheduler believes that blocks are.
    pub(super) fn explanation(&self) -> String {
        let zero = self.queue_zero.evaluate(&FcfsControlInputs::default()).head;
        let heads = self.queue_bank.evaluate(&QueueBankInputs::default()).heads;
        let bound = heads.iter().flatten().map(|head| head.entry.kernel);
        let mut kernels: Vec<_> = zero.into_iter().chain(bound).collect();
        kernels.sort_unstable();
        kernels.dedup();

        let turn = self.selector.evaluate(&SelectorInputs::default()).turn;
        let mut lines = vec![match kernels.is_empty() {
            true => "the scheduler has no kernel to distribute".to_owned(),
            false => format!("the scheduler visits SMX {turn} next"),
        }];
        lines.extend(zero.map(|kernel| format!("the head of queue 0 is in entry {}", kernel.0)));
        lines.extend(self.queue_bank.explain());
        for kernel in kernels {
            lines.extend(self.gates.explain(kernel));
        }
        lines.extend(self.coalescer.explain());
        lines.extend(self.resource_table.explain());
        lines.join("\n")
    }
}
