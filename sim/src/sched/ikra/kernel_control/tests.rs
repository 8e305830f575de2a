use super::*;

const GRID: Dim3 = Dim3::new(6, 4, 1);

fn head(grid: Dim3) -> KernelControlInputs {
    KernelControlInputs {
        head_valid: true,
        head_grid: grid,
        head_blocks: grid.volume() as u32,
        ..Default::default()
    }
}

/// What is decided in a cycle, which then ends.
fn cycle(control: &mut KernelControl, inputs: &KernelControlInputs) -> KernelControlOutputs {
    let outputs = control.evaluate(inputs);
    control.clock(inputs);
    outputs
}

fn only(what: &str) -> KernelControlOutputs {
    KernelControlOutputs {
        assigns: what.contains("assign"),
        begins: what.contains("begin"),
        load: what.contains("load"),
        running: what.contains("running"),
        finish: what.contains("finish"),
    }
}

/// From idle to running with chunks assigned.
fn assigned(control: &mut KernelControl, grid: Dim3) {
    assert_eq!(cycle(control, &head(grid)), only("assign"));
    for _ in 0..3 {
        assert_eq!(cycle(control, &head(grid)), only(""));
    }
    let ready = KernelControlInputs { chunks_ready: true, ..head(grid) };
    assert_eq!(cycle(control, &ready), only("begin load"));
    assert_eq!(control.evaluate(&head(grid)), only("running"));
}

/// From idle to running with chunks kept.
fn kept(control: &mut KernelControl, grid: Dim3) {
    assert_eq!(cycle(control, &head(grid)), only("begin"));
    assert_eq!(control.evaluate(&head(grid)), only("running"));
}

/// From running to idle.
fn end(control: &mut KernelControl, grid: Dim3) {
    let done = KernelControlInputs { done: true, ..head(grid) };
    assert_eq!(cycle(control, &done), only("running finish"));
}

fn fill(control: &mut KernelControl, grid: Dim3) {
    let filled = KernelControlInputs { filled: true, ..head(grid) };
    assert_eq!(cycle(control, &filled), only("running"));
}

#[test]
fn chunks_are_assigned_for_the_first_kernel_and_kept_for_the_same_grid() {
    let mut control = KernelControl::new(false, 0);
    assigned(&mut control, GRID);
    end(&mut control, GRID);
    kept(&mut control, GRID);
    end(&mut control, GRID);
    kept(&mut control, GRID);
}

#[test]
fn a_difference_in_any_dimension_assigns_chunks() {
    let mut control = KernelControl::new(false, 0);
    assigned(&mut control, GRID);
    for (x, y, z) in [(7, 4, 1), (7, 5, 1), (7, 5, 2), (5, 7, 2), (2, 5, 7)] {
        end(&mut control, GRID);
        assigned(&mut control, Dim3::new(x, y, z));
    }
}

#[test]
fn a_kernel_waits_for_its_chunks_and_not_for_those_of_an_earlier_one() {
    let mut control = KernelControl::new(false, 0);
    let ready = KernelControlInputs { chunks_ready: true, done: true, ..head(GRID) };
    assert_eq!(cycle(&mut control, &ready), only("assign"), "what is ready is old");
    assert_eq!(cycle(&mut control, &head(GRID)), only(""));
    assert_eq!(control.clock(&head(GRID)), Activity::Quiet, "a control that waits is quiet");
    assert_eq!(cycle(&mut control, &ready), only("begin load"));
}

#[test]
fn under_chunk_they_are_assigned_for_every_kernel() {
    let mut control = KernelControl::new(true, 0);
    for _ in 0..3 {
        assigned(&mut control, GRID);
        end(&mut control, GRID);
    }
}

#[test]
fn a_running_kernel_ends_when_every_smx_is_done_and_only_then() {
    let mut control = KernelControl::new(false, 0);
    assigned(&mut control, GRID);
    assert_eq!(control.clock(&head(GRID)), Activity::Quiet);
    assert_eq!(cycle(&mut control, &head(GRID)), only("running"));
    end(&mut control, GRID);
    assert_eq!(
        control.evaluate(&KernelControlInputs { done: true, ..Default::default() }),
        only("")
    );
}

