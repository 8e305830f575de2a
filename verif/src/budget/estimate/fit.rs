//! A number that follows the number of SMXs, from what it is for some of them.

/// A size of the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Point {
    /// SMXs.
    pub smx: usize,
    /// Queues of LaPerm, one for each cluster of SMXs; elsewhere the same as SMXs.
    pub queues: usize,
}

/// Sizes that are built, and the one that is asked for.
#[derive(Clone, Copy, Debug)]
pub struct Line<'a> {
    /// From the smallest to the largest.
    pub points: &'a [Point],
    /// Where a value is wanted.
    pub at: Point,
}

impl Line<'_> {
    /// What a number with these values at the points is there: so much in all, and so much for each SMX or
    /// each queue. `None` where that does not give all the values exactly.
    pub fn value(&self, values: &[usize]) -> Option<usize> {
        let by_smx = |point: &Point| point.smx as i64;
        let by_queues = |point: &Point| point.queues as i64;
        self.along(values, by_smx).or_else(|| self.along(values, by_queues))
    }

    fn along(&self, values: &[usize], size: impl Fn(&Point) -> i64) -> Option<usize> {
        let sizes: Vec<i64> = self.points.iter().map(&size).collect();
        let values: Vec<i64> = values.iter().map(|&value| value as i64).collect();
        let (run, rise) = (sizes.last()? - sizes.first()?, values.last()? - values.first()?);
        let each = match run {
            0 => 0,
            _ if rise % run == 0 => rise / run,
            _ => return None,
        };
        let once = values.first()? - each * sizes.first()?;
        let fits = sizes.iter().zip(&values).all(|(size, value)| once + each * size == *value);
        usize::try_from(once + each * size(&self.at)).ok().filter(|_| fits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(smx: usize, cluster: usize) -> Point {
        Point { smx, queues: smx.div_ceil(cluster) }
    }

    #[test]
    fn what_is_there_once_and_what_each_smx_has_are_told_apart() {
        let points = [4, 13, 16].map(|smx| at(smx, 1));
        let line = Line { points: &points, at: at(132, 1) };
        assert_eq!(line.value(&[7, 7, 7]), Some(7));
        assert_eq!(line.value(&[4, 13, 16]), Some(132));
        assert_eq!(line.value(&[5, 14, 17]), Some(133));
        assert_eq!(line.value(&[32, 104, 128]), Some(8 * 132));
    }

    #[test]
    fn what_rounds_up_or_is_no_line_has_no_value() {
        let points = [4, 13, 16].map(|smx| at(smx, 1));
        let line = Line { points: &points, at: at(132, 1) };
        assert_eq!(line.value(&[4, 16, 16]), None);
        assert_eq!(line.value(&[2, 4, 4]), None);
        assert_eq!(line.value(&[16, 7, 4]), None, "a fall to less than nothing");
    }

    #[test]
    fn queues_of_clusters_are_counted_rounded_up() {
        let points = [4, 13, 16].map(|smx| at(smx, 2));
        let line = Line { points: &points, at: at(81, 2) };
        assert_eq!(line.value(&[2, 7, 8]), Some(41));
        assert_eq!(line.value(&[4, 13, 16]), Some(81));
    }
}
