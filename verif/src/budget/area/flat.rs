//! A mapped design without its hierarchy: every cell of every instance, and the nets between them.

use super::design::{Design, Module};
use super::liberty::{Cell, Library};
use super::memories::MemoryModule;
use crate::budget::mapping::netlist::Bit;

/// No net: a pin that is constant or open.
pub const NONE: u32 = u32::MAX;

/// Every cell with the nets at its pins.
#[derive(Debug, Default)]
pub struct Flat {
    /// How many nets there are.
    pub nets: usize,
    /// The place in the library of each cell.
    pub kinds: Vec<u32>,
    /// Which of `places` each cell is in.
    pub place_of: Vec<u32>,
    /// Where the pins of each cell start in `pins`.
    pub starts: Vec<u32>,
    /// The nets at the pins of the cells, in the order of the library.
    pub pins: Vec<u32>,
    /// The instances by their paths: `queues.slice[3]`.
    pub places: Vec<String>,
    /// The nets of the inputs of the top.
    pub inputs: Vec<u32>,
    /// The nets of its outputs.
    pub outputs: Vec<u32>,
}

/// A cell that is not in the library.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unmapped(pub String);

impl Flat {
    /// The design below `top`. An SRAM is there as flip-flops at its ports, of the kind `stand_in`.
    ///
    /// # Errors
    /// When a cell is neither of the library nor a module.
    pub fn new(
        design: &Design,
        top: &str,
        library: &Library,
        memories: &[MemoryModule],
        stand_in: &Cell,
    ) -> Result<Self, Unmapped> {
        let stand_in = StandIn::new(library, stand_in);
        let mut builder = Builder {
            design,
            library,
            memories,
            stand_in,
            flat: Self::default(),
            same: Vec::new(),
        };
        let module = design.modules.get(top).ok_or_else(|| Unmapped(top.to_owned()))?;
        let mut nets = vec![NONE; module.nets()];
        for port in module.ports.values() {
            for bit in &port.bits {
                let net = builder.net(bit, &mut nets);
                match port.direction == "input" {
                    true => builder.flat.inputs.push(net),
                    false => builder.flat.outputs.push(net),
                }
            }
        }
        builder.add(module, String::new(), nets)?;
        Ok(builder.united())
    }

    /// The nets at the pins of a cell.
    pub fn pins_of(&self, cell: usize) -> &[u32] {
        let start = self.starts[cell] as usize;
        let end = self.starts.get(cell + 1).map_or(self.pins.len(), |&end| end as usize);
        &self.pins[start..end]
    }
}

/// A flip-flop that stands at the port of an SRAM.
struct StandIn {
    kind: u32,
    pins: usize,
    data: Option<usize>,
    output: Option<usize>,
}

impl StandIn {
    fn new(library: &Library, cell: &Cell) -> Self {
        let from_clock = cell.arcs.iter().find(|arc| arc.is_clocked);
        Self {
            kind: library.place(&cell.name).unwrap_or(0) as u32,
            pins: cell.pins.len(),
            data: cell.stores.as_deref().and_then(|name| cell.pin(name)),
            output: from_clock.map(|arc| arc.to),
        }
    }
}

struct Builder<'a> {
    design: &'a Design<'a>,
    library: &'a Library,
    memories: &'a [MemoryModule],
    stand_in: StandIn,
    flat: Flat,
    /// The net that each is the same as: itself, or one with a smaller number.
    same: Vec<u32>,
}

