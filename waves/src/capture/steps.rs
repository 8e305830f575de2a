//! What a capture makes of the steps through a design: which are shown, and where each variable is.

use crate::error::WaveError;
use crate::layout::Step;
use std::collections::HashMap;

/// Where each variable is: the track of its signal, and its number there.
pub(super) fn places(steps: &[Step]) -> HashMap<String, (usize, usize)> {
    let (mut path, mut places, mut track) = (Vec::new(), HashMap::new(), 0);
    for step in steps {
        match step {
            Step::Enter(name) => path.push(name.as_str()),
            Step::Leave => {
                path.pop();
            }
            Step::Hidden => track += 1,
            Step::Signal(variables) | Step::Outside(variables) => {
                for (number, variable) in variables.iter().enumerate() {
                    let name = format!("{}.{}", path.join("."), variable.name);
                    places.insert(name, (track, number));
                }
                track += 1;
            }
        }
    }
    places
}

/// The step of a design of which nothing is dumped.
pub(super) fn hidden(step: Step) -> Step {
    match step {
        Step::Signal(variables) => Step::Outside(variables),
        other => other,
    }
}

/// The steps without scopes in which nothing is shown.
pub(super) fn shown(steps: Vec<Step>) -> Vec<Step> {
    let mut kept: Vec<Step> = Vec::new();
    let unseen = |step: &Step| matches!(step, Step::Hidden | Step::Outside(_));
    for step in steps {
        let last = kept.iter().rev().find(|step| !unseen(step));
        let empty = matches!(last, Some(Step::Enter(_)));
        if step == Step::Leave && empty {
            let enter = kept.iter().rposition(|step| matches!(step, Step::Enter(_)));
            // The hidden signals keep their places in the order of visits.
            kept.remove(enter.expect("the last step that is not hidden is one"));
        } else {
            kept.push(step);
        }
    }
    kept
}

pub(super) fn check_scopes(steps: &[Step], scopes: &[String]) -> Result<(), WaveError> {
    let (mut path, mut paths, mut below_top) = (Vec::new(), Vec::new(), Vec::new());
    for step in steps {
        match step {
            Step::Enter(name) => {
                path.push(name.as_str());
                paths.push(path[1..].join("."));
                if path.len() == 2 {
                    below_top.push(name.as_str());
                }
            }
            Step::Leave => {
                path.pop();
            }
            Step::Signal(_) | Step::Outside(_) | Step::Hidden => {}
        }
    }
    match scopes.iter().find(|scope| !paths.contains(scope)) {
        None => Ok(()),
        Some(scope) => {
            Err(WaveError::NoSuchScope { scope: scope.clone(), known: below_top.join(", ") })
        }
    }
}

/// `enum top.queue.state 0=Idle 1=Shift`: what the views need to name values.
pub(super) fn enum_comments(steps: &[Step]) -> Vec<String> {
    let (mut path, mut lines) = (Vec::new(), Vec::new());
    for step in steps {
        match step {
            Step::Enter(name) => path.push(name.as_str()),
            Step::Leave => {
                path.pop();
            }
            Step::Hidden | Step::Outside(_) => {}
            Step::Signal(variables) => {
                for variable in variables.iter().filter(|variable| !variable.names.is_empty()) {
                    let values = variable.names.iter().enumerate();
                    let values: Vec<String> =
                        values.map(|(number, name)| format!("{number}={name}")).collect();
                    lines.push(format!(
                        "enum {}.{} {}",
                        path.join("."),
                        variable.name,
                        values.join(" ")
                    ));
                }
            }
        }
    }
    lines
}
