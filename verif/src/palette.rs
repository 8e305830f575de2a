//! Colours of plots.

/// Colours that people of any colour vision tell apart (Okabe and Ito): red, green, blue.
pub const COLOURS: [[u8; 3]; 7] = [
    [0, 114, 178],
    [213, 94, 0],
    [0, 158, 115],
    [204, 121, 167],
    [86, 180, 233],
    [230, 159, 0],
    [0, 0, 0],
];
