//! Faults as the command line names them.

use blockyard_sim::port::KernelEntry;
use blockyard_sim::sched::Fault;
use miette::{miette, Report, Result};

/// A fault as the command line names it: `wrong-credit:ENTRY,SMX,CYCLE` or
/// `lost-completion:SMX,CYCLE`.
///
/// # Errors
/// Anything else, with what was expected.
pub fn parse_fault(text: &str) -> Result<Fault> {
    let refused = || -> Report {
        miette!(
            help = "expected wrong-credit:ENTRY,SMX,CYCLE or lost-completion:SMX,CYCLE",
            "`{text}` is not a fault"
        )
    };
    let (kind, numbers) = text.split_once(':').ok_or_else(refused)?;
    let numbers: Option<Vec<u64>> = numbers.split(',').map(|number| number.parse().ok()).collect();
    match (kind, numbers.as_deref()) {
        ("wrong-credit", Some(&[entry, smx, cycle])) => Ok(Fault::WrongCredit {
            kernel: KernelEntry(u8::try_from(entry).map_err(|_| refused())?),
            smx: smx as usize,
            cycle,
        }),
        ("lost-completion", Some(&[smx, cycle])) => {
            Ok(Fault::LostCompletion { smx: smx as usize, cycle })
        }
        _ => Err(refused()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_faults_are_read() {
        assert_eq!(
            parse_fault("wrong-credit:3,1,250").expect("a fault"),
            Fault::WrongCredit { kernel: KernelEntry(3), smx: 1, cycle: 250 }
        );
        assert_eq!(
            parse_fault("lost-completion:0,7").expect("a fault"),
            Fault::LostCompletion { smx: 0, cycle: 7 }
        );
    }

    #[test]
    fn anything_else_is_refused_with_the_two_forms() {
        for text in [
            "",
            "wrong-credit",
            "wrong-credit:1,2",
            "lost-completion:1,2,3",
            "x:1,2",
            "wrong-credit:256,0,0",
        ] {
            let error = parse_fault(text).expect_err(text);
            assert!(error.help().expect("help").to_string().contains("lost-completion:SMX"));
        }
    }
}
