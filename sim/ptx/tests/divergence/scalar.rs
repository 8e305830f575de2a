//! A drawn program, executed thread by thread.
//!
//! A thread runs from its begin up to the first step for which it needs the others; when all have
//! come there, it runs from its begin again with what it learned.

use super::drawn::{
    Call, Condition, Expression, Operand, Operator, Program, Reduction, Statement, Step, COUNTERS,
    VARIABLES,
};

/// More steps than this take too long.
const MOST_STEPS: u32 = 20_000;
/// How deep a function calls itself.
pub const DEPTH: u32 = 2;

type Variables = [u32; VARIABLES];

/// Why a thread does not go on with the next statement.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Stop {
    Break,
    Continue,
    Return,
    Exit,
    /// It brings a value, and gets that of the thread so many behind it.
    Exchange(u32, u32),
    Reduce(ReductionOf, bool),
    TooLong,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum ReductionOf {
    Count,
    All,
    Any,
}

/// What a block leaves behind.
#[derive(Debug, PartialEq)]
pub struct Outcome {
    /// Of each thread; zero for those that left early.
    pub variables: Vec<Variables>,
    pub counters: [u32; COUNTERS],
}

struct Thread<'a> {
    program: &'a Program,
    /// What it has learned from others, and how much of it was used.
    learned: &'a [u32],
    used: usize,
    counters: [u32; COUNTERS],
    steps: u32,
}

/// What the function at hand knows of itself.
#[derive(Clone, Copy)]
struct Context {
    /// Its number, and how deep it may call itself.
    function: Option<(usize, u32)>,
    returns: bool,
    in_loop: bool,
}

/// Runs a block whose threads begin with the variables `first`; `None`: it takes too long.
pub fn run(program: &Program, first: &[Variables]) -> Option<Outcome> {
    let mut learned = vec![Vec::new(); first.len()];
    let mut slots = vec![0; first.len()];
    loop {
        let mut outcome = Outcome { variables: Vec::new(), counters: [0; COUNTERS] };
        let mut stops = Vec::new();
        for (first, learned) in first.iter().zip(&learned) {
            let mut thread =
                Thread { program, learned, used: 0, counters: [0; COUNTERS], steps: 0 };
            let mut variables = *first;
            let context = Context { function: None, returns: true, in_loop: false };
            let stop = thread.together(&program.kernel, &mut variables, context).err();
            if stop == Some(Stop::TooLong) {
                return None;
            }
            outcome.variables.push(if stop.is_none() { variables } else { [0; VARIABLES] });
            for (all, own) in outcome.counters.iter_mut().zip(thread.counters) {
                *all = all.wrapping_add(own);
            }
            stops.push(stop);
        }
        let reduced = stops.iter().filter_map(|stop| match stop {
            Some(Stop::Reduce(_, holds)) => Some(*holds),
            _ => None,
        });
        let reduced: Vec<bool> = reduced.collect();
        for (slot, stop) in slots.iter_mut().zip(&stops) {
            if let Some(Stop::Exchange(value, _)) = stop {
                *slot = *value;
            }
        }
        let mut done = true;
        for (thread, stop) in stops.iter().enumerate() {
            let found = match stop {
                Some(Stop::Exchange(_, from)) => slots[(thread + *from as usize) % slots.len()],
                Some(Stop::Reduce(ReductionOf::Count, _)) => {
                    reduced.iter().filter(|holds| **holds).count() as u32
                }
                Some(Stop::Reduce(ReductionOf::All, _)) => {
                    u32::from(reduced.iter().all(|holds| *holds))
                }
                Some(Stop::Reduce(ReductionOf::Any, _)) => u32::from(reduced.contains(&true)),
                _ => continue,
            };
            learned[thread].push(found);
            done = false;
        }
        if done {
            return Some(outcome);
        }
    }
}

pub fn value(operand: Operand, variables: &Variables) -> u32 {
    match operand {
        Operand::Variable(number) => variables[number],
        Operand::Constant(value) => value,
    }
}

pub fn evaluate(Expression(left, operator, right): Expression, variables: &Variables) -> u32 {
    let (left, right) = (value(left, variables), value(right, variables));
    match operator {
        Operator::Add => left.wrapping_add(right),
        Operator::Multiply => left.wrapping_mul(right),
        Operator::Xor => left ^ right,
    }
}

pub fn holds(condition: Condition, variables: &Variables) -> bool {
    (value(condition.of, variables) >> condition.bit & 1 == 1) == condition.set
}

