//! The kernel of a scheduler whose dispatcher's requests pass through gates.

/// Writes the kernel of a scheduler with a `dispatcher`, its `gates` and the ports of the host: the
/// statements of its own before and behind the gates, and the signal in `[]` that takes what they
/// allow.
///
/// ```text
///   launch, finished --> [dispatcher] -- request --> [gates, if any] -- allow --> [signal] ... --> [dispatcher] --> dispatch
/// ```
///
/// `#[hdl_gen]` translates what stands in a kernel, and no calls: what several have in common is
/// written into each of them. `#[hdl_gen]` stands where it is called, since whoever calls writes
/// `self`.
macro_rules! gated_scheduler {
    ($hash:tt $attribute:tt $scheduler:ident($this:ident) { $($before:tt)* } [$($allowed:tt)*] { $($behind:tt)* }) => {
        impl Logic for $scheduler {
            $hash $attribute
            fn update(&mut $this) {
                Control::link(&mut $this.control, &mut $this.dispatcher.control);
                LaunchPorts::link(&mut $this.launch_ports, &mut $this.dispatcher.launch_ports);
                LookupPorts::link(&mut $this.lookup_ports, &mut $this.dispatcher.lookup_ports);
                $($before)*
                $this.$($allowed)*.next = $this.dispatcher.request.val();
                for _is in 0..$this.gate_ports.gated {
                    Control::link(&mut $this.control, &mut $this.gates.control);
                    SamplePorts::link(&mut $this.sample_ports, &mut $this.gates.sample_ports);
                    $this.gates.request.next = $this.dispatcher.request.val();
                    $this.gates.taken.next = $this.dispatcher.taken.val();
                    $this.gates.finished.next = $this.finished.val();
                    $this.$($allowed)*.next = $this.gates.allow.val();
                }
                for _is in 0..$this.gate_ports.credits {
                    $this.gates.launch.next = $this.dispatcher.accepted.val();
                    $this.gates.coalesced.next = $this.never.val();
                    $this.gates.blocks.next = $this.launch_ports.launch.val().blocks;
                    $this.gates.kernel.next = $this.dispatcher.head.val();
                    $this.gates.first.next = $this.dispatcher.first.val();
                }
                $($behind)*
                $this.dispatcher.finished.next = $this.finished.val();
                for i in 0..$this.smxs {
                    $this.dispatcher.finished_kernel[i].next = $this.finished_kernel[i].val();
                    $this.dispatch[i].next = $this.dispatcher.dispatch[i].val();
                }
                $this.finished_kernels.next = $this.dispatcher.finished_kernels.val();
            }
        }
    };
}

pub(crate) use gated_scheduler;
