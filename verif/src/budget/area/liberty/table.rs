//! Tables of delays, slews and constraints over one or two variables.

use super::syntax::{Fault, Group};
use std::collections::HashMap;

/// What a table is looked up by.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct At {
    /// How long the input takes to change, or the data, for a constraint.
    pub slew: f64,
    /// The load of the output; for a constraint, how long the clock takes to change.
    pub load: f64,
}

/// A table, looked up linearly between its points and beyond them.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    slews: Vec<f64>,
    loads: Vec<f64>,
    /// By slew, then by load.
    values: Vec<f64>,
}

/// What tables share: which variable is which, and the points.
pub struct Template {
    variables: Vec<String>,
    points: [Vec<f64>; 2],
}

/// The templates of a library by name.
///
/// # Errors
/// When a point is no number.
pub fn templates(library: &Group) -> Result<HashMap<&str, Template>, Fault> {
    let mut templates = HashMap::new();
    for group in library.all("lu_table_template") {
        let variables = ["variable_1", "variable_2"].map(|name| group.value(name));
        let variables = variables.into_iter().flatten().map(ToOwned::to_owned).collect();
        let points = [points(group, "index_1")?, points(group, "index_2")?];
        templates.insert(group.name(), Template { variables, points });
    }
    Ok(templates)
}

fn points(group: &Group, name: &str) -> Result<Vec<f64>, Fault> {
    group.attribute(name).map_or(Ok(Vec::new()), super::syntax::Attribute::numbers)
}

impl Table {
    /// The same everywhere.
    pub fn scalar(value: f64) -> Self {
        Self { slews: vec![0.0], loads: vec![0.0], values: vec![value] }
    }

    /// The table of a group, such as `cell_rise (delay_5x5) { ... }`.
    ///
    /// # Errors
    /// When its template is missing, or there are not as many values as points.
    pub fn read(group: &Group, templates: &HashMap<&str, Template>) -> Result<Self, Fault> {
        let fault = |found: String, expected: &str| Fault {
            line: group.line,
            found,
            expected: expected.to_owned(),
        };
        let missing = || fault(format!("`{}` without `values`", group.kind), "a table");
        let values = group.attribute("values").ok_or_else(missing)?.numbers()?;
        if let [value] = values.as_slice() {
            return Ok(Self::scalar(*value));
        }
        let template = templates.get(group.name()).ok_or_else(|| {
            fault(
                format!("the template `{}`", group.name()),
                "a `lu_table_template` with that name",
            )
        })?;
        let mut axes = [points(group, "index_1")?, points(group, "index_2")?];
        for (axis, points) in axes.iter_mut().zip(&template.points) {
            if axis.is_empty() {
                axis.clone_from(points);
            }
        }
        let [mut first, mut second] =
            axes.map(|axis| if axis.is_empty() { vec![0.0] } else { axis });
        if values.len() != first.len() * second.len() {
            let found = format!("{} values in `{}`", values.len(), group.kind);
            return Err(fault(found, &format!("{} x {}", first.len(), second.len())));
        }
        if [&first, &second].iter().any(|axis| axis.windows(2).any(|pair| pair[0] >= pair[1])) {
            return Err(fault(format!("points of `{}`", group.kind), "each greater than the last"));
        }
        let by_load = template.variables.first().is_some_and(|variable| {
            variable == "total_output_net_capacitance" || variable == "related_pin_transition"
        });
        let values = match by_load {
            true => {
                std::mem::swap(&mut first, &mut second);
                let of = |slew, load| values[load * first.len() + slew];
                (0..first.len())
                    .flat_map(|slew| (0..second.len()).map(move |load| of(slew, load)))
                    .collect()
            }
            false => values,
        };
        Ok(Self { slews: first, loads: second, values })
    }

    /// The same in other units: slews and values times `time`, loads times `load`.
    pub fn scaled(mut self, time: f64, load: f64) -> Self {
        self.slews.iter_mut().chain(&mut self.values).for_each(|number| *number *= time);
        self.loads.iter_mut().for_each(|number| *number *= load);
        self
    }

