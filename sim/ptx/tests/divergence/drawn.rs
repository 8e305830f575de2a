//! Programs that are drawn: what they are made of, and how they are drawn.

use proptest::collection::vec;
use proptest::prelude::*;

/// Variables of a kernel or function.
pub const VARIABLES: usize = 4;
/// Counters that all threads add to.
pub const COUNTERS: usize = 4;

#[derive(Clone, Copy, Debug)]
pub enum Operand {
    Variable(usize),
    Constant(u32),
}

#[derive(Clone, Copy, Debug)]
pub enum Operator {
    Add,
    Multiply,
    Xor,
}

/// `left operator right`
#[derive(Clone, Copy, Debug)]
pub struct Expression(pub Operand, pub Operator, pub Operand);

/// Whether bit `bit` of the operand is as `set` says.
#[derive(Clone, Copy, Debug)]
pub struct Condition {
    pub of: Operand,
    pub bit: u32,
    pub set: bool,
}

/// A call of function `of`, or of one behind it.
#[derive(Clone, Copy, Debug)]
pub struct Call {
    pub guard: Option<Condition>,
    pub of: usize,
    pub arguments: [Operand; 2],
    /// `None`: nobody wants the result.
    pub to: Option<usize>,
}

#[derive(Clone, Debug)]
pub enum Statement {
    Assign(usize, Expression),
    /// One instruction with a guard.
    Guarded(Condition, usize, Expression),
    If(Condition, Vec<Statement>, Vec<Statement>),
    /// As often as the two lowest bits of the operand say.
    Loop(Operand, Vec<Statement>),
    /// These do nothing outside of a loop.
    Break(Condition),
    Continue(Condition),
    Return(Condition),
    Exit(Condition),
    Switch(Operand, Vec<Vec<Statement>>),
    Call(Call),
    /// The function itself, as long as its depth says; nothing in a kernel.
    Recurse(Call),
    Count(usize, Operand),
}

#[derive(Clone, Copy, Debug)]
pub enum Reduction {
    Count,
    All,
    Any,
}

/// What stands where all threads that are left come.
#[derive(Clone, Debug)]
pub enum Step {
    Own(Statement),
    /// Every thread gets what the thread so many behind it has brought.
    Exchange {
        bring: usize,
        from: u32,
        to: usize,
    },
    Reduce(Reduction, Condition, usize),
    /// A function that has such steps itself.
    Together(Call),
}

#[derive(Clone, Debug)]
pub struct Program {
    pub kernel: Vec<Step>,
    /// Each calls only those behind it; nobody returns from them early.
    pub together: Vec<Vec<Step>>,
    /// Each calls only those behind it and itself.
    pub functions: Vec<Vec<Statement>>,
}

fn operand() -> impl Strategy<Value = Operand> {
    prop_oneof![
        3 => (0..VARIABLES).prop_map(Operand::Variable),
        1 => any::<u32>().prop_map(Operand::Constant),
    ]
}

fn expression() -> impl Strategy<Value = Expression> {
    let operator = prop_oneof![Just(Operator::Add), Just(Operator::Multiply), Just(Operator::Xor)];
    (operand(), operator, operand())
        .prop_map(|(left, operator, right)| Expression(left, operator, right))
}

pub fn condition() -> impl Strategy<Value = Condition> {
    let of = (0..VARIABLES).prop_map(Operand::Variable);
    (of, 0_u32..6, any::<bool>()).prop_map(|(of, bit, set)| Condition { of, bit, set })
}

fn call() -> impl Strategy<Value = Call> {
    let guard = proptest::option::of(condition());
    let to = proptest::option::of(0..VARIABLES);
    (guard, 0_usize..3, [operand(), operand()], to).prop_map(|(guard, of, arguments, to)| Call {
        guard,
        of,
        arguments,
        to,
    })
}

pub fn simple() -> impl Strategy<Value = Statement> {
    prop_oneof![
        4 => (0..VARIABLES, expression()).prop_map(|(to, from)| Statement::Assign(to, from)),
        2 => (condition(), 0..VARIABLES, expression())
            .prop_map(|(guard, to, from)| Statement::Guarded(guard, to, from)),
        1 => (0..COUNTERS, operand()).prop_map(|(counter, by)| Statement::Count(counter, by)),
    ]
}

fn statement() -> impl Strategy<Value = Statement> {
    let leaf = prop_oneof![
        6 => simple(),
        1 => condition().prop_map(Statement::Break),
        1 => condition().prop_map(Statement::Continue),
        1 => condition().prop_map(Statement::Return),
        1 => condition().prop_map(Statement::Exit),
        2 => call().prop_map(Statement::Call),
        1 => call().prop_map(Statement::Recurse),
    ];
    leaf.prop_recursive(3, 24, 4, |inner| {
        let body = || vec(inner.clone(), 0..4);
        prop_oneof![
            3 => (condition(), body(), body())
                .prop_map(|(holds, then, other)| Statement::If(holds, then, other)),
            2 => (operand(), body()).prop_map(|(times, body)| Statement::Loop(times, body)),
            1 => (operand(), vec(body(), 1..5))
                .prop_map(|(by, arms)| Statement::Switch(by, arms)),
        ]
    })
}

fn step() -> impl Strategy<Value = Step> {
    let reduction = prop_oneof![Just(Reduction::Count), Just(Reduction::All), Just(Reduction::Any)];
    prop_oneof![
        5 => statement().prop_map(Step::Own),
        1 => (0..VARIABLES, 0_u32..70, 0..VARIABLES)
            .prop_map(|(bring, from, to)| Step::Exchange { bring, from, to }),
        1 => (reduction, condition(), 0..VARIABLES)
            .prop_map(|(reduction, holds, to)| Step::Reduce(reduction, holds, to)),
        1 => call().prop_map(Step::Together),
    ]
}

pub fn program() -> impl Strategy<Value = Program> {
    (vec(step(), 1..8), vec(vec(step(), 0..5), 0..3), vec(vec(statement(), 0..5), 0..4))
        .prop_map(|(kernel, together, functions)| Program { kernel, together, functions })
}
