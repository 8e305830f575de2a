//! Every form of `suld.b` and `sust.b` that is accepted, held against a second opinion
//! (`opinion/surface.rs`), which was written from the manual's wording (PTX ISA 9.1, 9.7.11)
//! without sight of the interpreter.
//!
//! Arrays and coordinates are drawn, inside and outside. Lanes that store to one place come in the
//! order of their numbers, as those of every store.

mod support;
#[path = "opinion/surface.rs"]
mod surface;

use std::rc::Rc;

use blockyard_ptx::{Arguments, Machine, Texture};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestCaseError, TestRunner};
use support::{kernel, run};
use surface::{place, Outside, Place, GEOMETRIES};

const MODES: [(&str, Outside); 3] =
    [("trap", Outside::Trap), ("clamp", Outside::Clamp), ("zero", Outside::Zero)];
/// A type, its bytes, and its registers.
const TYPES: [(&str, usize, &str); 4] =
    [("b8", 1, "%h"), ("b16", 2, "%h"), ("b32", 4, "%r"), ("b64", 8, "%d")];
const VECTORS: [(&str, usize); 3] = [("", 1), (".v2", 2), (".v4", 4)];
/// Words of a lane: four of coordinates, and data.
const LANE: usize = 12;

#[derive(Clone, Copy, Debug)]
struct Form {
    stores: bool,
    geometry: (&'static str, usize),
    vector: (&'static str, usize),
    ty: (&'static str, usize, &'static str),
    mode: (&'static str, Outside),
}

impl Form {
    fn all() -> Vec<Self> {
        let mut all = Vec::new();
        for stores in [false, true] {
            for geometry in GEOMETRIES {
                for vector in VECTORS {
                    for ty in TYPES {
                        let form = |mode| Self { stores, geometry, vector, ty, mode };
                        all.extend(MODES.map(form));
                    }
                }
            }
        }
        all
    }

    fn bytes(&self) -> usize {
        self.vector.1 * self.ty.1
    }

    /// With a hint for caches.
    fn instruction(&self, surface: &str, hint: &str) -> String {
        let list = |letter: &str, count: usize| {
            let names: Vec<_> = (0..count).map(|index| format!("{letter}{index}")).collect();
            names.join(", ")
        };
        let (letter, count) = (self.ty.2, self.vector.1);
        let data =
            if count == 1 { format!("{letter}0") } else { format!("{{{}}}", list(letter, count)) };
        let at = format!("[{surface}, {{{}}}]", list("%c", self.geometry.1));
        let name =
            format!("b.{}{hint}{}.{}.{}", self.geometry.0, self.vector.0, self.ty.0, self.mode.0);
        if self.stores {
            format!("sust.{name} {at}, {data};")
        } else {
            format!("suld.{name} {data}, {at};")
        }
    }

    /// A kernel of which each lane has 48 bytes: coordinates, and what it loads or stores.
    fn text(&self, instruction: &str) -> String {
        let (ty, bytes, letter) = self.ty;
        let moved = |of: &dyn Fn(usize) -> String| (0..self.vector.1).map(of).collect::<String>();
        let (before, behind) = if self.stores {
            let load =
                |index| format!("ld.global.{ty} {letter}{index}, [%d8+{}];\n", 16 + index * bytes);
            (moved(&load), String::new())
        } else {
            // All of a register: what is loaded is extended with zeros.
            let store = |index| match bytes {
                1 => format!(
                    "shr.u16 %h8, %h{index}, 8; or.b16 %h{index}, %h{index}, %h8;
                    st.global.b8 [%d8+{}], %h{index};\n",
                    16 + index
                ),
                _ => format!("st.global.{ty} [%d8+{}], {letter}{index};\n", 16 + index * bytes),
            };
            (String::new(), moved(&store))
        };
        kernel(
            ".global .surfref surf;",
            &format!(
                ".reg .b32 %c<4>;
                mad.wide.u32 %d8, %t, 48, %a;
                ld.global.v4.u32 {{%c0, %c1, %c2, %c3}}, [%d8];
                {before}{instruction}\n{behind}"
            ),
        )
    }
}

fn loads(form: &Form, instruction: &str) -> bool {
    blockyard_ptx::load("test.ptx", &form.text(instruction)).is_ok()
}

#[test]
fn the_forms_of_the_manual_are_accepted_and_no_others() {
    for form in Form::all() {
        let hints = if form.stores {
            ["", ".wb", ".cg", ".cs", ".wt"]
        } else {
            ["", ".ca", ".cg", ".cs", ".cv"]
        };
        // 32 bytes at once stand in the manual, and no GPU has them.
        if form.bytes() <= 16 {
            for hint in hints {
                let instruction = form.instruction("surf", hint);
                assert!(loads(&form, &instruction), "{instruction}");
            }
        }
        let instruction = form.instruction("surf", "");
        for (from, to) in
            [(".b.", ".b.s32."), (".1d.", ".cube."), (".zero", ".wrap"), (".b32.", ".u32.")]
        {
            if instruction.contains(from) {
                let wrong = instruction.replace(from, to);
                assert!(!loads(&form, &wrong), "{wrong}");
            }
        }
    }
}

/// A surface: its extents, its channels, and what the words hold.
type Drawn = ([u32; 3], u32, Vec<[i32; 4]>, Vec<[u32; 8]>, bool);

/// Coordinates in units of the access, in front of the array, in it and behind it.
fn drawn() -> impl Strategy<Value = Drawn> {
    let coordinate = || prop_oneof![8 => -2_i32..10, 1 => any::<i32>(), 1 => Just(-1)];
    let lanes = prop::collection::vec(prop::array::uniform4(coordinate()), 32);
    let data = prop::collection::vec(prop::array::uniform8(any::<u32>()), 32);
    let channels = prop::sample::select(vec![1_u32, 2, 4]);
    (prop::array::uniform3(1_u32..8), channels, lanes, data, any::<bool>())
}

fn numbers(count: usize) -> Vec<u32> {
    (1..=count as u32).map(|word| word.wrapping_mul(0x9e37_79b9)).collect()
}

fn bytes(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// What lanes leave: their words, and the memory of the surface.
fn outcome(
    machine: &Rc<Machine>,
    (texture, named): (Texture, bool),
    lanes: &[[u32; LANE]],
) -> Result<(Vec<u32>, Vec<u32>), String> {
    let count = texture.pitch / 4 * u64::from(texture.height * texture.depth);
    let texture = Texture { address: machine.array(&numbers(count as usize)).unwrap(), ..texture };
    let object = if named {
        assert!(machine.bind("surf", texture));
        0
    } else {
        machine.texture_object(texture)
    };
    let at = machine.array(&lanes.concat()).unwrap();
    let arguments = Arguments::new().long(at).long(object);
    run(machine, "k", (1, lanes.len() as u32), arguments).map_err(|error| error.to_string())?;
    let left = machine.words(at, (LANE * lanes.len()) as u64).unwrap();
    Ok((left, machine.words(texture.address, count).unwrap()))
}

fn check(form: &Form, machines: &[Rc<Machine>; 2], drawn: Drawn) -> Result<(), TestCaseError> {
    let (drawn, channels, at, data, named) = drawn;
    let geometry = form.geometry.0;
    let height = if matches!(geometry, "1d" | "a1d") { 1 } else { drawn[1] };
    let depth = if matches!(geometry, "1d" | "2d") { 1 } else { drawn[2] };
    let (width, row) = (drawn[0], 4 * channels * drawn[0]);
    // Rows have a gap between them.
    let pitch = u64::from(row + 4 * channels);
    let (normalized, linear, wraps) = (false, false, false);
    let texture =
        Texture { address: 0, width, height, depth, pitch, channels, normalized, linear, wraps };
    let size = form.bytes() as i64;
    let x = usize::from(geometry.starts_with('a'));
    let mut lanes: Vec<[u32; LANE]> = Vec::new();
    let mut trap = None;
    for (at, data) in at.iter().zip(&data) {
        let mut words = at.map(|word| word as u32);
        words[x] = words[x].wrapping_mul(size as u32);
        let place = place(
            geometry,
            [i64::from(row), height.into(), depth.into()],
            words,
            size,
            form.mode.1,
        );
        let mut lane = [0; LANE];
        lane[..4].copy_from_slice(&words);
        lane[4..].copy_from_slice(data);
        match place {
            Place::Open => continue,
            Place::Trap => trap = Some(lane),
            _ => lanes.push(lane),
        }
    }
    let machine = &machines[usize::from(named)];
    if let Some(lane) = trap {
        let ended = outcome(machine, (texture, named), &[lane]).is_err();
        prop_assert!(ended, "{:?} of {:?}", lane, texture);
    }
    if lanes.is_empty() {
        return Ok(());
    }
    let found = outcome(machine, (texture, named), &lanes).map_err(TestCaseError::fail)?;
    let mut memory = bytes(&numbers(found.1.len()));
    for (number, lane) in lanes.iter().enumerate() {
        let words = [lane[0], lane[1], lane[2], lane[3]];
        let extents = [i64::from(row), height.into(), depth.into()];
        let place = match place(geometry, extents, words, size, form.mode.1) {
            Place::At([x, y, z]) => {
                let first = ((z * i64::from(height) + y) * pitch as i64 + x) as usize;
                Some(first..first + size as usize)
            }
            _ => None,
        };
        let data = bytes(&lane[4..]);
        if form.stores {
            if let Some(place) = place {
                memory[place].copy_from_slice(&data[..size as usize]);
            }
        } else {
            let expected = place.map_or(vec![0; size as usize], |place| memory[place].to_vec());
            let got = bytes(&found.0[LANE * number + 4..LANE * (number + 1)]);
            prop_assert_eq!(&got[..size as usize], &expected[..], "{:?} of {:?}", lane, texture);
        }
    }
    prop_assert_eq!(bytes(&found.1), memory, "{:?}", texture);
    Ok(())
}

#[test]
fn surfaces_of_every_geometry_vector_and_type() {
    let mut wrong = Vec::new();
    for form in Form::all() {
        let instructions = ["%b", "surf"].map(|surface| form.instruction(surface, ""));
        if !loads(&form, &instructions[0]) {
            continue;
        }
        let machines = instructions.clone().map(|text| support::machine(&form.text(&text)));
        let config = Config {
            cases: 12,
            max_shrink_iters: 200,
            failure_persistence: None,
            ..Config::default()
        };
        let mut runner = TestRunner::new(config);
        if let Err(failure) = runner.run(&drawn(), |drawn| check(&form, &machines, drawn)) {
            wrong.push(format!("{}: {failure}", instructions[1]));
        }
    }
    assert!(wrong.is_empty(), "{} are wrong:\n{}", wrong.len(), wrong.join("\n"));
}
