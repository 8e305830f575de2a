//! The page of text.

use expect_test::expect;

use crate::run_scenario;
use blockyard_sim::stats::*;

#[test]
fn a_scenario_has_no_figures_of_execution_on_its_page() {
    let text = "gpu = { smx = 2, thread_block_slots = 1 }\n[[kernel]]\nname = \"P\"\n\
                grid = [1, 1, 1]\nblock = [64, 1, 1]\nduration = 10\narrive = 5\n";
    expect![[r#"
        run
          cycles                          18
          kernels                          1
          thread blocks                    1

        each SMX                         min       average           max
          thread blocks                    0         0.500             1
          busy cycles                      0         5.000            10
          idle cycles                      8        13.000            18
    "#]]
    .assert_eq(&run_scenario(text).stats.summary());
}

/// Figures of which no two are alike, so that a line with the wrong one is seen.
fn activity(base: u64) -> ActivityStats {
    ActivityStats {
        issue_cycles: base + 1,
        memory_stall_cycles: base + 2,
        scoreboard_stall_cycles: base + 3,
        pipeline_stall_cycles: base + 4,
        warp_activity: Some(0.875),
        warp_occupancy: Some(0.5),
        block_occupancy: Some(0.25),
        paused_block_cycles: None,
    }
}

fn fetch() -> FetchStats {
    FetchStats { accesses: 30, hits: 27, misses: 3, hit_rate: Some(0.9) }
}

fn load_store() -> LoadStoreStats {
    LoadStoreStats { shared: 41, bank_conflicts: 42, constant: 43, past_l1: 44, stall_cycles: 45 }
}

fn l1() -> L1Stats {
    L1Stats {
        accesses: 60,
        hits: 45,
        misses: 12,
        merged: 8,
        hit_rate: Some(0.75),
        miss_rate: Some(0.2),
        stores: 51,
        write_backs: 52,
    }
}

fn read_only(base: u64) -> ReadOnlyStats {
    ReadOnlyStats {
        accesses: base + 5,
        hits: base + 1,
        misses: 3,
        merged: 1,
        hit_rate: Some(0.625),
        miss_rate: None,
    }
}

fn smx(base: u64) -> SmxStats {
    SmxStats {
        busy_cycles: base + 10,
        idle_cycles: base + 20,
        thread_blocks: base + 5,
        execution: Some(SmxExecutionStats {
            warp_instructions: base + 6,
            thread_instructions: base + 7,
            activity: activity(base),
            instructions: InstructionStats::default(),
            fetch: fetch(),
            load_store: load_store(),
            l1: l1(),
            constant_cache: Some(read_only(1000)),
            texture_cache: Some(read_only(2000)),
        }),
    }
}

fn run() -> Stats {
    let kernel = KernelStats {
        name: "K".to_owned(),
        instance: 0,
        arrive: 0,
        distributed: Some(0),
        first_dispatch: Some(1),
        finish: Some(2),
        overlap: None,
        cancelled: Some(195),
    };
    let partition = PartitionStats {
        smx: 18,
        kernels: 191,
        thread_blocks: 192,
        average_turnaround: Some(193.25),
        longest_turnaround: Some(194),
    };
    let unused = PartitionStats {
        kernels: 0,
        thread_blocks: 0,
        average_turnaround: None,
        longest_turnaround: None,
        ..partition.clone()
    };
    let dram = DramStats {
        accesses: 170,
        reads: 80,
        writes: 90,
        activates: 81,
        precharges: 82,
        row_hits: 89,
        row_hit_rate: Some(0.525),
        data_cycles: 83,
        pending_cycles: 84,
        efficiency: Some(0.123),
        bus_utilization: Some(0.456),
        bytes_per_cycle: None,
        channels: Vec::new(),
    };
    let energy_nj = EnergyStats {
        instructions: 1.0,
        pipeline: 2048.0,
        registers: 2.0,
        units: 4.0,
        constant: 8.0,
        shared_memory: 16.0,
        l1: 32.0,
        l2: 64.0,
        network: 128.0,
        dram_activate: 256.0,
        dram_read: 512.0,
        dram_write: 1024.0,
        total: 4095.0,
    };
    Stats {
        cycles: 12_345_678_901_234,
        cut_off: None,
        smx: vec![smx(100), smx(203)],
        kernels: vec![kernel.clone(), KernelStats { finish: None, cancelled: None, ..kernel }],
        partitions: Some(vec![partition, unused]),
        launches: Some(LaunchStats {
            device_kernels: 31,
            groups: 32,
            coalesced: 33,
            fallbacks: 34,
            match_rate: Some(0.975),
            on_chip: 35,
            overflows: 36,
            spills: 46,
            refills: 47,
            average_threads: Some(66.5),
            child_blocks: 48,
            on_parent_smx: 53,
            outside_cluster: 54,
            executing_kernels: 17.125,
            average_wait: Some(37.5),
            pending_bytes_peak: 38,
            pending_bytes_average: 39.25,
            pending_byte_cycles: 91,
        }),
        intervals: Some(IntervalStats {
            length: 500,
            services: 69,
            behind_own: 71,
            behind_own_rate: Some(0.875),
            spread_intervals: 72,
            spread: Some(1.625),
            smx: Vec::new(),
        }),
        footprint: Some(FootprintStats {
            parents: 55,
            parent_child: Some(0.375),
            children: 56,
            child_sibling: Some(0.25),
            parent_blocks: 57,
            parent_parents: None,
            l1: RelativeHitStats {
                loads: 58,
                own_hits: 59,
                parent_hits: 66,
                sibling_hits: 67,
                other_hits: 68,
            },
        }),
        execution: Some(ExecutionStats {
            ipc: 1.5,
            warp_instructions: 20,
            thread_instructions: 21,
            activity: activity(0),
            instructions: InstructionStats::default(),
            fetch: fetch(),
            load_store: load_store(),
            l1: l1(),
            constant_cache: Some(read_only(1000)),
            texture_cache: Some(read_only(2000)),
            coherence: None,
            l2: L2Stats {
                accesses: 70,
                hits: 49,
                misses: 13,
                merged: 9,
                hit_rate: None,
                miss_rate: None,
                reads: 71,
                read_hits: 60,
                writes: 72,
            },
            traffic: TrafficStats {
                read_flits: 61,
                write_flits: 62,
                write_back_flits: 63,
                reply_flits: 64,
                forward_flits: 8,
                flits: 250,
                flit_hops: 65,
            },
            locality: Some(LocalityStats {
                local_requests: 196,
                local_bytes: 197,
                remote_requests: 198,
                remote_bytes: 199,
                remote_rate: Some(0.505),
                pages: Some(vec![208, 209]),
            }),
            dram,
            energy_nj,
        }),
    }
}

#[test]
fn a_run_of_instructions_has_a_line_for_each_figure() {
    expect![[r#"
        run
          cycles               12345678901234
          kernels                          1
          thread blocks                  313
          cancelled blocks               195
          warp instructions               20
          thread instructions             21
          IPC                          1.500
          warp activity               87.5 %
          warp occupancy              50.0 %
          block occupancy             25.0 %

        each SMX                         min       average           max
          thread blocks                  105       156.500           208
          busy cycles                    110       161.500           213
          idle cycles                    120       171.500           223
          issue cycles                   101       152.500           204
          memory stalls                  102       153.500           205
          scoreboard stalls              103       154.500           206
          pipeline stalls                104       155.500           207
          warp instructions              106       157.500           209

        partitions                   kernels        blocks    turnaround       longest
          0: 18 SMXs                     191           192       193.250           194
          1: 18 SMXs                       0             0             -             -

        launches from blocks
          device kernels                  31
          groups                          32
            coalesced                     33
            on chip                       35
            in memory                     36
            fallen back                   34
          spilled                         46
          refilled                        47
          match rate                  97.5 %
          threads a launch            66.500
          child blocks                    48
            on parent's SMX               53
            outside cluster               54
          kernels at once             17.125
          average wait                37.500
          pending bytes, peak             38
          pending bytes, mean         39.250

        shared footprint              blocks       average
          parent and children             55        37.5 %
          child and siblings              56        25.0 %
          parent and parents              57             -

        L1 loads of children             all      own hits      parent's     sibling's       others'
          by who brought                  58            59            66            67            68

        served by DRAM
          for SMXs                        69
            behind own                87.5 %
          cycles of an interval           500
            most by fewest             1.625

        caches                      accesses          hits        misses        merged      hit rate
          instructions                    30            27             3             -        90.0 %
          L1 loads                        60            45            12             8        75.0 %
          constants                     1005          1001             3             1        62.5 %
          textures                      2005          2001             3             1        62.5 %
          L2 sectors                      70            49            13             9             -
          L1 stores                       51
          L1 write-backs                  52
          past the L1                     44
          shared memory                   41
          bank conflicts                  42
          constant memory                 43
          load/store stalls               45

        network                         read         write    write-back         reply       forward     flit-hops
          flits                           61            62            63            64             8            65

        domains of memory           requests         bytes
          local                          196           197
          remote                         198           199
          remote share                50.5 %
          pages in 0                     208
          pages in 1                     209

        DRAM                           reads        writes     activates    precharges
          commands                        80            90            81            82
          row-hit rate                52.5 %
          efficiency                   0.123
          bus utilization             45.6 %
          bytes a cycle                    -

        dynamic energy                    nJ         share
          core                      2063.000        50.4 %
            instructions               1.000         0.0 %
            pipeline                2048.000        50.0 %
            registers                  2.000         0.0 %
            units                      4.000         0.1 %
            constant memory            8.000         0.2 %
          shared memory               16.000         0.4 %
          L1                          32.000         0.8 %
          L2                          64.000         1.6 %
          network                    128.000         3.1 %
          DRAM                      1792.000        43.8 %
          total                     4095.000       100.0 %
    "#]]
    .assert_eq(&run().summary());
}
