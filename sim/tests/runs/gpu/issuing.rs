//! Scripts that tell in which order they issue.

use std::cell::RefCell;

use super::*;

/// Of each instruction issued, its block and its warp.
pub type Order = Rc<RefCell<Vec<(u32, usize)>>>;

/// For each block the scripts of its warps. Records who issues: the next instruction is pulled when
/// one issues.
pub struct Recorded {
    pub blocks: Vec<Vec<Vec<Instruction>>>,
    pub order: Order,
    /// The blocks of a cluster work together.
    pub together: bool,
}

struct RecordedWarp {
    script: Script,
    order: Order,
    name: (u32, usize),
    first: bool,
}

impl KernelCode for Recorded {
    fn block(
        &self,
        block: Dim3,
        _: u32,
        programs: &mut Vec<Box<dyn WarpProgram>>,
    ) -> Result<(), InputError> {
        for (warp, list) in self.blocks[block.x as usize].iter().enumerate() {
            let mut list = list.clone();
            list.push(Instruction::default());
            let (script, order) = (Script(list.into_iter()), self.order.clone());
            let name = (block.x, warp);
            programs.push(Box::new(RecordedWarp { script, order, name, first: true }));
        }
        Ok(())
    }

    fn works_in_cluster(&self) -> bool {
        self.together
    }
}

impl WarpProgram for RecordedWarp {
    fn next(&mut self, instruction: &mut Instruction) {
        if !std::mem::take(&mut self.first) {
            self.order.borrow_mut().push(self.name);
        }
        self.script.next(instruction);
    }
}
