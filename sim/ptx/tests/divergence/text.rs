//! A drawn program as PTX.

use std::fmt::Write;

use super::drawn::{
    Call, Condition, Expression, Operand, Operator, Program, Reduction, Statement, Step,
};
use super::scalar::{callable, DEPTH};

/// The function at hand.
#[derive(Default)]
struct Body<'a> {
    text: String,
    /// Numbers of labels, predicates and counters.
    next: u32,
    /// Where a loop goes when it breaks or continues.
    loops: Vec<(String, String)>,
    function: Option<(usize, u32)>,
    returns: bool,
    program: Option<&'a Program>,
}

/// The module of `program`: its kernel `k` takes addresses of the threads' first variables, of what
/// it leaves there, and of the counters.
pub fn module(program: &Program) -> String {
    let mut text = String::from(".shared .align 4 .b32 slots[128];\n");
    for (number, body) in program.functions.iter().enumerate() {
        let mut function = Body {
            function: Some((number, 0)),
            returns: true,
            program: Some(program),
            ..Body::default()
        };
        function.all(body);
        text += &function.function(&format!("f{number}"));
    }
    for (number, body) in program.together.iter().enumerate() {
        let function = Some((number, 0));
        let mut function = Body { function, program: Some(program), ..Body::default() };
        function.steps(body);
        text += &function.function(&format!("t{number}"));
    }
    let mut kernel = Body { returns: true, program: Some(program), ..Body::default() };
    kernel.steps(&program.kernel);
    // Functions know the counters' address from a variable.
    super::super::support::module(&format!(
        ".visible .global .align 8 .u64 counters;\n{text}
.visible .entry k(.param .u64 from, .param .u64 to)
{{
{DECLARATIONS}.reg .b64 %from, %to;
ld.param.u64 %from, [from];
ld.param.u64 %to, [to];
mad.lo.u32 %t0, %ctaid, %ntid, %tid;
mad.wide.u32 %from, %t0, 16, %from;
mad.wide.u32 %to, %t0, 16, %to;
ld.global.v4.u32 {{%v0, %v1, %v2, %v3}}, [%from];
ld.global.u64 %counters, [counters];
{}st.global.v4.u32 [%to], {{%v0, %v1, %v2, %v3}};
ret;
}}
",
        kernel.text
    ))
    .replace("%ctaid", "%ctaid.x")
    .replace("%ntid", "%ntid.x")
    .replace("%tid", "%tid.x")
}

pub const DECLARATIONS: &str =
    ".reg .b32 %v<4>, %t<4>, %d, %c<2000>;\n.reg .pred %p<2000>;\n.reg .b64 %counters, %w;\n";

pub fn operand(operand: Operand) -> String {
    match operand {
        Operand::Variable(number) => format!("%v{number}"),
        Operand::Constant(value) => value.to_string(),
    }
}

pub fn expression(to: usize, Expression(left, operator, right): Expression) -> String {
    let opcode = match operator {
        Operator::Add => "add.u32",
        Operator::Multiply => "mul.lo.u32",
        Operator::Xor => "xor.b32",
    };
    format!("{opcode} %v{to}, {}, {};\n", operand(left), operand(right))
}

/// Sets predicate `number` to the condition; the guard with which it holds.
pub fn condition(text: &mut String, number: u32, condition: Condition) -> String {
    let (of, mask) = (operand(condition.of), 1_u32 << condition.bit);
    let _ = write!(text, "and.b32 %t0, {of}, {mask};\nsetp.ne.u32 %p{number}, %t0, 0;\n");
    format!("{}%p{number}", if condition.set { "" } else { "!" })
}

