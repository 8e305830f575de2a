//! What threads ask of the device's runtime: launches, printing, memory (CUDA C Programming Guide,
//! "CUDA Dynamic Parallelism", "Formatted Output", "Assertion").

use std::rc::Rc;

use super::addresses::each;
use super::device::attribute;
use super::grid::GridCode;
use super::{Fault, Grid, Warp};
use crate::address_space;
use crate::execute::Launch;
use crate::machine::{self, put, value_of, Arguments, Wanted};
use crate::program::{Intrinsic, Kernel, Place};
use blockyard_contract::port::Dim3;
use blockyard_gpu::host::{Body, DeviceLaunch};
use blockyard_gpu::program::{Instruction, Operation, WARP_LANES};

/// `cudaErrorInvalidValue`, `cudaErrorMemoryAllocation`, `cudaErrorInvalidConfiguration`.
const INVALID_VALUE: u64 = 1;
const NO_MEMORY: u64 = 2;
const INVALID_CONFIGURATION: u64 = 9;
/// Most bytes of a string.
const MOST_STRING: usize = 1 << 16;
/// Most threads of a block.
const MOST_THREADS: u128 = 1024;

/// The arguments of a call of one lane, one behind the other.
struct Passed {
    bytes: Vec<u8>,
    at: usize,
}

impl Passed {
    fn take(&mut self, count: usize) -> u64 {
        let end = (self.at + count).min(self.bytes.len());
        let value = value_of(&self.bytes[self.at.min(end)..end]);
        self.at = end;
        value
    }

    fn word(&mut self) -> u32 {
        self.take(4) as u32
    }

    fn long(&mut self) -> u64 {
        self.take(8)
    }

    fn extent(&mut self) -> Dim3 {
        Dim3::new(self.word(), self.word(), self.word())
    }
}

impl Warp {
    /// `lanes` call `intrinsic`, one after the other.
    pub(super) fn intrinsic(
        &mut self,
        intrinsic: Intrinsic,
        lanes: u32,
        (arguments, result): (&[Place], Option<Place>),
        shown: &mut Instruction,
    ) -> Result<(), Fault> {
        if intrinsic == Intrinsic::Synchronize {
            shown.operation = Operation::Synchronize;
        }
        for lane in each(lanes) {
            let mut passed = Passed { bytes: Vec::new(), at: 0 };
            for place in arguments {
                let bytes = self.frame.parameters(lane, place.offset, place.bytes);
                passed.bytes.extend_from_slice(bytes.as_deref().unwrap_or_default());
            }
            let answer = self.answer(intrinsic, lane, &mut passed)?;
            if let Some(place) = result {
                let bytes = place.bytes.min(8);
                if let Some(place) = self.frame.parameters(lane, place.offset, bytes) {
                    put(place, answer);
                }
            }
        }
        Ok(())
    }

