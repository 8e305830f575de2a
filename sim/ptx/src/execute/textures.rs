//! Textures and surfaces, which are accessed lane by lane.

use super::addresses::each;
use super::{Fault, Warp};
use crate::machine::{face, put, value_of, Beyond, Reads, Texture};
use crate::program::{Fetch, Fetched, Shape, Surface};
use crate::semantics::Lanes;
use blockyard_gpu::program::{Instruction, Operation, WARP_LANES};

impl Warp {
    fn bound(&self, address: u64, lane: usize) -> Result<Texture, Fault> {
        self.grid.machine.textures.borrow().find(address).ok_or_else(|| {
            let message = format!("no array is bound to the texture at {address:#x}");
            Fault::of_lane(lane, message, "the host to bind one")
        })
    }

    /// `tex`, `tld4`, `txq`, `suq`; of the first two the timing sees where each lane reads first.
    pub(super) fn fetch(
        &mut self,
        fetch: &Fetch,
        lanes: u32,
        shown: &mut Instruction,
    ) -> Result<(), Fault> {
        let variables = self.lanes_of(fetch.texture);
        let at: [Lanes; 4] = self.lanes_of_all(&fetch.coordinates);
        let mut result = [[0; WARP_LANES]; 4];
        for lane in each(lanes) {
            let texture = self.bound(variables[lane], lane)?;
            let at = at.map(|values| values[lane] as u32);
            let Some((channels, first)) = self.fetched(&texture, fetch, at) else {
                let message = "a texture reads outside of what was allocated".to_owned();
                return Err(Fault::of_lane(lane, message, "an array that is there"));
            };
            for (result, channel) in result.iter_mut().zip(channels) {
                result[lane] = u64::from(channel);
            }
            if let Operation::Memory { bytes, .. } = &mut shown.operation {
                *bytes = texture.element_bytes() as u8;
                // Nothing is read outside of an array; its unit asks for something all the same.
                shown.addresses.list_mut()[lane] = first.unwrap_or(texture.address);
            }
        }
        self.registers.write_all(lanes, &fetch.to, &result);
        Ok(())
    }

    /// The four channels, and the address of the first element that is read for them, if any is.
    fn fetched(
        &self,
        texture: &Texture,
        fetch: &Fetch,
        at: [u32; 4],
    ) -> Option<([u32; 4], Option<u64>)> {
        let memory = &mut self.grid.machine.memory.borrow_mut();
        let reads = &mut Reads { memory, first: None };
        let Shape { dimensions, layered, cube } = fetch.shape;
        let (layer, rest) = if layered { (at[0], &at[1..]) } else { (0, &at[..]) };
        let mut point = [0.0; 3];
        for (axis, bits) in point.iter_mut().zip(&rest[..usize::from(dimensions)]) {
            *axis = f32::from_bits(*bits);
        }
        let channels = match fetch.fetched {
            Fetched::Element => {
                let at = whole(fetch.shape, at);
                let layer = at[2].min(i64::from(texture.depth) - 1);
                texture.element(reads, if layered { [at[0], at[1], layer.max(0)] } else { at })
            }
            Fetched::Point if cube => {
                let (face, [s, t]) = face(point);
                // A cube beyond the last one is the last one.
                let cube = layer.min((texture.depth / 6).saturating_sub(1));
                let texture = Texture { normalized: true, ..*texture };
                texture.point(reads, [s, t, (6 * cube + face) as f32], 2)
            }
            Fetched::Point => {
                let dimensions = usize::from(dimensions);
                if layered {
                    point[2] = layer as f32;
                }
                texture.point(reads, point, dimensions)
            }
            Fetched::Gathered(channel) => {
                texture.gather(reads, [point[0], point[1], layer as f32], usize::from(channel))
            }
            Fetched::Extent(axis) => {
                Some([[texture.width, texture.height, texture.depth][usize::from(axis)]; 4])
            }
            Fetched::Normalized => Some([u32::from(texture.normalized); 4]),
            Fetched::FilterMode => Some([u32::from(texture.linear); 4]),
            Fetched::AddressMode => Some([if texture.wraps { 0 } else { 3 }; 4]),
            Fetched::Always(value) => Some([value; 4]),
        };
        Some((channels?, reads.first))
    }

    /// `suld.b`, `sust.b`
    pub(super) fn surface(&mut self, access: &Surface, lanes: u32) -> Result<(), Fault> {
        let variables = self.lanes_of(access.surface);
        let at: [Lanes; 4] = self.lanes_of_all(&access.coordinates);
        let values: [Lanes; 4] = self.lanes_of_all(&access.values);
        let part = access.ty.bytes();
        let stores = !access.values.is_empty();
        let bytes = part * access.values.len().max(access.to.len()) as u64;
        let mut result = [[0; WARP_LANES]; 4];
        for lane in each(lanes) {
            let surface = self.bound(variables[lane], lane)?;
            let at = whole(access.shape, at.map(|values| values[lane] as u32));
            if at[0] % bytes as i64 != 0 {
                let message = format!("byte {} of a surface's row is misaligned", at[0]);
                return Err(Fault::of_lane(lane, message, format!("a multiple of {bytes}")));
            }
            let memory = &mut self.grid.machine.memory.borrow_mut();
            let place = match surface.surface(at, bytes, access.beyond) {
                Some(address) => memory.get(address, bytes),
                None if access.beyond == Beyond::Zero => continue,
                None => None,
            };
            let Some(place) = place else {
                let message = format!("coordinates {at:?} are outside of a surface");
                let expected =
                    format!("below {}, {}, {}", surface.width, surface.height, surface.depth);
                return Err(Fault::of_lane(lane, message, expected));
            };
            for (number, place) in place.chunks_exact_mut(part as usize).enumerate() {
                if stores {
                    put(place, values[number][lane]);
                } else {
                    result[number][lane] = value_of(place);
                }
            }
        }
        self.registers.write_all(lanes, &access.to, &result);
        Ok(())
    }
}

/// Whole coordinates as x, y and z, which of layers says the number.
fn whole(shape: Shape, at: [u32; 4]) -> [i64; 3] {
    let signed = at.map(|at| i64::from(at as i32));
    let mut found = [0; 3];
    let first = usize::from(shape.layered);
    let dimensions = usize::from(shape.dimensions);
    found[..dimensions].copy_from_slice(&signed[first..first + dimensions]);
    if shape.layered {
        found[2] = i64::from(at[0]);
    }
    found
}
