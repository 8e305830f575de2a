use super::*;

/// A kernel with blocks, whose chunks are kept or not.
fn head(keeps: bool) -> KernelControlInputs {
    KernelControlInputs { head_valid: true, head_blocks: 24, keeps, ..Default::default() }
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

/// From idle to running with new chunks.
fn assigned(control: &mut KernelControl) {
    assert_eq!(cycle(control, &head(false)), only("assign"));
    for keeps in [false, true, false] {
        assert_eq!(cycle(control, &head(keeps)), only(""), "keeps is looked at in idle cycles");
    }
    let ready = KernelControlInputs { chunks_ready: true, ..head(false) };
    assert_eq!(cycle(control, &ready), only("begin load"));
    assert_eq!(control.evaluate(&head(false)), only("running"));
}

/// From idle to running with chunks kept.
fn kept(control: &mut KernelControl) {
    assert_eq!(cycle(control, &head(true)), only("begin"));
    assert_eq!(control.evaluate(&head(true)), only("running"));
}

/// From running to idle.
fn end(control: &mut KernelControl) {
    let done = KernelControlInputs { done: true, ..head(true) };
    assert_eq!(cycle(control, &done), only("running finish"));
}

fn fill(control: &mut KernelControl, told: bool) {
    let filled = KernelControlInputs { filled: true, told, ..head(true) };
    assert_eq!(cycle(control, &filled), only("running"));
}

#[test]
fn a_kernel_begins_at_once_if_its_chunks_are_kept_and_else_when_they_are_ready() {
    let mut control = KernelControl::new(0);
    assigned(&mut control);
    end(&mut control);
    kept(&mut control);
    end(&mut control);
    kept(&mut control);
    end(&mut control);
    assigned(&mut control);
}

#[test]
fn a_kernel_waits_for_its_chunks_and_not_for_those_of_an_earlier_one() {
    let mut control = KernelControl::new(0);
    let ready = KernelControlInputs { chunks_ready: true, done: true, ..head(false) };
    assert_eq!(cycle(&mut control, &ready), only("assign"), "what is ready is old");
    assert_eq!(cycle(&mut control, &head(false)), only(""));
    assert_eq!(control.clock(&head(false)), Activity::Quiet, "a control that waits is quiet");
    assert_eq!(cycle(&mut control, &ready), only("begin load"));
}

#[test]
fn a_running_kernel_ends_when_every_smx_is_done_and_only_then() {
    let mut control = KernelControl::new(0);
    assigned(&mut control);
    assert_eq!(control.clock(&head(false)), Activity::Quiet);
    assert_eq!(cycle(&mut control, &head(false)), only("running"));
    end(&mut control);
    let done = KernelControlInputs { done: true, ..Default::default() };
    assert_eq!(control.evaluate(&done), only(""));
}

#[test]
fn a_kernel_without_blocks_ends_at_once_whether_or_not_its_chunks_are_kept() {
    let mut control = KernelControl::new(0);
    for keeps in [false, true] {
        let empty = KernelControlInputs { head_blocks: 0, ..head(keeps) };
        assert_eq!(control.evaluate(&empty), only("finish"));
        assert_eq!(control.clock(&empty), Activity::Quiet);
    }
    assigned(&mut control);
}

#[test]
fn without_a_head_nothing_happens() {
    let mut control = KernelControl::new(0);
    for keeps in [false, true] {
        let inputs = KernelControlInputs { chunks_ready: true, keeps, ..Default::default() };
        assert_eq!(control.evaluate(&inputs), only(""));
        assert_eq!(control.clock(&inputs), Activity::Quiet);
    }
}

#[test]
fn a_broadcast_keeps_the_control_idle_up_to_its_arrival_and_not_one_cycle_longer() {
    for latency in [0u32, 1, 4, 31] {
        let mut control = KernelControl::new(latency);
        assigned(&mut control);
        // Sent in cycle 0; the kernel ends in cycle 1; idle from cycle 2 on.
        fill(&mut control, false);
        end(&mut control);
        for cycle_number in 2..=latency {
            let empty = KernelControlInputs { head_blocks: 0, ..head(false) };
            for inputs in [head(false), head(true), empty] {
                assert_eq!(control.evaluate(&inputs), only(""), "cycle {cycle_number}");
            }
            assert_eq!(control.clock(&head(false)), Activity::Busy);
        }
        assert_eq!(control.evaluate(&head(false)), only("assign"), "latency {latency}");
        assert_eq!(control.evaluate(&head(true)), only("begin"), "latency {latency}");
    }
}

#[test]
fn a_queue_that_fills_when_all_were_told_sends_no_second_broadcast() {
    let mut control = KernelControl::new(4);
    assigned(&mut control);
    fill(&mut control, false);
    (0..3).for_each(|_| fill(&mut control, true));
    end(&mut control);
    // The first one is there, the later ones were never sent.
    assigned(&mut control);
    fill(&mut control, false);
    end(&mut control);
    assert_eq!(control.evaluate(&head(false)), only(""), "this one is on its way");
}

#[test]
fn told_alone_changes_nothing() {
    let mut control = KernelControl::new(4);
    assigned(&mut control);
    let told = KernelControlInputs { told: true, ..head(false) };
    assert_eq!(control.clock(&told), Activity::Quiet);
    end(&mut control);
    let told = KernelControlInputs { told: true, ..head(true) };
    assert_eq!(control.evaluate(&told), only("begin"));
}

#[test]
fn reset_returns_to_idle_from_every_phase() {
    let fresh = KernelControl::new(5);
    for phase in 0..4 {
        let mut control = fresh.clone();
        match phase {
            0 => drop(cycle(&mut control, &head(false))),
            phase => {
                assigned(&mut control);
                if phase > 1 {
                    fill(&mut control, false);
                }
                if phase > 2 {
                    end(&mut control);
                }
            }
        }
        let reset = KernelControlInputs { reset: true, filled: true, ..head(false) };
        assert_eq!(control.clock(&reset), Activity::Busy);
        assert_eq!(control, fresh, "phase {phase}");
        assert_eq!(control.clock(&reset), Activity::Quiet);
        assigned(&mut control);
    }
}