    fn answer(
        &mut self,
        intrinsic: Intrinsic,
        lane: usize,
        passed: &mut Passed,
    ) -> Result<u64, Fault> {
        let machine = Rc::clone(&self.grid.machine);
        match intrinsic {
            Intrinsic::Accepted | Intrinsic::Synchronize => Ok(0),
            Intrinsic::Math(function) => Ok(function.value(|bytes| passed.take(bytes))),
            Intrinsic::BufferFor => {
                let address = passed.long();
                let (grid, block, shared) = (passed.extent(), passed.extent(), passed.word());
                let kernel = self.kernel_at(address, lane)?;
                let wanted = Wanted {
                    launch: Some((kernel.function, grid, block, shared)),
                    bytes: kernel.parameter_bytes,
                };
                self.buffer(wanted, lane)
            }
            Intrinsic::Buffer => {
                let (_, bytes) = (passed.long(), passed.long());
                self.buffer(Wanted { launch: None, bytes }, lane)
            }
            Intrinsic::LaunchBuffer | Intrinsic::LaunchGroup => {
                let address = passed.long();
                let (wanted, parameters) = self.filled(address, lane)?;
                let Some(said) = wanted.launch else {
                    let message =
                        format!("the buffer at {address:#x} was asked for without a kernel");
                    return Err(Fault::of_lane(lane, message, "one of `cudaGetParameterBufferV2`"));
                };
                self.launch(lane, said, (parameters, Some(address)))
            }
            Intrinsic::LaunchFunction => {
                let (function, address) = (passed.long(), passed.long());
                let (grid, block, shared) = (passed.extent(), passed.extent(), passed.word());
                let kernel = self.kernel_at(function, lane)?;
                let function = kernel.function;
                let parameters = match kernel.parameter_bytes {
                    0 => (Vec::new(), None),
                    _ => (self.filled(address, lane)?.1, Some(address)),
                };
                self.launch(lane, (function, grid, block, shared), parameters)
            }
            Intrinsic::Print => {
                let (text, arguments) = (passed.long(), passed.long());
                let text = self.string(text, lane)?;
                let (printed, count) = self.printed(&text, arguments, lane)?;
                machine.print(&printed);
                Ok(count)
            }
            Intrinsic::AssertionFailed => {
                let (message, file, line) = (passed.long(), passed.long(), passed.word());
                let function = passed.long();
                let (message, file) = (self.string(message, lane)?, self.string(file, lane)?);
                let function = self.string(function, lane)?;
                let said = format!("the assertion `{message}` fails ({file}:{line}, {function})");
                Err(Fault::of_lane(lane, said, "it to hold"))
            }
            Intrinsic::Allocate => {
                let found = machine.allocate(passed.long());
                machine.given.borrow_mut().extend(found);
                Ok(found.unwrap_or(0))
            }
            Intrinsic::AllocateAt => {
                let (to, bytes) = (passed.long(), passed.long());
                let Some(found) = machine.allocate(bytes) else { return Ok(NO_MEMORY) };
                machine.given.borrow_mut().insert(found);
                self.leave(to, (found, 8), lane)
            }
            Intrinsic::Copy => {
                let (to, from, bytes) = (passed.long(), passed.long(), passed.long());
                for at in 0..bytes {
                    let from = from.wrapping_add(at);
                    let byte = self.place(None, lane, from, 1, "load", |place| place[0])?;
                    self.leave(to.wrapping_add(at), (byte.into(), 1), lane)?;
                }
                Ok(0)
            }
            Intrinsic::Fill => {
                let (to, value, bytes) = (passed.long(), passed.word(), passed.long());
                for at in 0..bytes {
                    self.leave(to.wrapping_add(at), (value.into(), 1), lane)?;
                }
                Ok(0)
            }
            Intrinsic::Device => self.leave(passed.long(), (0, 4), lane),
            Intrinsic::DeviceCount => self.leave(passed.long(), (1, 4), lane),
            Intrinsic::Attribute => {
                let (to, number) = (passed.long(), passed.word());
                let of_gpu = machine.of_gpu(|gpu| attribute(number, Some(gpu)));
                match of_gpu.unwrap_or_else(|| attribute(number, None)) {
                    Some(value) => self.leave(to, (value, 4), lane),
                    None => Ok(INVALID_VALUE),
                }
            }
            Intrinsic::Occupancy => {
                let (to, kernel) = (passed.long(), passed.long());
                let (threads, dynamic) = (passed.word(), passed.long());
                if !(1..=MOST_THREADS).contains(&u128::from(threads)) {
                    return Ok(INVALID_VALUE);
                }
                let kernel = self.kernel_at(kernel, lane)?;
                let blocks = self.resident_blocks(kernel, (threads, dynamic), lane)?;
                self.leave(to, (blocks.into(), 4), lane)
            }
            Intrinsic::Release => {
                let address = passed.long();
                if address == 0 {
                    return Ok(0);
                }
                if machine.given.borrow_mut().remove(&address) {
                    machine.memory.borrow_mut().release(address);
                    return Ok(0);
                }
                let message = format!("`free` of {address:#x}, which `malloc` has not given");
                Err(Fault::of_lane(lane, message, "an address that `malloc` has given"))
            }
        }
    }

    /// Writes a value of so many bytes to a generic address, which is a success.
    fn leave(&mut self, to: u64, (value, bytes): (u64, u64), lane: usize) -> Result<u64, Fault> {
        self.place(None, lane, to, bytes, "store", |place| put(place, value)).map(|()| 0)
    }

