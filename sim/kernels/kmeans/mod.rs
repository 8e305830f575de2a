//! `kmeans`: points that look for the nearest centre, and centres that the host moves between two
//! launches.

mod clusters;
mod options;

use std::ops::Range;
use std::rc::Rc;

use blockyard_contract::diagnostic::InputError;
use blockyard_contract::port::LaunchMode;
use blockyard_gpu::host::{HostLaunch, HostProgram};
use blockyard_ptx::{Arguments, Machine};

use crate::array::Array;
use crate::compare;
use crate::draw::Draw;
use crate::launch::{launch, line, machine, Computation};
use clusters::Points;
pub use options::KmeansOptions;

/// The host program.
pub struct Kmeans {
    machine: Rc<Machine>,
    options: KmeansOptions,
    drawn: Points,
    /// As they are now; the first ones are the first points.
    centres: Vec<f32>,
    points: Array,
    turned: Array,
    nearest: Array,
    /// The one that turns the points, and one a step.
    launched: u32,
}

impl Kmeans {
    /// Before its first launch, with points drawn from `seed`, in a heap for each centre.
    ///
    /// # Errors
    /// When there is no memory for them.
    pub fn new(options: &KmeansOptions, seed: u64, _mode: LaunchMode) -> Result<Self, InputError> {
        let machine = machine("kmeans/kmeans.ptx", include_str!("kmeans.ptx"));
        let mut draw = Draw::new(seed);
        let KmeansOptions { points, features, clusters, .. } = *options;
        let heaps: Vec<f32> = (0..clusters * features).map(|_| draw.between(0.0, 1.0)).collect();
        let features = features as usize;
        let mut values = Vec::with_capacity(points as usize * features);
        for _ in 0..points {
            let heap = draw.below(clusters) as usize * features;
            let near = heaps[heap..heap + features].iter();
            values.extend(near.map(|value| value + draw.between(-0.5, 0.5)));
        }
        let words: Vec<u32> = values.iter().map(|value| value.to_bits()).collect();
        let turned = Array::zeros(&machine, words.len() as u32)?;
        Ok(Self {
            points: Array::new(&machine, words)?,
            turned,
            nearest: Array::zeros(&machine, points)?,
            machine,
            options: *options,
            centres: first_centres(&values, clusters as usize * features),
            drawn: Points { features, values },
            launched: 0,
        })
    }

    /// The next launch, from cycle `arrive` on, if there is one left.
    fn next(&mut self, arrive: u64) -> Vec<HostLaunch> {
        let KmeansOptions { points, features, clusters, steps, block } = self.options;
        if points == 0 || steps == 0 || self.launched > steps {
            return Vec::new();
        }
        let (kernel, arguments) = if self.launched == 0 {
            let arrays = Arguments::new().long(self.points.address()).long(self.turned.address());
            ("kmeans_turn", arrays.word(points).word(features))
        } else {
            if self.launched > 1 {
                let nearest = self.nearest.left().expect("no kernel gives memory back");
                self.centres = self.drawn.moved(&self.centres, &nearest);
            }
            self.set_centres();
            let arrays = Arguments::new().long(self.turned.address()).long(self.nearest.address());
            ("kmeans_assign", arrays.word(points).word(features).word(clusters))
        };
        self.launched += 1;
        let extents = (line(points.div_ceil(block)), line(block));
        launch(&self.machine, kernel, extents, arguments, arrive)
    }

    fn set_centres(&self) {
        let bytes: Vec<u8> = self.centres.iter().flat_map(|value| value.to_le_bytes()).collect();
        assert!(self.machine.set_constant("kmeans_centres", &bytes), "the module has room");
    }
}

/// The first points, and again from the first one on where there are fewer than centres.
fn first_centres(values: &[f32], count: usize) -> Vec<f32> {
    values.iter().copied().cycle().take(count).collect()
}

impl HostProgram for Kmeans {
    fn start(&mut self) -> Vec<HostLaunch> {
        self.next(0)
    }

    fn kernel_finished(&mut self, _name: &str, _instance: u32, cycle: u64) -> Vec<HostLaunch> {
        self.next(cycle + 1)
    }

    fn verify(&mut self) -> Result<(), String> {
        let KmeansOptions { features, clusters, steps, .. } = self.options;
        if steps == 0 {
            return Ok(());
        }
        let points = self.options.points as usize;
        compare::floats(&self.turned, self.drawn.turned(), |at| {
            format!("kmeans: feature {} of point {}, turned,", at / points, at % points)
        })?;
        let mut centres = first_centres(&self.drawn.values, (clusters * features) as usize);
        for _ in 1..steps {
            centres = self.drawn.moved(&centres, &self.drawn.nearest(&centres));
        }
        let name = |point| format!("kmeans: the nearest centre of point {point}");
        compare::words(&self.nearest, &self.drawn.nearest(&centres), name)
    }
}

impl Computation for Kmeans {
    fn machine(&self) -> &Rc<Machine> {
        &self.machine
    }

    fn results(&self) -> Vec<Range<u64>> {
        vec![self.nearest.range(), self.turned.range()]
    }
}
