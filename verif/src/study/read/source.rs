//! Where a study stands, for saying what is wrong with it.

use blockyard_sim::diagnostic::InputError;
use miette::{Diagnostic, Report};
use std::ops::Range;

/// The text of a study, and what it is called in messages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// The path of the file, or what stands for it.
    pub name: String,
    /// All of it.
    pub text: String,
}

impl Source {
    /// A complaint about the bytes `place`.
    pub fn wrong(&self, place: Range<usize>, message: impl Into<String>) -> InputError {
        let line = 1 + self.text.as_bytes()[..place.start.min(self.text.len())]
            .iter()
            .filter(|&&byte| byte == b'\n')
            .count();
        let message = format!("{} line {line}: {}", self.name, message.into());
        InputError::new(message).at(&self.name, &self.text, place, "here")
    }

    /// What another part of the tool says about the value of `key` at the bytes `place`.
    pub fn wrong_value(&self, place: Range<usize>, key: &str, report: &Report) -> InputError {
        let diagnostic: &dyn Diagnostic = report.as_ref();
        let wrong = self.wrong(place, format!("{key}: {report}"));
        match diagnostic.help() {
            Some(help) => wrong.help(help.to_string()),
            None => wrong,
        }
    }
}