    /// The kernel whose address is `address`.
    fn kernel_at(&self, address: u64, lane: usize) -> Result<&Kernel, Fault> {
        let number = address_space::function(address);
        let mut kernels = self.grid.machine.program.kernels.iter();
        let found = kernels.find(|kernel| Some(kernel.function) == number);
        found.ok_or_else(|| {
            let message = format!("a launch of {address:#x}, where no kernel is");
            Fault::of_lane(lane, message, "the address of a kernel")
        })
    }

    fn buffer(&self, wanted: Wanted, lane: usize) -> Result<u64, Fault> {
        let machine = &self.grid.machine;
        let taken = machine.buffers.borrow_mut().take(&mut machine.memory.borrow_mut(), wanted);
        taken.ok_or_else(|| {
            let message = format!("no memory for {} bytes of parameters", wanted.bytes);
            Fault::of_lane(lane, message, "at most 32,768, and fewer launches at a time")
        })
    }

    fn filled(&self, address: u64, lane: usize) -> Result<(Wanted, Vec<u8>), Fault> {
        let machine = &self.grid.machine;
        let mut buffers = machine.buffers.borrow_mut();
        buffers.launch(&mut machine.memory.borrow_mut(), address).ok_or_else(|| {
            let message = format!("a launch with parameters at {address:#x}, which is no buffer");
            Fault::of_lane(lane, message, "an address that `cudaGetParameterBuffer` has given")
        })
    }

    /// The thread in `lane` launches; gives the runtime's answer.
    fn launch(
        &mut self,
        lane: usize,
        (function, grid, block, shared_memory): (u32, Dim3, Dim3, u32),
        (parameters, buffer): (Vec<u8>, Option<u64>),
    ) -> Result<u64, Fault> {
        let machine = &self.grid.machine;
        let kernel = machine.program.kernels.iter().find(|kernel| kernel.function == function);
        let Some(kernel) = kernel else { return Ok(INVALID_CONFIGURATION) };
        if grid.volume() == 0 || !(1..=MOST_THREADS).contains(&block.volume()) {
            return Ok(INVALID_CONFIGURATION);
        }
        let launch = Launch { grid, block, shared_memory, parameters };
        let own = Grid::new(machine, kernel, launch, buffer, None);
        self.launches.push(DeviceLaunch {
            thread: self.own.warp * WARP_LANES as u32 + lane as u32,
            name: Rc::clone(&kernel.name),
            grid,
            block,
            registers_per_thread: kernel.registers,
            shared_memory: own.shared as u32,
            cluster: Default::default(),
            body: Body::Code(Rc::new(GridCode(own))),
        });
        Ok(0)
    }

    /// The string at a generic address, up to its zero.
    fn string(&mut self, address: u64, lane: usize) -> Result<String, Fault> {
        let mut bytes = Vec::new();
        while bytes.len() < MOST_STRING {
            let at = address.wrapping_add(bytes.len() as u64);
            match self.place(None, lane, at, 1, "load", |place| place[0])? {
                0 => break,
                byte => bytes.push(byte),
            }
        }
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// What `printf` prints, and its answer: unlike C's, how many arguments it took.
    fn printed(&mut self, text: &str, arguments: u64, lane: usize) -> Result<(String, u64), Fault> {
        let mut count = 0;
        let this = std::cell::RefCell::new(self);
        let mut word = |offset: u64, bytes: u64| {
            count += 1;
            let at = arguments.wrapping_add(offset);
            this.borrow_mut().place(None, lane, at, bytes, "load", |place| value_of(place)).ok()
        };
        let mut string = |address: u64| this.borrow_mut().string(address, lane).ok();
        let read = &mut Arguments { word: &mut word, string: &mut string, offset: 0 };
        let printed = machine::format(text, read);
        printed.map(|printed| (printed, count)).ok_or_else(|| {
            let message = format!("the arguments of `{}` cannot be read", text.escape_debug());
            Fault::of_lane(lane, message, "one for each conversion")
        })
    }
}
