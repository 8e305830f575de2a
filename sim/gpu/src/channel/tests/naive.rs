//! A deliberately naive channel: all commands so far in a list, every rule a distance between two
//! of them, every cycle visited, every queue a `Vec` in order of arrival.

use super::super::{Channel, ChannelConfig, Command, CommandKind, Completion, Policy, Request};
use super::Arrival;
use CommandKind::{Activate, Precharge, Read, Write};

/// The least distance in cycles of two commands, from the data sheet's parameters.
pub fn distance(config: &ChannelConfig, first: &Command, second: &Command) -> u32 {
    let c = config;
    let same_bank = first.bank == second.bank;
    let group = |command: &Command| u32::from(command.bank) % c.bank_groups;
    let same_group = group(first) == group(second);
    let column = c.burst_cycles.max(c.ccd).max(if same_group { c.ccdl } else { 0 });
    match (first.kind, second.kind) {
        (Activate, Activate) => c.rrd.max(if same_bank { c.rc } else { 0 }),
        (Activate, Precharge) if same_bank => c.ras,
        (Activate, Read) if same_bank => c.rcd,
        (Activate, Write) if same_bank => c.rcd_write,
        (Precharge, Activate) if same_bank => c.rp,
        (Read, Read) | (Write, Write) => column,
        // The write's data follow the read's, the read waits for the end of the write's data.
        (Read, Write) => column.max((c.cl + c.burst_cycles + c.turnaround).saturating_sub(c.wl)),
        (Write, Read) => column.max(c.wl + c.burst_cycles + c.wtr),
        (Read, Precharge) if same_bank => c.rtp.max(c.rtpl),
        (Read, Precharge) if same_group => c.rtpl,
        (Write, Precharge) if same_bank => c.wl + c.burst_cycles + c.wr,
        _ => 0,
    }
}

/// Checks a stream of commands against every pair rule, the state of every row, and the buses.
pub fn check(config: &ChannelConfig, commands: &[Command]) {
    let mut open = vec![None; config.banks as usize];
    for (index, command) in commands.iter().enumerate() {
        let row = &mut open[usize::from(command.bank)];
        match command.kind {
            Activate => assert_eq!(row.replace(command.row), None, "{command:?} on an open row"),
            Precharge => assert_eq!(row.take(), Some(command.row), "{command:?}"),
            Read | Write => assert_eq!(*row, Some(command.row), "{command:?}"),
        }
        for earlier in &commands[..index] {
            let least = u64::from(distance(config, earlier, command));
            assert!(
                command.cycle >= earlier.cycle + least,
                "{command:?} is not {least} cycles after {earlier:?}"
            );
        }
    }
    let row_bus = |command: &&Command| matches!(command.kind, Activate | Precharge);
    let mut buses: Vec<Vec<u64>> = match config.scheduler {
        Policy::Window => vec![commands.iter().map(|command| command.cycle).collect()],
        Policy::OpenRow => vec![
            commands.iter().filter(row_bus).map(|command| command.cycle).collect(),
            commands.iter().filter(|each| !row_bus(each)).map(|command| command.cycle).collect(),
        ],
    };
    for bus in &mut buses {
        assert!(bus.windows(2).all(|pair| pair[0] < pair[1]), "one command a cycle");
    }
    let data = commands.iter().filter(|each| !row_bus(each)).map(|command| {
        let latency = if command.kind == Read { config.cl } else { config.wl };
        command.cycle + u64::from(latency)
    });
    let mut data: Vec<u64> = data.collect();
    data.sort_unstable();
    let burst = u64::from(config.burst_cycles);
    assert!(data.windows(2).all(|pair| pair[0] + burst <= pair[1]), "data overlap");
}

/// The naive channel.
pub struct Naive<'a> {
    config: &'a ChannelConfig,
    commands: Vec<Command>,
    completed: Vec<Completion>,
    waiting: Vec<Request>,
    queue: Vec<Request>,
    open: Vec<Option<u32>>,
    bursts: Vec<u32>,
    /// For each bank the request that it serves, and the bursts that are left of it.
    serving: Vec<Option<(Request, u8)>>,
    /// Bursts of each request.
    each: u8,
    turn: usize,
}

