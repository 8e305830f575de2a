use expect_test::expect;

use super::*;
use crate::run::tests::run_scenario;

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

#[test]
fn figures_of_execution_stand_beside_the_others() {
    let execution = ExecutionStats {
        ipc: 1.5,
        warp_instructions: 2,
        thread_instructions: 3,
        l1: CacheStats::new(0, 0, 0),
        l2: CacheStats::new(4, 1, 2),
        dram: DramStats { accesses: 3, reads: 2, writes: 1 },
    };
    let stats = Stats { cycles: 2, smx: vec![], kernels: vec![], execution: Some(execution) };
    let json: serde_json::Value = serde_json::from_str(&stats.to_json()).unwrap();
    assert_eq!(json["ipc"], 1.5);
    assert_eq!(json["l1"]["hit_rate"], serde_json::Value::Null);
    assert_eq!(json["l2"]["hit_rate"], 0.25);
    assert_eq!(json["dram"]["accesses"], 3);
}
