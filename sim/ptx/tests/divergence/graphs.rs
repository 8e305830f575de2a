//! Control flow without any structure: threads go from block to block until they are out of fuel.

use std::fmt::Write;

use proptest::collection::vec;
use proptest::prelude::*;

use super::drawn::{condition, simple, Condition, Statement, VARIABLES};
use super::programs::words;
use super::{scalar, text};
use crate::support;
use blockyard_ptx::Arguments;

/// Blocks that a thread enters before it leaves.
const FUEL: u32 = 40;

/// How a block ends; targets count modulo the number of blocks.
#[derive(Clone, Debug)]
enum End {
    Jump(usize),
    /// There if it holds, else to the next block.
    Branch(Condition, usize),
    /// To the entry that the two lowest bits of a variable say; with a condition, or the next
    /// block.
    Table(Option<Condition>, usize, [usize; 4]),
    /// Leaves if it holds, else goes to the next block.
    Leave(Condition),
}

type Graph = Vec<(Vec<Statement>, End)>;

fn graph() -> impl Strategy<Value = Graph> {
    let end = prop_oneof![
        2 => any::<usize>().prop_map(End::Jump),
        5 => (condition(), any::<usize>()).prop_map(|(holds, to)| End::Branch(holds, to)),
        1 => (proptest::option::of(condition()), 0..VARIABLES, any::<[usize; 4]>())
            .prop_map(|(holds, by, to)| End::Table(holds, by, to)),
        1 => condition().prop_map(End::Leave),
    ];
    vec((vec(simple(), 0..3), end), 1..9)
}

/// What a thread leaves that begins with `variables`.
fn scalar(graph: &Graph, mut variables: [u32; VARIABLES]) -> [u32; VARIABLES] {
    let (mut at, mut fuel) = (0, FUEL);
    loop {
        fuel -= 1;
        if fuel == 0 {
            return variables;
        }
        let (body, end) = &graph[at];
        for statement in body {
            match statement {
                Statement::Assign(to, from) => variables[*to] = scalar::evaluate(*from, &variables),
                Statement::Guarded(guard, to, from) if scalar::holds(*guard, &variables) => {
                    variables[*to] = scalar::evaluate(*from, &variables);
                }
                _ => {}
            }
        }
        let holds = |condition: &Condition| scalar::holds(*condition, &variables);
        at = match end {
            End::Jump(to) => *to,
            End::Branch(condition, to) if holds(condition) => *to,
            End::Table(condition, by, to) if condition.as_ref().is_none_or(holds) => {
                to[variables[*by] as usize & 3]
            }
            End::Leave(condition) if holds(condition) => return variables,
            _ => at + 1,
        } % graph.len();
    }
}

fn module(graph: &Graph) -> String {
    let mut body = String::new();
    let mut next = 0;
    for (number, (statements, end)) in graph.iter().enumerate() {
        let _ = write!(
            body,
            "L{number}:\nsub.u32 %c0, %c0, 1;\nsetp.eq.u32 %q, %c0, 0;\n@%q bra OUT;\n"
        );
        for statement in statements {
            match statement {
                Statement::Assign(to, from) => body += &text::expression(*to, *from),
                Statement::Guarded(guard, to, from) => {
                    let guard = text::condition(&mut body, next, *guard);
                    next += 1;
                    let _ = write!(body, "@{guard} {}", text::expression(*to, *from));
                }
                _ => {}
            }
        }
        let label = |to: &usize| format!("L{}", to % graph.len());
        let guarded = |body: &mut String, next: &mut u32, holds: &Condition| {
            let guard = text::condition(body, *next, *holds);
            *next += 1;
            format!("@{guard} ")
        };
        let _ = match end {
            End::Jump(to) => writeln!(body, "bra {};", label(to)),
            End::Branch(holds, to) => {
                let guard = guarded(&mut body, &mut next, holds);
                writeln!(body, "{guard}bra {};", label(to))
            }
            End::Table(holds, by, to) => {
                let guard = match holds {
                    Some(holds) => guarded(&mut body, &mut next, holds),
                    None => String::new(),
                };
                let labels: Vec<String> = to.iter().map(label).collect();
                let _ = writeln!(body, "and.b32 %t1, %v{by}, 3;");
                let _ = writeln!(body, "T{number}: .branchtargets {};", labels.join(", "));
                writeln!(body, "{guard}brx.idx %t1, T{number};")
            }
            End::Leave(holds) => {
                let guard = guarded(&mut body, &mut next, holds);
                writeln!(body, "{guard}bra OUT;")
            }
        };
    }
    support::module(&format!(
        ".visible .entry k(.param .u64 at)
{{
{}.reg .b64 %at;
.reg .pred %q;
ld.param.u64 %at, [at];
mov.u32 %t0, %tid.x;
mad.wide.u32 %at, %t0, 16, %at;
ld.global.v4.u32 {{%v0, %v1, %v2, %v3}}, [%at];
mov.u32 %c0, {FUEL};
{body}bra L0;
OUT:
st.global.v4.u32 [%at], {{%v0, %v1, %v2, %v3}};
ret;
}}
",
        text::DECLARATIONS
    ))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn threads_go_through_any_graph_as_one_by_one(
        graph in graph(),
        threads in 1_u32..=64,
        seed in any::<u32>(),
    ) {
        let first = words(threads * VARIABLES as u32, seed);
        let expected: Vec<u32> = first
            .chunks_exact(VARIABLES)
            .flat_map(|one| scalar(&graph, one.try_into().unwrap()))
            .collect();
        let module = module(&graph);
        let machine = support::machine(&module);
        let at = machine.array(&first).unwrap();
        support::run(&machine, "k", (1, threads), Arguments::new().long(at)).unwrap();
        prop_assert_eq!(machine.words(at, first.len() as u64).unwrap(), expected, "{}", module);
    }
}
