//! How a module that [`hdl_module!`](crate::hdl_module) declares evaluates: at an edge, and until
//! it settles.

/// What a rising edge does to a child that has settled, so that its inputs are latched: see
/// [`Module::capture`](crate::module::Module::capture).
#[doc(hidden)]
#[macro_export]
macro_rules! hdl_capture {
    (combinational $($rest:tt)*) => { false };
    (combinational_primitive $($rest:tt)*) => { false };
    (clocked_primitive $self:ident [] [$($output:ident)*]) => {{
        if $self.calm {
            return false;
        }
        let (stored, live) = ($crate::activity::count(), $self.live);
        $self.control.clock.rise();
        ::rust_hdl::prelude::Logic::update($self);
        $self.live = false;
        $self.dirty = false $(| $self.$output.latch())*;
        $self.touched.mark(live | $self.dirty);
        $self.calm = !(live | $self.dirty) && $crate::activity::count() == stored;
        !$self.calm
    }};
    (clocked $self:ident [$($child:ident)*] [$($output:ident)*]) => {{
        if $self.calm {
            return false;
        }
        $self.control.clock.rise();
        let stored = $crate::hdl_capture! { @children $self [$($child)*] };
        $self.dirty = $self.live | $self.stirred;
        $self.touched.mark($self.dirty);
        $self.calm = !(stored | $self.dirty);
        !$self.calm
    }};
    (@children $self:ident [$($child:ident)*]) => {{
        let stored = false $(| $crate::module::Child::capture(&mut $self.$child))*;
        $self.live |= stored && (false $(| $crate::module::Child::has_news(&$self.$child))*);
        $self.stirred |= stored && (false $(| $self.$child.has_changed())*);
        stored
    }};
}

/// How a module evaluates in which something was stored, and whose inputs were latched before: see
/// [`Module::update_stirred`](crate::module::Module::update_stirred). A primitive with a clock has
/// to see that the edge is over.
#[doc(hidden)]
#[macro_export]
macro_rules! hdl_update_stirred {
    (clocked_primitive $self:ident) => {
        $self.update_all()
    };
    ($kind:ident $self:ident) => {
        $self.evaluate(false, false)
    };
}

/// How a module evaluates once its inputs have latched: whether its kernel has run.
#[doc(hidden)]
#[macro_export]
macro_rules! hdl_settle {
    (combinational_primitive $self:ident $edge:ident $driven:ident []) => {{
        let _ = ($edge, $driven);
        $self.touched.mark(true);
        ::rust_hdl::prelude::Logic::update($self);
        true
    }};
    (clocked_primitive $self:ident $edge:ident $driven:ident []) => {{
        let _ = $edge;
        if !($driven | $self.live) && !$self.control.clock.val().clk {
            $self.dirty = false;
            return;
        }
        // At an edge alone, what nobody sees may change.
        $self.touched.mark($driven | $self.live);
        ::rust_hdl::prelude::Logic::update($self);
        true
    }};
    (combinational $self:ident $edge:ident $driven:ident [$($child:ident)*]) => {{
        let _ = ($edge, $driven);
        $self.touched.mark(true);
        ::rust_hdl::prelude::Logic::update($self);
        $crate::hdl_settle! { @children $self [$($child)*] }
        true
    }};
    (clocked $self:ident $edge:ident $driven:ident [$($child:ident)*]) => {{
        if $edge && $self.control.clock.val().clk {
            // Children capture what was settled before the edge; it propagates in the next pass.
            let _ = $crate::hdl_capture! { @children $self [$($child)*] };
            $self.live |= $driven;
            $self.dirty = $self.live | $self.stirred;
            $self.touched.mark($self.dirty);
            return;
        }
        if !($driven | $self.live | $self.stirred) {
            $self.dirty = false;
            return;
        }
        $self.touched.mark(true);
        // Where something was stored further down alone, the kernel sees nothing new unless that
        // shows.
        let shows = $driven | $self.live || $crate::hdl_settle! { @stirred $self [$($child)*] };
        if shows {
            ::rust_hdl::prelude::Logic::update($self);
            $crate::hdl_settle! { @children $self [$($child)*] }
        }
        shows
    }};
    (@stirred $self:ident [$($child:ident)*]) => {{
        $($crate::module::Child::update_stirred(&mut $self.$child);)*
        false $(| $self.$child.has_changed())*
    }};
    (@children $self:ident [$($child:ident)*]) => {
        let mut passes = 0;
        loop {
            $($self.$child.update_all();)*
            if !(false $(| $self.$child.has_changed())*) {
                break;
            }
            ::rust_hdl::prelude::Logic::update($self);
            passes += 1;
            assert!(passes < $crate::module::SETTLE_LIMIT, "combinational loop");
        }
    };
}
