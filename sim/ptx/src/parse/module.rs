//! A file: its header, then variables and functions.

use super::lexer::Kind;
use super::parser::{Parsed, Parser};
use crate::ast::{Linkage, Module};

/// What may stand at module scope.
const ITEM: &str = "`.entry`, `.func`, a variable such as `.global .u32 x;`, or another directive";

const TARGET: &str = "an architecture such as `sm_80` or `sm_90a`, or a feature such as `debug`";

/// What `.target` may name beside architectures.
const FEATURES: [&str; 4] = ["debug", "map_f64_to_f32", "texmode_independent", "texmode_unified"];

/// Whether `.target` may name `word`: a feature, or `sm_` and a number, of which `a` and `f` say
/// what other architectures have of it.
fn is_target(word: &str) -> bool {
    let number = |name: &str| {
        let digits = name.strip_suffix(['a', 'f']).unwrap_or(name);
        !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
    };
    FEATURES.contains(&word) || word.strip_prefix("sm_").is_some_and(number)
}

impl Parser<'_> {
    /// The whole file.
    pub fn module(&mut self) -> Parsed<Module> {
        if self.peek() != Kind::Dotted("version") {
            return Err(self.unexpected("`.version 8.0` or the like, with which a PTX file begins"));
        }
        let (registers, variables, functions) = (Vec::new(), Vec::new(), Vec::new());
        let (version, target, address_size) = ((0, 0), Vec::new(), 32);
        let mut module = Module { version, target, address_size, registers, variables, functions };
        self.advance()?;
        module.version = self.version()?;
        while self.peek() != Kind::End {
            self.item(&mut module)?;
        }
        Ok(module)
    }

    fn item(&mut self, module: &mut Module) -> Parsed<()> {
        let Kind::Dotted(directive) = self.peek() else { return Err(self.unexpected(ITEM)) };
        match directive {
            "version" => return Err(self.unexpected("one `.version`, the first of the file")),
            "target" => {
                self.advance()?;
                self.targets(&mut module.target)?;
            }
            "address_size" => {
                self.advance()?;
                let Kind::Integer { bits: bits @ (32 | 64), .. } = self.peek() else {
                    return Err(self.unexpected("32 or 64"));
                };
                module.address_size = bits as u32;
                self.advance()?;
            }
            "reg" => {
                let registers = self.registers()?;
                module.registers.push(registers);
            }
            _ if self.skip_directive()? => {}
            _ => {
                let linkage = self.linkage()?;
                match self.peek() {
                    Kind::Dotted("entry" | "func") => {
                        let function = self.function(linkage)?;
                        module.functions.push(function);
                    }
                    _ => self.variables(linkage, ITEM, |v| module.variables.push(v))?,
                }
            }
        }
        Ok(())
    }

    fn version(&mut self) -> Parsed<(u32, u32)> {
        let numbers = self.written().split_once('.');
        let Some((Ok(major), Ok(minor))) = numbers.map(|(a, b)| (a.parse(), b.parse())) else {
            return Err(self.unexpected("a version such as `8.0`"));
        };
        self.advance()?;
        Ok((major, minor))
    }

    fn targets(&mut self, targets: &mut Vec<String>) -> Parsed<()> {
        loop {
            match self.peek() {
                Kind::Word(word) if !is_target(word) => return Err(self.unexpected(TARGET)),
                _ => targets.push(self.word(TARGET)?.0.to_owned()),
            }
            if !self.accept(",")? {
                return Ok(());
            }
        }
    }

    /// The linkages that come next, of which the last counts.
    pub fn linkage(&mut self) -> Parsed<Linkage> {
        let mut linkage = Linkage::Internal;
        while let Kind::Dotted(word) = self.peek() {
            let Some(given) = super::types::linkage_of(word) else { break };
            linkage = given;
            self.advance()?;
        }
        Ok(linkage)
    }

    /// Reads over a directive that says nothing of what is computed, if one comes next.
    pub fn skip_directive(&mut self) -> Parsed<bool> {
        match self.peek() {
            Kind::Dotted("file") => {
                self.advance()?;
                self.whole("the number of a file")?;
                if self.peek() != Kind::Text {
                    return Err(self.unexpected("the name of a file in `\"`"));
                }
                self.advance()?;
                // Its time and size.
                while self.accept(",")? {
                    self.whole("a number")?;
                }
            }
            Kind::Dotted("section") => {
                self.advance()?;
                if let Kind::Dotted(_) | Kind::Word(_) = self.peek() {
                    self.advance()?;
                }
                self.skip_group("{", "}")?;
            }
            Kind::Dotted("pragma" | "alias") => self.skip_behind(";")?,
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Reads over `.attribute(...)` if it comes next.
    pub fn skip_attribute(&mut self) -> Parsed<bool> {
        let found = self.peek() == Kind::Dotted("attribute");
        if found {
            self.advance()?;
            self.skip_group("(", ")")?;
        }
        Ok(found)
    }
}
