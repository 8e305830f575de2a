"""What the tests share: the map of the ports, recordings, and a cycle of the wrapper."""

import csv
import json
from pathlib import Path

from cocotb.triggers import Timer

HERE = Path(__file__).resolve().parent
MAP = json.loads((HERE.parent / "ports.json").read_text())
PORTS = {port["name"]: port for port in MAP["ports"]}
OUTPUTS = [
    field["wrapper"]
    for port in MAP["ports"]
    if port["direction"] == "output"
    for field in port["fields"]
]

HALF_CYCLE = 5  # ns
MOST_DIFFERENCES = 10


def row_of(base):
    """The ports of a row, by the number of the SMX: dispatch_0, dispatch_1, ..."""
    row = [port for port in MAP["ports"] if port["top_name"].rsplit("$")[0] == base]
    return sorted(row, key=lambda port: port.get("element", 0))


class Row:
    """A cycle of a recording. `inputs` are those that change, `outputs` all."""

    def __init__(self, cycle, compared, inputs, outputs):
        self.cycle, self.compared = cycle, compared
        self.inputs, self.outputs = inputs, outputs


def recording(name):
    """The cycles of a recording, with the names of the wrapper's ports."""
    outputs = {}
    with open(HERE / name, newline="") as file:
        for cells in csv.DictReader(file):
            inputs = {}
            cycle, compared = int(cells.pop("cycle")), cells.pop("compared") == "1"
            for column, cell in cells.items():
                if cell == "":
                    continue  # as in the cycle before
                value = int(cell, 16)
                if column == "reset":
                    inputs["reset"] = value
                    continue
                port = PORTS[column]
                side = inputs if port["direction"] == "input" else outputs
                for field in port["fields"]:
                    bits = value >> field["low"] & ((1 << field["width"]) - 1)
                    side[field["wrapper"]] = bits
            yield Row(cycle, compared, inputs, outputs)


class Bench:
    """Drives the wrapper. Outputs follow inputs in the same cycle; the rising edge ends it."""

    def __init__(self, dut):
        self.dut = dut
        self.handles = {name: getattr(dut, name) for name in OUTPUTS}
        self.inputs = {}

    async def settle(self, inputs):
        """Begins a cycle: inputs that are not among `inputs` stay as they are."""
        self.dut.clock.value = 0
        for name, value in inputs.items():
            if self.inputs.get(name) != value:
                self.inputs[name] = value
                getattr(self.dut, name).value = value
        await Timer(HALF_CYCLE, "ns")

    def output(self, name):
        """An output as a number, or as a text with X where it is unknown."""
        value = self.handles[name].value
        try:
            return int(value)
        except ValueError:
            return str(value)

    def outputs(self):
        """All outputs."""
        return {name: self.output(name) for name in OUTPUTS}

    @staticmethod
    def compare(row, outputs):
        """Fails if outputs are not those of a recorded cycle."""
        pairs = ((name, outputs[name], row.outputs[name]) for name in OUTPUTS)
        wrong = [
            f"{name} is {got if isinstance(got, str) else hex(got)}, recorded {expected:#x}"
            for name, got, expected in pairs
            if got != expected
        ]
        assert not wrong, f"cycle {row.cycle}: " + "; ".join(wrong[:MOST_DIFFERENCES])

    async def edge(self):
        """Ends a cycle."""
        self.dut.clock.value = 1
        await Timer(HALF_CYCLE, "ns")
