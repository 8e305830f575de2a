mod page;

use expect_test::expect;

use crate::run_scenario;

#[test]
fn the_json_of_a_scenario_has_the_keys_that_the_tool_keeps() {
    let text = "gpu = { smx = 2, thread_block_slots = 1 }\n[[kernel]]\nname = \"P\"\n\
                grid = [1, 1, 1]\nblock = [64, 1, 1]\nduration = 10\narrive = 5\n";
    let stats = run_scenario(text).stats;
    expect![[r#"
        {
          "cycles": 18,
          "smx": [
            {
              "busy_cycles": 10,
              "idle_cycles": 8,
              "thread_blocks": 1
            },
            {
              "busy_cycles": 0,
              "idle_cycles": 18,
              "thread_blocks": 0
            }
          ],
          "kernels": [
            {
              "name": "P",
              "instance": 0,
              "arrive": 5,
              "distributed": 5,
              "first_dispatch": 6,
              "finish": 17
            }
          ]
        }
    "#]]
    .assert_eq(&stats.to_json());
}
