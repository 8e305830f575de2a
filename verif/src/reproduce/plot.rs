//! Effects as pictures: an SVG a figure, a group of bars a benchmark, a line where the paper has its
//! value.