impl<'a> Naive<'a> {
    /// Runs it on requests in order of arrival, of so many bursts each.
    pub fn run(
        config: &'a ChannelConfig,
        arrivals: &[Arrival],
        each: u8,
    ) -> (Vec<Command>, Vec<Completion>) {
        let banks = config.banks as usize;
        let mut naive = Self {
            config,
            commands: Vec::new(),
            completed: Vec::new(),
            waiting: Vec::new(),
            queue: Vec::new(),
            open: vec![None; banks],
            bursts: vec![0; banks],
            serving: vec![None; banks],
            each,
            turn: 0,
        };
        let mut cycle = 0;
        while naive.completed.len() < arrivals.len() * usize::from(each) {
            for (_, request) in arrivals.iter().filter(|arrival| arrival.0 == cycle) {
                let entries = if config.scheduler == Policy::Window { each } else { 1 };
                naive.waiting.extend((0..entries).map(|_| *request));
            }
            match config.scheduler {
                Policy::Window => naive.window(cycle),
                Policy::OpenRow => naive.open_row(cycle),
            }
            if !naive.waiting.is_empty() && naive.queue.len() < config.queue as usize {
                let request = naive.waiting.remove(0);
                naive.queue.push(request);
            }
            cycle += 1;
            assert!(cycle < 10_000_000, "the naive channel hangs");
        }
        // The last burst of a request completes it.
        let mut left = vec![each; arrivals.len()];
        naive.completed.retain(|completion| {
            left[completion.id as usize] -= 1;
            left[completion.id as usize] == 0
        });
        (naive.commands, naive.completed)
    }

    fn legal(&self, command: &Command) -> bool {
        let far = |earlier: &Command| {
            command.cycle >= earlier.cycle + u64::from(distance(self.config, earlier, command))
        };
        self.commands.iter().all(far)
    }

    /// What a request needs next.
    fn command(&self, cycle: u64, request: &Request) -> Command {
        let Request { bank, row, write, .. } = *request;
        let (kind, row) = match self.open[usize::from(bank)] {
            None => (Activate, row),
            Some(open) if open != row => (Precharge, open),
            Some(_) => (if write { Write } else { Read }, row),
        };
        Command { cycle, kind, bank, row }
    }

    fn issue(&mut self, command: Command, request: &Request) {
        let bank = usize::from(command.bank);
        let burst = self.config.burst_cycles;
        match command.kind {
            Activate => (self.open[bank], self.bursts[bank]) = (Some(command.row), 0),
            Precharge => self.open[bank] = None,
            Read | Write => {
                self.bursts[bank] += 1;
                let latency = if request.write { self.config.wl } else { self.config.cl } + burst;
                let cycle = command.cycle + u64::from(latency);
                self.completed.push(Completion { id: request.id, cycle });
            }
        }
        self.commands.push(command);
    }

    fn window(&mut self, cycle: u64) {
        for index in 0..self.queue.len() {
            let request = self.queue[index];
            let command = self.command(cycle, &request);
            let bank = usize::from(request.bank);
            if command.kind == Precharge {
                let same_bank = |other: &&Request| other.bank == request.bank;
                let is_oldest = !self.queue[..index].iter().any(|other| same_bank(&other));
                let hit = |other: &Request| Some(other.row) == self.open[bank];
                let wanted = self.queue.iter().filter(same_bank).any(hit);
                let cap = self.config.row_hit_cap;
                let capped = cap > 0 && self.bursts[bank] >= cap;
                if !is_oldest || wanted && !capped {
                    continue;
                }
            }
            if self.legal(&command) {
                self.issue(command, &request);
                if matches!(command.kind, Read | Write) {
                    self.queue.remove(index);
                }
                return;
            }
        }
    }

    fn open_row(&mut self, cycle: u64) {
        let banks = self.open.len();
        for step in 0..banks {
            let bank = (self.turn + step) % banks;
            let of_bank = |request: &Request| usize::from(request.bank) == bank;
            let hit = |request: &Request| of_bank(request) && Some(request.row) == self.open[bank];
            let next = self.queue.iter().position(hit).or(self.queue.iter().position(of_bank));
            if let (None, Some(next)) = (self.serving[bank], next) {
                self.serving[bank] = Some((self.queue.remove(next), self.each));
                self.turn = (self.turn + 1) % banks;
                break;
            }
        }
        let (mut column, mut row) = (false, false);
        for step in 0..banks {
            let bank = (self.turn + step) % banks;
            let Some((request, left)) = self.serving[bank] else {
                continue;
            };
            let command = self.command(cycle, &request);
            let is_column = matches!(command.kind, Read | Write);
            if column || row && !is_column || !self.legal(&command) {
                continue;
            }
            self.issue(command, &request);
            if is_column {
                column = true;
                self.serving[bank] = (left > 1).then_some((request, left - 1));
            } else {
                row = true;
                self.turn = (bank + 1) % banks;
            }
        }
    }
}

/// Both channels give the same commands and completions, and the commands are legal.
pub fn agree(config: &ChannelConfig, arrivals: &[Arrival]) -> Channel {
    let (channel, completed) = super::run(config, arrivals);
    check(config, channel.commands());
    let naive = Naive::run(config, arrivals, 1);
    assert_eq!(channel.commands(), naive.0, "{config:?}");
    assert_eq!(completed, naive.1);
    channel
}
