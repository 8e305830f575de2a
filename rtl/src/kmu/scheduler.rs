//! Whole schedulers behind the Kernel Management Unit: `--launch cdp`.

/// Declares a scheduler of kernels that blocks launch: the
/// [`ManagementUnit`](crate::kmu::ManagementUnit) in front of a scheduler that takes them as if the
/// host had launched them.
///
/// ```text
///   launch, device_launch --> [ management_unit ] --offer--> [ scheduler ] --> dispatch
///        record -----------------^  ^-- finished_kernels ---------+
///   fetch_record <---------------+
/// ```
///
/// `new` or `following` makes the unit. In `[]` stand the groups of ports that the scheduler has
/// beside blocks and their kernels, as `scheduler_modules!` names them; in `{}` the bundles and
/// inputs of these, and how they go on to it. What belongs to `launch` belongs to `record` in a
/// cycle in which one arrives: the host's kernel is not accepted then.
///
/// Ports, latency and storage are those of its two children; see `docs/dtbl.md`. `#[hdl_gen]`
/// stands where it is called, since whoever calls writes `self`.
macro_rules! kmu_scheduler {
    (
        $hash:tt $attribute:tt
        $name:ident($this:ident) $unit:ident over $of:ident: $scheduler:ident [$($group:ident)*] {
            bundles { $($bundle:ident: $bundle_type:ty = $bundle_init:expr),* $(,)? }
            inputs { $($(#[$input_meta:meta])* $input:ident: $input_type:ty),* $(,)? }
            update { $($own:tt)* }
        }
    ) => {
        hdl_module! {
            #[doc = concat!(
                "A [`", stringify!($scheduler), "`] behind the ",
                "[`ManagementUnit`](crate::kmu::ManagementUnit), under `--launch cdp`.",
            )]
            pub struct $name ($of: $scheduler) clocked {
                bundles {
                    launch_ports: crate::port::LaunchPorts,
                    lookup_ports: crate::port::LookupPorts,
                    sample_ports: crate::gate::SamplePorts =
                        crate::gate::SamplePorts::new($of.gate_ports),
                    management_ports: crate::kmu::ManagementPorts,
                    $($bundle: $bundle_type = $bundle_init,)*
                }
                inputs {
                    /// A kernel from one of the pools arrives.
                    record: Signal<In, crate::port::Launch>,
                    $($(#[$input_meta])* $input: $input_type,)*
                    /// One bit for each SMX: a block ends there in this cycle.
                    finished: Signal<In, Mask> =
                        Signal::mask(crate::schedulers::SchedulerModule::smx(&$of)),
                    /// Whose block it is; valid with its bit of `finished`.
                    finished_kernel: Vec<Signal<In, U<5>>> =
                        Signal::each(crate::schedulers::SchedulerModule::smx(&$of), U::new(0)),
                }
                outputs {
                    /// One bit for each entry whose kernel has ended; one cycle long.
                    finished_kernels: Signal<Out, U<32>>,
                    /// For each SMX, the block that it receives in this cycle.
                    dispatch: Vec<Signal<Out, crate::port::Dispatch>> = Signal::each(
                        crate::schedulers::SchedulerModule::smx(&$of),
                        crate::port::Dispatch::default(),
                    ),
                }
                children {
                    management: crate::kmu::ManagementUnit = crate::kmu::ManagementUnit::$unit(),
                    $of: $scheduler = $of,
                }
                state {
                    smxs: usize = crate::schedulers::SchedulerModule::smx(&$of),
                    gate_ports: crate::gate::GatePorts = $of.gate_ports,
                }
            }
        }

        scheduler_modules! { $name { native kernels management $($group)* } }

        impl Logic for $name {
            $hash $attribute
            fn update(&mut $this) {
                Control::link(&mut $this.control, &mut $this.management.control);
                Control::link(&mut $this.control, &mut $this.$of.control);
                ManagementPorts::link(
                    &mut $this.management_ports,
                    &mut $this.management.management_ports,
                );
                LookupPorts::link(&mut $this.lookup_ports, &mut $this.$of.lookup_ports);
                for _is in 0..$this.gate_ports.gated {
                    SamplePorts::link(&mut $this.sample_ports, &mut $this.$of.sample_ports);
                }
                $($own)*

                $this.management.launch.next = $this.launch_ports.launch.val();
                $this.management.record.next = $this.record.val();
                $this.management.finished_kernels.next = $this.$of.finished_kernels.val();
                $this.management.launch_entry.next =
                    $this.$of.launch_ports.launch_entry.val();
                $this.launch_ports.launch_ready.next = $this.management.host_ready.val();

                $this.$of.launch_ports.launch.next = $this.management.offer.val();
                $this.launch_ports.launch_entry.next =
                    $this.$of.launch_ports.launch_entry.val();
                $this.$of.finished.next = $this.finished.val();
                for i in 0..$this.smxs {
                    $this.$of.finished_kernel[i].next = $this.finished_kernel[i].val();
                    $this.dispatch[i].next = $this.$of.dispatch[i].val();
                }
                $this.finished_kernels.next = $this.$of.finished_kernels.val();
            }
        }
    };
    ($hash:tt $attribute:tt $name:ident($this:ident) over $scheduler:ident) => {
        kmu_scheduler! {
            $hash $attribute
            $name($this) new over scheduler: $scheduler [] {
                bundles {}
                inputs {}
                update {}
            }
        }
    };
}

pub(crate) use kmu_scheduler;
