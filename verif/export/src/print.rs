//! The text of each module of a design, from what rust-hdl's probes show of it.
//!
//! It is the text of rust-hdl's own `ModuleDefines`. That one looks for the other end of a port
//! among all links of its module, once for each port of each child, and formats both names of each
//! link to compare them: minutes for a scheduler of 132 SMXs. Here the ends are found once.

use super::unroll::unrolled;
use rust_hdl::core::ast::{Verilog, VerilogLink, VerilogLinkDetails, VerilogStatement};
use rust_hdl::core::atom::{Atom, AtomKind};
use rust_hdl::core::probe::Probe;
use rust_hdl::core::verilog_gen::{verilog_combinatorial, verilog_link_extraction};
use rust_hdl::prelude::Block;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt::Write;

/// The modules of `design` in the order of their paths, each with its text; the design itself is
/// `top_name`.
pub fn modules(design: &dyn Block, top_name: &str) -> Vec<String> {
    let mut visitor = Visitor::default();
    design.accept(top_name, &mut visitor);
    let modules = &visitor.modules;
    modules.iter().map(|(path, module)| text(path, module, modules)).collect()
}

type Modules = BTreeMap<String, Module>;

#[derive(Default)]
struct Module {
    atoms: Vec<Named>,
    /// Name and path of each child.
    children: Vec<(String, String)>,
    code: Verilog,
    links: Vec<VerilogLink>,
}

/// A port, constant or local of a module, or a child's port there.
struct Named {
    name: String,
    kind: AtomKind,
    width: usize,
    /// What a constant is.
    value: String,
}

#[derive(Default)]
struct Visitor {
    path: Vec<String>,
    /// Bundles of ports.
    namespaces: Vec<String>,
    modules: Modules,
}

impl Visitor {
    fn module(&mut self, depth: usize) -> &mut Module {
        self.modules.entry(self.path[..depth].join("$")).or_default()
    }
}

impl Probe for Visitor {
    fn visit_start_scope(&mut self, name: &str, node: &dyn Block) {
        self.path.push(name.to_owned());
        let (depth, path) = (self.path.len(), self.path.join("$"));
        if depth > 1 {
            self.module(depth - 1).children.push((name.to_owned(), path));
        }
        let (code, links) = match node.hdl() {
            Verilog::Combinatorial(kernel) => {
                let kernel = unrolled(kernel);
                let links = verilog_link_extraction(&vec![VerilogStatement::Link(kernel.links)]);
                (Verilog::Combinatorial(kernel.code), links)
            }
            other => (other, Vec::new()),
        };
        let module = self.module(depth);
        (module.code, module.links) = (code, links);
    }

    fn visit_start_namespace(&mut self, name: &str, _node: &dyn Block) {
        self.namespaces.push(name.to_owned());
    }

    fn visit_atom(&mut self, name: &str, atom: &dyn Atom) {
        let name = match self.namespaces.is_empty() {
            true => name.to_owned(),
            false => format!("{}${name}", self.namespaces.join("$")),
        };
        let (kind, width) = (atom.kind(), atom.bits());
        let value = match kind {
            AtomKind::Constant => atom.verilog().to_string(),
            _ => String::new(),
        };
        let depth = self.path.len();
        if kind.is_parameter() && depth > 1 {
            let name = format!("{}${name}", self.path[depth - 1]);
            let kind = match kind {
                AtomKind::InputParameter => AtomKind::StubInputSignal,
                _ => AtomKind::StubOutputSignal,
            };
            self.module(depth - 1).atoms.push(Named { name, kind, width, value: String::new() });
        }
        self.module(depth).atoms.push(Named { name, kind, width, value });
    }

    fn visit_end_namespace(&mut self, _name: &str, _node: &dyn Block) {
        self.namespaces.pop();
    }

    fn visit_end_scope(&mut self, _name: &str, _node: &dyn Block) {
        self.path.pop();
    }
}

/// The two ends of a link, the driven one first.
fn ends(link: &VerilogLink) -> (String, String) {
    let end = |of: &str, link: &VerilogLinkDetails| format!("{of}${}", link.my_name);
    match link {
        VerilogLink::Forward(link) => (end(&link.other_name, link), end(&link.owner_name, link)),
        VerilogLink::Backward(link) | VerilogLink::Bidirectional(link) => {
            (end(&link.owner_name, link), end(&link.other_name, link))
        }
    }
}

/// A link of a row of ports as links of those that there are; see `blockyard_rtl::port_bundle`.
fn each_of_row((driven, driving): (String, String), atoms: &[Named]) -> Vec<(String, String)> {
    let (Some(driven_row), Some(driving_row)) =
        (driven.strip_suffix('*'), driving.strip_suffix('*'))
    else {
        return vec![(driven, driving)];
    };
    let numbers = atoms.iter().filter_map(|atom| atom.name.strip_prefix(driven_row));
    numbers
        .map(|number| (format!("{driven_row}{number}"), format!("{driving_row}{number}")))
        .collect()
}

