//! Ports that come in bundles.

use blockyard_waves::{Capture, CaptureOptions, Design};
use rust_hdl::prelude::*;
use std::io::Cursor;

/// Clock and reset.
#[derive(LogicInterface, Clone, Debug, Default)]
#[join = "Driver"]
struct Control {
    clock: Signal<In, Clock>,
    reset: Signal<In, Bit>,
}

/// Its other side, which a bundle has to have.
#[expect(dead_code)]
#[derive(LogicInterface, Clone, Debug, Default)]
#[join = "Control"]
struct Driver {
    clock: Signal<Out, Clock>,
    reset: Signal<Out, Bit>,
}

/// A request.
#[derive(LogicInterface, Clone, Debug, Default)]
#[join = "Answer"]
struct Ask {
    asks: Signal<In, Bit>,
}

/// Its other side, which a bundle has to have.
#[expect(dead_code)]
#[derive(LogicInterface, Clone, Debug, Default)]
#[join = "Ask"]
struct Answer {
    asks: Signal<Out, Bit>,
}

#[derive(LogicBlock, Default)]
struct Top {
    control: Control,
    ask: Ask,
    count: Signal<Out, Bits<8>>,
}
impl Logic for Top {
    fn update(&mut self) {
        self.count.next = Bits::from(0);
    }
}

#[test]
fn clock_and_reset_have_a_scope_and_other_bundles_belong_to_their_module() {
    let design = Design::new("top", &Top::default());
    let capture = Capture::new(Cursor::new(Vec::new()), design, CaptureOptions::default());
    let (writer, contents) = capture.expect("a header").finish(0).expect("an end");
    let paths: Vec<&str> = contents.signals.iter().map(|signal| &*signal.path).collect();
    assert_eq!(paths, ["top.control.reset", "top.asks", "top.count"]);
    let text = String::from_utf8(writer.into_inner()).expect("text");
    assert_eq!(text.matches("$upscope").count(), 2, "{text}");
}
