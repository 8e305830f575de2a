//! How large a graph may be, so that a header that promises too much is refused and not allocated.

/// Most vertices of a graph: enough for the largest public social networks, and four bytes each
/// of offsets and levels stay far below the memory of a GPU.
pub const MAX_VERTICES: u32 = 1 << 26;

/// Most edges of a file or generator. Storing both directions doubles them, and they are counted
/// in 32 bits, as the kernels do.
pub const MAX_EDGES: u32 = 1 << 30;