impl Builder<'_> {
    /// The net of a bit in the module whose nets these are.
    fn net(&mut self, bit: &Bit, nets: &mut [u32]) -> u32 {
        let Bit::Net(net) = bit else { return NONE };
        if nets[*net] == NONE {
            nets[*net] = self.flat.nets as u32;
            self.same.push(self.flat.nets as u32);
            self.flat.nets += 1;
        }
        nets[*net]
    }

    fn add(&mut self, module: &Module, path: String, mut nets: Vec<u32>) -> Result<(), Unmapped> {
        let place = self.flat.places.len() as u32;
        let dot = if path.is_empty() { "" } else { "." };
        let below = |name: &str| format!("{path}{dot}{}", instance(name));
        self.flat.places.push(path.clone());
        for (name, cell) in &module.cells {
            if let Some(kind) = self.library.place(&cell.kind) {
                let pins = self.library.cells[kind].pins.iter();
                let bits: Vec<Option<&Bit>> = pins
                    .map(|pin| {
                        cell.connections.get(pin.name.as_str()).and_then(|bits| bits.first())
                    })
                    .collect();
                let pins: Vec<u32> = bits
                    .into_iter()
                    .map(|bit| bit.map_or(NONE, |bit| self.net(bit, &mut nets)))
                    .collect();
                self.cell(kind as u32, place, &pins);
                continue;
            }
            let unmapped = || Unmapped(cell.kind.to_string());
            let inner = self.design.modules.get(&cell.kind).ok_or_else(unmapped)?;
            let is_sram =
                self.memories.iter().any(|memory| memory.is_sram && memory.module == cell.kind);
            let mut of_inner = vec![NONE; inner.nets()];
            let sram_place = self.flat.places.len() as u32;
            if is_sram {
                self.flat.places.push(below(name));
            }
            for (port, ports) in &inner.ports {
                let Some(bits) = cell.connections.get(port) else { continue };
                for (inside, bit) in ports.bits.iter().zip(bits) {
                    let net = self.net(bit, &mut nets);
                    if is_sram {
                        self.at_sram(sram_place, port, ports.direction == "input", net);
                    } else if let Bit::Net(inside) = inside {
                        // Two ports of a module may be one net in it.
                        match of_inner[*inside] {
                            NONE => of_inner[*inside] = net,
                            known => self.unite(known, net),
                        }
                    }
                }
            }
            if !is_sram {
                self.add(inner, below(name), of_inner)?;
            }
        }
        Ok(())
    }

    /// The net that stands for all that are the same as this one.
    fn root(&self, mut net: u32) -> u32 {
        while net != NONE && self.same[net as usize] != net {
            net = self.same[net as usize];
        }
        net
    }

    fn unite(&mut self, left: u32, right: u32) {
        let (left, right) = (self.root(left), self.root(right));
        if left != NONE && right != NONE {
            self.same[left.max(right) as usize] = left.min(right);
        }
    }

    /// The design with one net for those that are the same.
    fn united(mut self) -> Flat {
        let mut flat = std::mem::take(&mut self.flat);
        for net in flat.pins.iter_mut().chain(&mut flat.inputs).chain(&mut flat.outputs) {
            *net = self.root(*net);
        }
        flat
    }

    fn cell(&mut self, kind: u32, place: u32, pins: &[u32]) {
        self.flat.kinds.push(kind);
        self.flat.place_of.push(place);
        self.flat.starts.push(self.flat.pins.len() as u32);
        self.flat.pins.extend(pins);
    }

    /// A bit of a port of an SRAM: stored by it, or driven by it.
    fn at_sram(&mut self, place: u32, port: &str, is_input: bool, net: u32) {
        let mut pins = vec![NONE; self.stand_in.pins];
        let pin = if is_input { self.stand_in.data } else { self.stand_in.output };
        if let Some(pin) = pin.filter(|_| port != "clock") {
            pins[pin] = net;
            self.cell(self.stand_in.kind, place, &pins);
        }
    }
}

/// `smx$3` is `smx[3]`, as budgets write it.
pub fn instance(name: &str) -> String {
    match name.rsplit_once('$') {
        Some((array, index))
            if index.bytes().all(|digit| digit.is_ascii_digit()) && !index.is_empty() =>
        {
            format!("{array}[{index}]")
        }
        _ => name.to_owned(),
    }
}
