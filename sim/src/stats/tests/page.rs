//! The page of text.

use expect_test::expect;

use crate::run::tests::run_scenario;

#[test]
fn a_scenario_has_no_figures_of_execution_on_its_page() {
    let text = "gpu = { smx = 2, thread_block_slots = 1 }\n[[kernel]]\nname = \"P\"\n\
                grid = [1, 1, 1]\nblock = [64, 1, 1]\nduration = 10\narrive = 5\n";
    expect![[r#""#]].assert_eq(&run_scenario(text).stats.summary());
}

#[test]
fn a_run_of_instructions_has_a_line_for_each_figure() {
    let text = "gpu = { smx = 2 }\n[[kernel]]\nname = \"P\"\ngrid = [1, 1, 1]\nblock = [32, 1, 1]\nduration = 1\n";
    let _ = text;
}
