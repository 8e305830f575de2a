//! Code whose memory lies elsewhere: two programs have the same addresses, but not the same data.

use std::path::Path;
use std::rc::Rc;

use blockyard_contract::diagnostic::InputError;
use blockyard_contract::port::Dim3;
use blockyard_gpu::host::DeviceLaunch;
use blockyard_gpu::program::{Instruction, KernelCode, Operation, Reply, Space, WarpProgram};

/// The code of a kernel, all of whose memory but that of the block lies so many bytes higher for
/// caches and DRAM. What it computes does not change.
pub(super) struct Moved {
    code: Rc<dyn KernelCode>,
    by: u64,
}

impl Moved {
    pub(super) fn new(code: Rc<dyn KernelCode>, by: u64) -> Self {
        Self { code, by }
    }
}

impl KernelCode for Moved {
    fn block(
        &self,
        block: Dim3,
        warps: u32,
        programs: &mut Vec<Box<dyn WarpProgram>>,
    ) -> Result<(), InputError> {
        let mut own = Vec::with_capacity(warps as usize);
        self.code.block(block, warps, &mut own)?;
        let moved = |program| Box::new(MovedWarp { program, by: self.by }) as Box<dyn WarpProgram>;
        programs.extend(own.into_iter().map(moved));
        Ok(())
    }

    fn works_in_cluster(&self) -> bool {
        self.code.works_in_cluster()
    }

    fn file(&self) -> Option<&Path> {
        self.code.file()
    }
}

struct MovedWarp {
    program: Box<dyn WarpProgram>,
    by: u64,
}

impl WarpProgram for MovedWarp {
    fn next(&mut self, instruction: &mut Instruction) {
        self.program.next(instruction);
        if let Operation::Memory { space, .. } = instruction.operation {
            match space {
                Space::Global | Space::Constant | Space::Texture | Space::Parameter => {
                    instruction.addresses.move_by(self.by);
                }
                Space::Shared | Space::Cluster | Space::Unplaced => {}
            }
        }
    }

    fn announce(&self) {
        self.program.announce();
    }

    fn announce_data(&self) {
        self.program.announce_data();
    }

    fn launches(&mut self) -> Vec<DeviceLaunch> {
        self.program.launches()
    }

    fn questions(&mut self) -> Vec<Reply> {
        self.program.questions()
    }

    fn fault(&mut self) -> Option<InputError> {
        self.program.fault()
    }
}
