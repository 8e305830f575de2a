//! Each output shows the word that it selects.

use super::Crossbar;
use crate::prelude::*;
use crate::property::Properties;
use crate::word::AnyWord;

/// Word by word, whatever the words are.
pub fn of<T: Value, S: Value + AnyWord>(crossbar: &Crossbar<T, S>) -> Properties {
    let mut p = Properties::default();
    let words = crossbar.word.len();
    for output in 0..crossbar.data.len() {
        let select = format!("select${output}");
        let others = (1..words).map(|word| format!("{select} == {word} ? word${word} : "));
        let selected = others.collect::<String>() + "word$0";
        p.assert(
            format!("shows_{output}"),
            "it shows the word of that number, and the first where there is none",
            format!("data${output} == ({selected})"),
        );
    }
    p.cover("another", "another word than the first is shown", "select$0 != 0 & data$0 != word$0");
    p
}
