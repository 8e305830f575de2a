//! Studies: many runs that differ along axes, compared in one table.

pub mod row;
