//! How many blocks each SMX holds, over time, as a heat map.

use super::super::number::shown;
use super::super::plot::{Heat, Marks, Plot};
use super::{smxs, span, Stay};

/// Most cells of a heat map: a page of many must stay light.
const CELLS: usize = 8_000;
/// Most columns, which are some pixels wide.
const COLUMNS: usize = 170;

/// The heat map of a run that has a block.
pub(super) fn plot(stays: &[Stay], command: &str) -> Plot {
    let (heat, cycles) = heat(stays);
    Plot {
        title: "Occupancy of each SMX over time".to_owned(),
        x: "cycle".to_owned(),
        y: String::new(),
        note: format!(
            "Resident blocks, the mean over {} cycles for each cell; darker is more.",
            shown(cycles as f64)
        ),
        command: command.to_owned(),
        marks: Marks::Heat(heat),
    }
}

/// The grid, and the cycles of a column.
fn heat(stays: &[Stay]) -> (Heat, u64) {
    let (rows, (first, last)) = (smxs(stays), span(stays));
    let most = COLUMNS.min(CELLS / rows).max(1) as u64;
    let cycles = (last - first).div_ceil(most).max(1);
    let columns = (last - first).div_ceil(cycles) as usize;
    let mut sums = vec![vec![0u64; columns]; rows];
    for stay in stays {
        let (from, until) = (stay.dispatched - first, stay.completed - first);
        for column in from / cycles..until.div_ceil(cycles) {
            let begin = column * cycles;
            sums[stay.smx][column as usize] += until.min(begin + cycles) - from.max(begin);
        }
    }
    // The last column may be short.
    let wide = |column: usize| cycles.min(last - first - column as u64 * cycles) as f64;
    let mean = |(column, sum): (usize, u64)| sum as f64 / wide(column);
    let values: Vec<Vec<f64>> =
        sums.into_iter().map(|row| row.into_iter().enumerate().map(mean).collect()).collect();
    let most = values.iter().flatten().copied().fold(0.0, f64::max);
    let names = (0..rows).map(|smx| format!("SMX {smx}")).collect();
    let heat = Heat { rows: names, start: first as f64, column: cycles as f64, values, most };
    (heat, cycles)
}

#[cfg(test)]
mod tests {
    use super::super::stay;
    use super::*;

    #[test]
    fn a_cell_has_the_mean_of_its_cycles_also_the_last_which_may_be_short() {
        // 500 cycles from 100 on: columns of 3, the last one of 2.
        let (heat, cycles) = heat(&[stay(1, 100, 600, "a"), stay(1, 101, 104, "b")]);
        assert_eq!((cycles, heat.values[1].len(), heat.start), (3, 167, 100.0));
        assert_eq!(heat.values[0], vec![0.0; 167]);
        let near = |at: usize, value: f64| (heat.values[1][at] - value).abs() < 1e-9;
        assert!(near(0, 1.0 + 2.0 / 3.0) && near(1, 1.0 + 1.0 / 3.0) && near(2, 1.0));
        assert!(near(166, 1.0), "{:?}", heat.values[1].last());
    }

    #[test]
    fn block_cycles_are_kept_and_cells_are_few() {
        let stays: Vec<_> =
            (0..5_000).map(|n| stay(n as usize % 144, 7 * n, 7 * n + 900, "k")).collect();
        let (heat, cycles) = heat(&stays);
        assert!(heat.values.iter().map(Vec::len).sum::<usize>() <= CELLS);
        let (first, last) = span(&stays);
        let all: f64 = heat
            .values
            .iter()
            .flat_map(|row| row.iter().enumerate())
            .map(|(column, value)| value * cycles.min(last - first - column as u64 * cycles) as f64)
            .sum();
        assert!((all - 5_000.0 * 900.0).abs() < 1e-3, "{all}");
    }

    #[test]
    fn a_stay_of_no_cycle_is_drawn_too() {
        assert_eq!(heat(&[stay(0, 5, 5, "a")]).0.values, [[0.0]]);
    }
}
