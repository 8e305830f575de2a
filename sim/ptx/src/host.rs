//! Launches by the host.

use std::rc::Rc;

use crate::execute::{Grid, GridCode, Launch};
use crate::machine::Machine;
use blockyard_contract::diagnostic::InputError;
use blockyard_contract::port::{Cluster, Dim3};
use blockyard_gpu::host::{Body, HostLaunch};

/// Parameters of a kernel, one behind the other, each at a multiple of its size.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Arguments(Vec<u8>);

impl Arguments {
    /// None yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// With a pointer or another word of 64 bits.
    #[must_use]
    pub fn long(self, value: u64) -> Self {
        self.bytes(&value.to_le_bytes())
    }

    /// With a word of 32 bits.
    #[must_use]
    pub fn word(self, value: u32) -> Self {
        self.bytes(&value.to_le_bytes())
    }

    /// With an f32.
    #[must_use]
    pub fn single(self, value: f32) -> Self {
        self.word(value.to_bits())
    }

    /// With a value of 1, 2, 4 or 8 bytes.
    #[must_use]
    pub fn bytes(mut self, value: &[u8]) -> Self {
        let start = self.0.len().next_multiple_of(value.len().max(1));
        self.0.resize(start, 0);
        self.0.extend_from_slice(value);
        self
    }

    /// All of them.
    pub fn into_bytes(self) -> Vec<u8> {
        self.0
    }
}

impl Machine {
    /// As [`Machine::launch`] without blocks, and so without parameters.
    ///
    /// # Errors
    /// When the module has no such kernel.
    pub fn launch_without_blocks(
        self: &Rc<Self>,
        name: &str,
        block: Dim3,
        arrive: u64,
    ) -> Result<HostLaunch, InputError> {
        let bytes = self.program().kernel(name)?.parameter_bytes as usize;
        let (grid, parameters) = (Dim3::default(), vec![0; bytes]);
        self.launch(name, Launch { grid, block, shared_memory: 0, parameters }, arrive)
    }

    /// A launch of the kernel `name` at cycle `arrive` in stream 0.
    ///
    /// # Errors
    /// When the module has no such kernel, or its parameters have another number of bytes.
    pub fn launch(
        self: &Rc<Self>,
        name: &str,
        launch: Launch,
        arrive: u64,
    ) -> Result<HostLaunch, InputError> {
        self.launch_in_clusters(name, launch, None, arrive)
    }

    /// As [`Machine::launch`], with the clusters that the grid is made of, if that is stated.
    ///
    /// # Errors
    /// As there, and when the grid is not made of whole clusters.
    pub fn launch_in_clusters(
        self: &Rc<Self>,
        name: &str,
        launch: Launch,
        cluster: Option<Cluster>,
        arrive: u64,
    ) -> Result<HostLaunch, InputError> {
        let kernel = self.program().kernel(name)?;
        let (given, wanted) = (launch.parameters.len() as u64, kernel.parameter_bytes);
        if given != wanted {
            let message = format!("kernel `{name}` is given {given} bytes of parameters");
            return Err(InputError::new(message).help(format!("expected {wanted}")));
        }
        let (grid, block) = (launch.grid, launch.block);
        if let Some(cluster) = cluster.filter(|cluster| !cluster.divides(grid)) {
            let message =
                format!("the grid {grid} of kernel `{name}` is not made of whole clusters");
            let help = format!("expected a multiple of {cluster} in each dimension");
            return Err(InputError::new(message).help(help));
        }
        let own = Grid::new(self, kernel, launch, None, cluster);
        Ok(HostLaunch {
            arrive,
            registers_per_thread: kernel.registers,
            shared_memory: own.shared as u32,
            cluster: cluster.unwrap_or_default(),
            ..HostLaunch::new(
                Rc::clone(&kernel.name),
                (grid, block),
                Body::Code(Rc::new(GridCode(own))),
            )
        })
    }
}