#[test]
fn a_kernel_without_blocks_ends_at_once_and_everything_stays() {
    let mut control = KernelControl::new(false, 0);
    let empty = head(Dim3::new(6, 0, 1));
    assert_eq!(control.evaluate(&empty), only("finish"));
    assert_eq!(control.clock(&empty), Activity::Quiet);
    assigned(&mut control, GRID);
    end(&mut control, GRID);
    assert_eq!(cycle(&mut control, &empty), only("finish"));
    kept(&mut control, GRID);
    let mut chunk = KernelControl::new(true, 0);
    assert_eq!(chunk.evaluate(&empty), only("finish"), "nothing is assigned for it");
    assert_eq!(chunk.clock(&empty), Activity::Quiet);
}

#[test]
fn without_a_head_nothing_happens() {
    let mut control = KernelControl::new(false, 0);
    let inputs = KernelControlInputs { chunks_ready: true, ..Default::default() };
    assert_eq!(control.evaluate(&inputs), only(""));
    assert_eq!(control.clock(&inputs), Activity::Quiet);
}

#[test]
fn a_broadcast_lets_the_next_kernel_assign_chunks_and_only_that_one() {
    let mut control = KernelControl::new(false, 0);
    assigned(&mut control, GRID);
    fill(&mut control, GRID);
    end(&mut control, GRID);
    assigned(&mut control, GRID);
    end(&mut control, GRID);
    kept(&mut control, GRID);
}

#[test]
fn a_broadcast_in_a_kernel_whose_chunks_were_kept_counts_and_an_empty_kernel_does_not_use_it_up() {
    let mut control = KernelControl::new(false, 0);
    assigned(&mut control, GRID);
    end(&mut control, GRID);
    kept(&mut control, GRID);
    fill(&mut control, GRID);
    end(&mut control, GRID);
    assert_eq!(cycle(&mut control, &head(Dim3::new(0, 1, 1))), only("finish"));
    assigned(&mut control, GRID);
}

#[test]
fn a_broadcast_keeps_the_control_idle_up_to_its_arrival_and_not_one_cycle_longer() {
    for latency in [0u32, 1, 4, 31] {
        let mut control = KernelControl::new(false, latency);
        assigned(&mut control, GRID);
        // Sent in cycle 0; the kernel ends in cycle 1; idle from cycle 2 on.
        fill(&mut control, GRID);
        end(&mut control, GRID);
        for cycle_number in 2..=latency {
            for inputs in [head(GRID), head(Dim3::new(0, 1, 1))] {
                assert_eq!(control.evaluate(&inputs), only(""), "cycle {cycle_number}");
            }
            assert_eq!(control.clock(&head(GRID)), Activity::Busy);
        }
        assert_eq!(control.evaluate(&head(GRID)), only("assign"), "latency {latency}");
    }
}

#[test]
fn a_queue_that_fills_after_a_broadcast_sends_no_second_one_until_chunks_are_assigned() {
    let mut control = KernelControl::new(false, 4);
    assigned(&mut control, GRID);
    fill(&mut control, GRID);
    (0..3).for_each(|_| fill(&mut control, GRID));
    end(&mut control, GRID);
    // The first one is there, the later ones were never sent.
    assigned(&mut control, GRID);
    fill(&mut control, GRID);
    end(&mut control, GRID);
    assert_eq!(control.evaluate(&head(GRID)), only(""), "this one is on its way");
}

#[test]
fn reset_returns_to_idle_without_chunks_from_every_phase() {
    let fresh = KernelControl::new(false, 5);
    for phase in 0..5 {
        let mut control = fresh.clone();
        match phase {
            0 => drop(cycle(&mut control, &head(GRID))),
            phase => {
                assigned(&mut control, GRID);
                if phase > 1 {
                    fill(&mut control, GRID);
                }
                if phase > 2 {
                    end(&mut control, GRID);
                }
                if phase > 3 {
                    cycle(&mut control, &head(GRID));
                }
            }
        }
        let reset = KernelControlInputs { reset: true, filled: true, ..head(GRID) };
        assert_eq!(control.clock(&reset), Activity::Busy);
        assert_eq!(control, fresh, "phase {phase}");
        assert_eq!(control.clock(&reset), Activity::Quiet);
        assigned(&mut control, GRID);
    }
}
