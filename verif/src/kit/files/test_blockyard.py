"""Two tests of the scheduler behind its wrapper.

`replay` drives recorded inputs and compares every output in every cycle. `closed_loop` makes its traffic
itself: it is host and SMXs, follows what the scheduler puts out, and checks rules of its own before it compares.
"""

import heapq
import itertools
import json

import cocotb
from blockyard_bench import HERE, MAP, Bench, recording, row_of

SMX = MAP["smx"]


@cocotb.test()
async def replay(dut):
    """The recorded run of random traffic."""
    bench = Bench(dut)
    compared = 0
    for row in recording("replay.csv"):
        await bench.settle(row.inputs)
        if row.compared:
            bench.compare(row, bench.outputs())
            compared += 1
        await bench.edge()
    assert compared > 0, "no cycle was compared"
    dut._log.info("%d cycles compared", compared)


class Machine:
    """Host and SMXs. The host offers its kernels in order; a block ends `duration` cycles after its dispatch, or
    in the first later cycle in which no earlier block ends on its SMX, and where blocks trigger it does so then."""

    def __init__(self, kernels):
        self.kernels = kernels
        self.accepted = 0
        self.entries = {}  # which kernel is in an entry
        self.running = [[] for _ in range(SMX["count"])]  # (due, order, kernel, entry, slot)
        self.order = itertools.count()
        self.missing = [set(itertools.product(*map(range, kernel["grid"]))) for kernel in kernels]
        self.left = [len(blocks) for blocks in self.missing]
        self.last_end = {}  # when the last block of the kernel in an entry ended
        self.ended = 0
        self.dispatch = [dispatch_names(port) for port in row_of("dispatch")]
        self.slots = [port["name"] for port in row_of("slot")]
        self.finished_slots = [port["name"] for port in row_of("finished_slot")]
        self.finished_kernels = [port["name"] for port in row_of("finished_kernel")]
        self.triggered_kernels = [port["name"] for port in row_of("triggered_kernel")]
        self.timed = bool(row_of("now"))

    def inputs(self, cycle):
        """What host and SMXs drive in a cycle."""
        inputs = {}
        if self.accepted < len(self.kernels):
            inputs.update(self.kernels[self.accepted]["offer"])
        else:
            # The work queue stays that of the last kernel.
            offer = self.kernels[-1]["offer"]
            inputs.update({name: 0 for name in offer if name != "work_queue"})
        if self.timed:
            inputs["now"] = cycle
        finished = 0
        for smx, running in enumerate(self.running):
            if not running or running[0][0] > cycle:
                continue
            _, _, kernel, entry, slot = heapq.heappop(running)
            finished |= 1 << smx
            if self.finished_kernels:
                inputs[self.finished_kernels[smx]] = entry
            if self.triggered_kernels:
                inputs[self.triggered_kernels[smx]] = entry
            if self.finished_slots:
                inputs[self.finished_slots[smx]] = slot
            self.left[kernel] -= 1
            if self.left[kernel] == 0:
                self.last_end[entry] = cycle
        inputs["finished"] = finished
        if self.triggered_kernels:
            inputs["triggered"] = finished
        return inputs

    def observe(self, cycle, outputs):
        """Follows the outputs of a cycle, and fails where they break a rule."""
        for entry in range(32):
            ends = outputs["finished_kernels"] >> entry & 1 == 1
            due = self.last_end.get(entry) == cycle - 1
            assert ends == due, f"cycle {cycle}: entry {entry} {'ends' if ends else 'does not end'}"
            if ends:
                del self.last_end[entry], self.entries[entry]
                self.ended += 1
        for smx, names in enumerate(self.dispatch):
            if outputs[names["valid"]] == 1:
                slot = outputs[self.slots[smx]] if self.slots else 0
                self.receive(cycle, smx, [outputs[names[name]] for name in ("kernel", "x", "y", "z")], slot)
        if outputs["launch_ready"] == 1 and self.accepted < len(self.kernels):
            entry = outputs["launch_entry"]
            assert entry not in self.entries, f"cycle {cycle}: entry {entry} is taken"
            self.entries[entry] = self.accepted
            self.accepted += 1

    def receive(self, cycle, smx, dispatch, slot):
        """A block on its SMX: new, and with room for it."""
        entry, *block = dispatch
        where = f"cycle {cycle}, SMX {smx}, entry {entry}, block {tuple(block)}"
        assert entry in self.entries, f"{where}: no kernel is there"
        kernel = self.entries[entry]
        assert tuple(block) in self.missing[kernel], f"{where}: not of the grid, or twice"
        self.missing[kernel].remove(tuple(block))
        due = cycle + self.kernels[kernel]["duration"]
        heapq.heappush(self.running[smx], (due, next(self.order), kernel, entry, slot))
        held = [self.kernels[running[2]] for running in self.running[smx]]
        assert len(held) <= SMX["thread_block_slots"], f"{where}: no slot is left"
        for what in ("threads", "registers", "shared_memory"):
            assert sum(block[what] for block in held) <= SMX[what], f"{where}: too many {what}"

    def check_end(self):
        """That everything has happened."""
        assert self.ended == len(self.kernels), f"{self.ended} kernels have ended"
        assert not any(self.missing), f"blocks never dispatched: {self.missing}"


def dispatch_names(port):
    """The fields of a dispatch by what they are; with groups they are those of a control register."""
    names = {field["name"].removeprefix("register_"): field["wrapper"] for field in port["fields"]}
    coordinates = {axis: names[f"block_{axis}"] for axis in "xyz"}
    return {"valid": names["valid"], "kernel": names["kernel"], **coordinates}


@cocotb.test()
async def closed_loop(dut):
    """Traffic of the bench's own: four kernels from launch to end."""
    bench = Bench(dut)
    machine = Machine(json.loads((HERE / "closed_loop.json").read_text())["kernels"])
    cycle = 0
    for row in recording("closed_loop.csv"):
        if not row.compared:
            await bench.settle(row.inputs)  # reset
        else:
            # What host and SMXs do not drive is at rest, as it is in the first cycle.
            rest = row.inputs if cycle == 0 else {}
            await bench.settle({**rest, **machine.inputs(cycle)})
            outputs = bench.outputs()
            machine.observe(cycle, outputs)
            bench.compare(row, outputs)
            cycle += 1
        await bench.edge()
    machine.check_end()
    dut._log.info("%d cycles compared", cycle)