impl Body<'_> {
    fn function(&self, name: &str) -> String {
        format!(
            ".func (.param .b32 result) {name}(.param .b32 a, .param .b32 b, .param .b32 depth)
{{
{DECLARATIONS}ld.param.u32 %v0, [a];
ld.param.u32 %v1, [b];
ld.param.u32 %d, [depth];
mov.u32 %v2, 0;
mov.u32 %v3, 0;
ld.global.u64 %counters, [counters];
{}LEAVE:
st.param.u32 [result], %v0;
ret;
}}
",
            self.text
        )
    }

    fn fresh(&mut self) -> u32 {
        self.next += 1;
        self.next - 1
    }

    fn condition(&mut self, holds: Condition) -> String {
        let number = self.fresh();
        condition(&mut self.text, number, holds)
    }

    fn line(&mut self, line: impl AsRef<str>) {
        self.text.push_str(line.as_ref());
        self.text.push('\n');
    }

    fn steps(&mut self, steps: &[Step]) {
        for step in steps {
            match step {
                Step::Own(own) => self.statement(own),
                Step::Exchange { bring, from, to } => {
                    self.line("mov.u32 %t1, slots;\nmad.lo.u32 %t1, %tid, 4, %t1;");
                    self.line(format!("st.shared.u32 [%t1], %v{bring};\nbar.sync 0;"));
                    self.line(format!("add.u32 %t2, %tid, {from};\nrem.u32 %t2, %t2, %ntid;"));
                    self.line("mov.u32 %t1, slots;\nmad.lo.u32 %t1, %t2, 4, %t1;");
                    self.line(format!("ld.shared.u32 %v{to}, [%t1];\nbar.sync 0;"));
                }
                Step::Reduce(reduction, holds, to) => {
                    let holds = self.condition(*holds);
                    let number = self.fresh();
                    let (kind, result) = match reduction {
                        Reduction::Count => ("popc.u32", format!("%v{to}")),
                        Reduction::All => ("and.pred", format!("%p{number}")),
                        Reduction::Any => ("or.pred", format!("%p{number}")),
                    };
                    self.line(format!("bar.red.{kind} {result}, 0, {holds};"));
                    if result.starts_with("%p") {
                        self.line(format!("selp.u32 %v{to}, 1, 0, {result};"));
                    }
                }
                Step::Together(call) => {
                    let number = self.function.map_or(0, |(number, _)| number + 1) + call.of;
                    if self.program.is_some_and(|program| number < program.together.len()) {
                        self.call(&Call { guard: None, ..*call }, &format!("t{number}"), "0");
                    }
                }
            }
        }
    }

    fn all(&mut self, statements: &[Statement]) {
        statements.iter().for_each(|statement| self.statement(statement));
    }

    fn statement(&mut self, statement: &Statement) {
        match statement {
            Statement::Assign(to, from) => self.text += &expression(*to, *from),
            Statement::Guarded(guard, to, from) => {
                let guard = self.condition(*guard);
                self.line(format!("@{guard} {}", expression(*to, *from).trim_end()));
            }
            Statement::If(holds, then, other) => {
                let holds = self.condition(*holds);
                let number = self.fresh();
                self.line(format!("@{holds} bra THEN{number};"));
                self.all(other);
                self.line(format!("bra JOIN{number};\nTHEN{number}:"));
                self.all(then);
                self.line(format!("JOIN{number}:"));
            }
            Statement::Loop(times, body) => self.repeat(*times, body),
            Statement::Break(when) | Statement::Continue(when) => {
                let Some((next, out)) = self.loops.last().cloned() else { return };
                let when = self.condition(*when);
                let to = if matches!(statement, Statement::Break(_)) { out } else { next };
                self.line(format!("@{when} bra {to};"));
            }
            Statement::Return(when) if self.returns => {
                let when = self.condition(*when);
                let way = if self.function.is_some() { "bra LEAVE" } else { "ret" };
                self.line(format!("@{when} {way};"));
            }
            Statement::Return(_) => {}
            Statement::Exit(when) => {
                let when = self.condition(*when);
                self.line(format!("@{when} exit;"));
            }
            Statement::Switch(by, arms) => self.switch(*by, arms),
            Statement::Call(call) => {
                let number = callable(self.function, self.returns) + call.of;
                if self.program.is_some_and(|program| number < program.functions.len()) {
                    self.call(call, &format!("f{number}"), &DEPTH.to_string());
                }
            }
            Statement::Recurse(call) => {
                if let (Some((function, _)), true) = (self.function, self.returns) {
                    let number = self.fresh();
                    self.line(format!(
                        "setp.eq.u32 %p{number}, %d, 0;\n@%p{number} bra SKIP{number};"
                    ));
                    self.line("sub.u32 %t3, %d, 1;");
                    self.call(call, &format!("f{function}"), "%t3");
                    self.line(format!("SKIP{number}:"));
                }
            }
            Statement::Count(counter, by) => {
                let by = operand(*by);
                self.line(format!("red.global.add.u32 [%counters+{}], {by};", 4 * counter));
            }
        }
    }

    fn repeat(&mut self, times: Operand, body: &[Statement]) {
        let number = self.fresh();
        let (next, out) = (format!("NEXT{number}"), format!("OUT{number}"));
        self.line(format!("and.b32 %c{number}, {}, 3;\n{next}:", operand(times)));
        self.line(format!("setp.eq.u32 %p{number}, %c{number}, 0;\n@%p{number} bra {out};"));
        self.line(format!("sub.u32 %c{number}, %c{number}, 1;"));
        self.loops.push((next.clone(), out.clone()));
        self.all(body);
        self.loops.pop();
        self.line(format!("bra {next};\n{out}:"));
    }

    fn switch(&mut self, by: Operand, arms: &[Vec<Statement>]) {
        let number = self.fresh();
        let targets: Vec<String> = (0..4)
            .map(|arm| match arms.get(arm) {
                Some(_) => format!("ARM{number}x{arm}"),
                None => format!("JOIN{number}"),
            })
            .collect();
        self.line(format!("and.b32 %t0, {}, 3;", operand(by)));
        self.line(format!("TABLE{number}: .branchtargets {};", targets.join(", ")));
        self.line(format!("brx.idx %t0, TABLE{number};"));
        for (arm, body) in arms.iter().enumerate().take(4) {
            self.line(format!("ARM{number}x{arm}:"));
            self.all(body);
            self.line(format!("bra JOIN{number};"));
        }
        self.line(format!("JOIN{number}:"));
    }

    fn call(&mut self, call: &Call, name: &str, depth: &str) {
        let guard = match call.guard {
            Some(guard) => format!("@{} ", self.condition(guard)),
            None => String::new(),
        };
        let [first, second] = call.arguments.map(operand);
        self.line("{\n.param .b32 pa;\n.param .b32 pb;\n.param .b32 pd;\n.param .b32 pr;");
        self.line(format!("st.param.b32 [pa], {first};\nst.param.b32 [pb], {second};"));
        self.line(format!("st.param.b32 [pd], {depth};"));
        self.line(format!("{guard}call (pr), {name}, (pa, pb, pd);"));
        if let Some(to) = call.to {
            self.line(format!("{guard}ld.param.b32 %v{to}, [pr];"));
        }
        self.line("}");
    }
}