fn text(path: &str, module: &Module, modules: &Modules) -> String {
    let ports: Vec<&Named> = module.atoms.iter().filter(|atom| atom.kind.is_parameter()).collect();
    let own: HashSet<&str> = ports.iter().map(|port| port.name.as_str()).collect();
    let there: HashSet<&str> = module.atoms.iter().map(|atom| atom.name.as_str()).collect();
    let links = module.links.iter().map(ends).flat_map(|link| each_of_row(link, &module.atoms));
    // A configuration may do without the ports of a bundle.
    let links: Vec<(String, String)> =
        links.filter(|(driven, _)| there.contains(driven.as_str())).collect();
    // What a child's port is linked to, if that is a port of the module.
    let mut linked: HashMap<&str, &str> = HashMap::new();
    for (driven, driving) in &links {
        for (end, other) in [(driven, driving), (driving, driven)] {
            if own.contains(other.as_str()) {
                linked.entry(end).or_insert(other.as_str());
            }
        }
    }
    let mut passed: HashSet<&str> = HashSet::new();
    let mut instances = String::new();
    for (name, child) in &module.children {
        let ports = modules[child].atoms.iter().filter(|atom| atom.kind.is_parameter());
        let connections: Vec<String> = ports
            .map(|port| {
                let stub = format!("{name}${}", port.name);
                let wire = linked.get(stub.as_str()).copied();
                passed.extend(wire);
                format!("        .{}({})", port.name, wire.unwrap_or(&stub))
            })
            .collect();
        let _ = write!(instances, "    {child} {name}(\n{}\n    );\n", connections.join(",\n"));
    }

    let header: Vec<&str> = ports.iter().map(|port| port.name.as_str()).collect();
    let mut text = format!("module {path}({});\n", header.join(","));
    section(&mut text, "Module arguments", ports.iter().copied(), |port| {
        // What a child drives cannot be a register.
        match (port.kind, passed.contains(port.name.as_str())) {
            (AtomKind::OutputParameter, true) => AtomKind::OutputPassthrough,
            (kind, _) => kind,
        }
    });
    let of =
        |wanted: fn(AtomKind) -> bool| module.atoms.iter().filter(move |atom| wanted(atom.kind));
    section(&mut text, "Constant declarations", of(|kind| kind == AtomKind::Constant), kind);
    let stubs = of(|kind| kind.is_stub()).filter(|stub| !linked.contains_key(stub.name.as_str()));
    section(&mut text, "Stub signals", stubs, kind);
    section(&mut text, "Local signals", of(|kind| kind == AtomKind::LocalSignal), kind);
    if !instances.is_empty() {
        text += "    // Sub module instances\n";
        text += &instances;
    }
    let (comment, code) = match &module.code {
        Verilog::Combinatorial(kernel) => ("    // Update code\n", verilog_combinatorial(kernel)),
        Verilog::Custom(code) => ("    // Update code (custom)\n", code.clone()),
        _ => ("", String::new()),
    };
    text += comment;
    code.lines().for_each(|line| text += &format!("    {line}\n"));
    for (driven, driving) in &links {
        if !own.contains(driven.as_str()) && !own.contains(driving.as_str()) {
            text += &format!("    always @(*) {driven} = {driving};\n");
        }
    }
    text + &format!("endmodule // {path}\n")
}

fn kind(atom: &Named) -> AtomKind {
    atom.kind
}

/// Declarations, under a comment that says of what.
fn section<'a>(
    text: &mut String,
    what: &str,
    atoms: impl Iterator<Item = &'a Named>,
    kind: impl Fn(&Named) -> AtomKind,
) {
    let mut atoms = atoms.peekable();
    if atoms.peek().is_some() {
        *text += &format!("    // {what}\n");
    }
    for atom in atoms {
        let Named { name, width, value, .. } = atom;
        let range = match width {
            1 => String::new(),
            _ => format!("[{}:0] ", width - 1),
        };
        let declared = match kind(atom) {
            AtomKind::InputParameter => format!("input wire  {range}{name}"),
            AtomKind::OutputParameter => format!("output reg  {range}{name}"),
            AtomKind::OutputPassthrough => format!("output wire  {range}{name}"),
            AtomKind::InOutParameter => format!("inout wire  {range}{name}"),
            AtomKind::StubOutputSignal => format!("wire  {range}{name}"),
            AtomKind::StubInputSignal | AtomKind::LocalSignal => format!("reg  {range}{name}"),
            AtomKind::Constant => format!("localparam  {name} = {value}"),
        };
        *text += &format!("    {declared};\n");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use blockyard_rtl::catalog::{self, Entry, Size};
    use rayon::prelude::*;
    use rust_hdl::prelude::ModuleDefines;

    fn lines(text: &str) -> Vec<&str> {
        text.lines().map(str::trim_end).filter(|line| !line.is_empty()).collect()
    }

    #[test]
    fn the_text_is_rust_hdl_s_own_where_no_row_of_ports_is_linked() {
        // rust-hdl's own printer is slow: one configuration of each module.
        let of_entry = |entry: &Entry| {
            let small = entry.configurations.iter().find(|of| of.size == Size::Small)?;
            let design = small.build();
            let mut defines = ModuleDefines::default();
            design.as_block().accept("top", &mut defines);
            let expected = defines.defines();
            // Samples and triggers are rows, questions have a port that may be absent, and links
            // of such are ours alone.
            let own = ["sample_ports$", "dependent_ports$", "cancel_ports$"];
            if own.iter().any(|ports| expected.contains(ports)) {
                return None;
            }
            let text = modules(design.as_block(), "top").concat();
            assert_eq!(lines(&text), lines(&expected), "{}/{}", entry.name, small.name);
            Some(())
        };
        let compared = catalog::entries().par_iter().filter_map(of_entry).count();
        assert!(compared > 60, "{compared} configurations");
    }
}
