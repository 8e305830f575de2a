//! A Gaussian process: what is expected of a function at places where it was not looked at.
//!
//! Places are those of candidates. Two of them have a correlation, 1 for the same place; the
//! process takes the function for one draw of a normal distribution with mean 0, variance 1, and
//! these correlations. It is conditioned on one value after the other (Rasmussen and Williams:
//! Gaussian Processes for Machine Learning, MIT Press 2006, algorithm 2.1).

/// Variance of what is seen beside the function: runs of one candidate on few cases are rough. It
/// also keeps the matrix regular.
const NOISE: f64 = 0.01;

/// What is known so far of a function of places `P`.
pub(super) struct Process<P> {
    correlation: fn(&P, &P) -> f64,
    places: Vec<P>,
    /// The lower triangle of the Cholesky factor of the places' correlations.
    factor: Vec<Vec<f64>>,
    /// The values, through the inverse of the factor.
    solved: Vec<f64>,
}

impl<P> Process<P> {
    /// Nothing is known.
    pub fn new(correlation: fn(&P, &P) -> f64) -> Self {
        Self { correlation, places: Vec::new(), factor: Vec::new(), solved: Vec::new() }
    }

    /// The function has this value there.
    pub fn see(&mut self, place: P, value: f64) {
        let mut row = self.projected(&place);
        let left = (1.0 + NOISE - dot(&row, &row)).max(NOISE / 2.0).sqrt();
        self.solved.push((value - dot(&row, &self.solved)) / left);
        row.push(left);
        self.factor.push(row);
        self.places.push(place);
    }

    /// The mean of what it may be there, and the standard deviation.
    pub fn expect(&self, place: &P) -> (f64, f64) {
        let row = self.projected(place);
        let variance = (1.0 - dot(&row, &row)).max(0.0);
        (dot(&row, &self.solved), variance.sqrt())
    }

    /// The correlations with the places that were seen, through the inverse of the factor.
    fn projected(&self, place: &P) -> Vec<f64> {
        let mut row: Vec<f64> = Vec::with_capacity(self.places.len());
        for (seen, factor) in self.places.iter().zip(&self.factor) {
            let own = (self.correlation)(place, seen) - dot(&row, factor);
            row.push(own / factor[row.len()]);
        }
        row
    }
}

/// Over as many as both have.
fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(a: f64, b: f64) -> bool {
        (a - b).abs() < 1e-9
    }

    fn process() -> Process<f64> {
        Process::new(|a, b| (-(a - b) * (a - b) / 2.0).exp())
    }

    #[test]
    fn where_nothing_is_near_nothing_is_known() {
        let mut process = process();
        assert_eq!(process.expect(&3.0), (0.0, 1.0));
        process.see(0.0, 2.0);
        let (mean, deviation) = process.expect(&50.0);
        assert!(near(mean, 0.0) && near(deviation, 1.0), "{mean} {deviation}");
    }

    #[test]
    fn one_value_is_believed_as_far_as_the_noise_lets_it_and_the_correlation_reaches() {
        let mut process = process();
        process.see(0.0, 2.0);
        // By hand: the correlation c gives c / 1.01 of the value, and leaves 1 - c * c / 1.01.
        for (at, correlation) in [(0.0, 1.0), (1.0, (-0.5_f64).exp())] {
            let (mean, deviation) = process.expect(&at);
            assert!(near(mean, 2.0 * correlation / 1.01), "{at} {mean}");
            assert!(near(deviation * deviation, 1.0 - correlation * correlation / 1.01), "{at}");
        }
    }

    #[test]
    fn two_values_are_solved_as_two_equations() {
        let mut process = process();
        process.see(0.0, 1.0);
        process.see(1.0, -1.0);
        let (c, d) = ((-0.5_f64).exp(), (-0.125_f64).exp());
        // Weights w with 1.01 w0 + c w1 = 1 and c w0 + 1.01 w1 = -1: by symmetry w0 = -w1.
        let weight = 1.0 / (1.01 - c);
        assert!(near(process.expect(&0.0).0, weight - c * weight));
        assert!(near(process.expect(&0.5).0, d * weight - d * weight));
    }

    #[test]
    fn the_same_place_again_and_again_stays_regular() {
        let mut process = process();
        (0..200).for_each(|_| process.see(0.0, 1.0));
        let (mean, deviation) = process.expect(&0.0);
        assert!((mean - 1.0).abs() < 1e-3 && deviation.is_finite(), "{mean} {deviation}");
    }
}