impl Thread<'_> {
    fn together(
        &mut self,
        steps: &[Step],
        variables: &mut Variables,
        context: Context,
    ) -> Result<(), Stop> {
        for step in steps {
            match step {
                Step::Own(own) => self.statement(own, variables, context)?,
                Step::Exchange { bring, from, to } => {
                    variables[*to] = self.learn(Stop::Exchange(variables[*bring], *from))?;
                }
                Step::Reduce(reduction, condition, to) => {
                    let of = match reduction {
                        Reduction::Count => ReductionOf::Count,
                        Reduction::All => ReductionOf::All,
                        Reduction::Any => ReductionOf::Any,
                    };
                    let stop = Stop::Reduce(of, holds(*condition, variables));
                    variables[*to] = self.learn(stop)?;
                }
                Step::Together(call) => {
                    let first = context.function.map_or(0, |(number, _)| number + 1);
                    let Some(body) = self.program.together.get(first + call.of) else { continue };
                    let mut own = arguments(call, variables);
                    let function = Some((first + call.of, 0));
                    let inner = Context { function, returns: false, in_loop: false };
                    self.together(body, &mut own, inner)?;
                    if let Some(to) = call.to {
                        variables[to] = own[0];
                    }
                }
            }
        }
        Ok(())
    }

    fn learn(&mut self, stop: Stop) -> Result<u32, Stop> {
        let found = self.learned.get(self.used).copied();
        self.used += 1;
        found.ok_or(stop)
    }

    fn all(
        &mut self,
        statements: &[Statement],
        variables: &mut Variables,
        context: Context,
    ) -> Result<(), Stop> {
        statements.iter().try_for_each(|statement| self.statement(statement, variables, context))
    }

    fn statement(
        &mut self,
        statement: &Statement,
        variables: &mut Variables,
        context: Context,
    ) -> Result<(), Stop> {
        self.steps += 1;
        if self.steps > MOST_STEPS {
            return Err(Stop::TooLong);
        }
        match statement {
            Statement::Assign(to, from) => variables[*to] = evaluate(*from, variables),
            Statement::Guarded(guard, to, from) if holds(*guard, variables) => {
                variables[*to] = evaluate(*from, variables);
            }
            Statement::Guarded(..) => {}
            Statement::If(condition, then, other) => {
                let body = if holds(*condition, variables) { then } else { other };
                self.all(body, variables, context)?;
            }
            Statement::Loop(times, body) => {
                let inner = Context { in_loop: true, ..context };
                for _ in 0..value(*times, variables) & 3 {
                    match self.all(body, variables, inner) {
                        Err(Stop::Break) => break,
                        Err(Stop::Continue) | Ok(()) => {}
                        other => return other,
                    }
                }
            }
            Statement::Break(when) if context.in_loop && holds(*when, variables) => {
                return Err(Stop::Break);
            }
            Statement::Continue(when) if context.in_loop && holds(*when, variables) => {
                return Err(Stop::Continue);
            }
            Statement::Return(when) if context.returns && holds(*when, variables) => {
                return Err(Stop::Return);
            }
            Statement::Exit(when) if holds(*when, variables) => return Err(Stop::Exit),
            Statement::Break(_) | Statement::Continue(_) => {}
            Statement::Return(_) | Statement::Exit(_) => {}
            Statement::Switch(by, arms) => {
                let arm = value(*by, variables) as usize & 3;
                if let Some(arm) = arms.get(arm) {
                    self.all(arm, variables, context)?;
                }
            }
            Statement::Call(call) => {
                let first = callable(context.function, context.returns);
                self.call(call, first + call.of, DEPTH, variables)?;
            }
            Statement::Recurse(call) => {
                if let (Some((number, depth)), true) = (context.function, context.returns) {
                    if depth > 0 {
                        self.call(call, number, depth - 1, variables)?;
                    }
                }
            }
            Statement::Count(counter, by) => {
                let counter = &mut self.counters[*counter];
                *counter = counter.wrapping_add(value(*by, variables));
            }
        }
        Ok(())
    }

    fn call(
        &mut self,
        call: &Call,
        number: usize,
        depth: u32,
        variables: &mut Variables,
    ) -> Result<(), Stop> {
        if call.guard.is_some_and(|guard| !holds(guard, variables)) {
            return Ok(());
        }
        let Some(body) = self.program.functions.get(number) else { return Ok(()) };
        let mut own = arguments(call, variables);
        let context = Context { function: Some((number, depth)), returns: true, in_loop: false };
        match self.all(body, &mut own, context) {
            Ok(()) | Err(Stop::Return) => {}
            other => return other,
        }
        if let Some(to) = call.to {
            variables[to] = own[0];
        }
        Ok(())
    }
}

/// The first function that the one with this number may call; `returns`: it is one of those itself.
pub fn callable(function: Option<(usize, u32)>, returns: bool) -> usize {
    match function {
        Some((number, _)) if returns => number + 1,
        _ => 0,
    }
}

fn arguments(call: &Call, variables: &Variables) -> Variables {
    let [first, second] = call.arguments.map(|argument| value(argument, variables));
    [first, second, 0, 0]
}