    /// The value at a slew and a load.
    pub fn at(&self, at: At) -> f64 {
        let (row, down) = segment(&self.slews, at.slew);
        let (column, right) = segment(&self.loads, at.load);
        let width = self.loads.len();
        let value = |row: usize, column: usize| self.values[row * width + column];
        let along = |row: usize| match right {
            None => value(row, column),
            Some(part) => {
                let (left, next) = (value(row, column), value(row, column + 1));
                left + part * (next - left)
            }
        };
        match down {
            None => along(row),
            Some(part) => {
                let (above, below) = (along(row), along(row + 1));
                above + part * (below - above)
            }
        }
    }
}

/// The point before, and which part of the way to the next one it is; none for a single point.
fn segment(points: &[f64], at: f64) -> (usize, Option<f64>) {
    if points.len() < 2 {
        return (0, None);
    }
    let after = points.partition_point(|&point| point <= at).clamp(1, points.len() - 1);
    let (low, high) = (points[after - 1], points[after]);
    (after - 1, Some((at - low) / (high - low)))
}

#[cfg(test)]
mod tests {
    use super::super::syntax::parse;
    use super::*;

    fn read(order: &str, table: &str) -> Result<Table, Fault> {
        let text = format!(
            "library (a) {{ lu_table_template (t) {{ {order} index_1 (\"1, 2\"); \
             index_2 (\"10, 20, 40\"); }}\n cell_rise (t) {{ {table} }} }}"
        );
        let library = parse(&text).expect("it reads");
        let templates = templates(&library).expect("points");
        let table = library.all("cell_rise").next().expect("a table");
        Table::read(table, &templates)
    }

    const SLEW_FIRST: &str =
        "variable_1 : input_net_transition; variable_2 : total_output_net_capacitance;";
    const LOAD_FIRST: &str =
        "variable_1 : total_output_net_capacitance; variable_2 : input_net_transition;";

    #[test]
    fn tables_are_linear_between_their_points_and_beyond_them() {
        let table = read(SLEW_FIRST, "values (\"1, 2, 4\", \"3, 4, 6\");").expect("a table");
        let at = |slew, load| table.at(At { slew, load });
        assert_eq!([at(1.0, 10.0), at(2.0, 40.0), at(1.0, 30.0)], [1.0, 6.0, 3.0]);
        assert_eq!([at(1.5, 15.0), at(1.0, 0.0), at(3.0, 50.0)], [2.5, 0.0, 9.0]);
    }

    #[test]
    fn the_template_says_which_variable_comes_first() {
        let values = "values (\"1, 2, 4\", \"3, 4, 6\");";
        let table = read(LOAD_FIRST, values).expect("a table");
        // The first index is the load now: 1 and 2.
        assert_eq!(table.at(At { slew: 20.0, load: 2.0 }), 4.0);
        assert_eq!(table.at(At { slew: 40.0, load: 1.0 }), 4.0);
        assert_eq!(table.at(At { slew: 10.0, load: 2.0 }), 3.0);
    }

    #[test]
    fn a_table_without_values_or_with_a_wrong_number_of_them_is_refused() {
        let found = |table: &str| read(SLEW_FIRST, table).expect_err("refused");
        assert_eq!(found("").found, "`cell_rise` without `values`");
        let fault = found("values (\"1, 2\", \"3, 4, 6\");");
        assert_eq!((fault.line, fault.expected.as_str()), (2, "2 x 3"));
        let fault = found("index_1 (\"2, 1\"); values (\"1, 2, 4\", \"3, 4, 6\");");
        assert_eq!(fault.expected, "each greater than the last");
    }

    #[test]
    fn a_single_value_holds_everywhere() {
        let table = read(SLEW_FIRST, "values (\"7\");").expect("a table");
        assert_eq!(table.at(At { slew: 9.0, load: 99.0 }), 7.0);
        assert_eq!(table.scaled(2.0, 3.0).at(At::default()), 14.0);
    }
}
