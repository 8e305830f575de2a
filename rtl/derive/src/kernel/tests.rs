use super::translate;
use syn::{parse_quote, ItemFn};

/// Why a kernel of this one statement is refused.
fn refusal(statement: &str) -> String {
    let kernel: ItemFn = syn::parse_str(&format!("fn update(&mut self) {{ {statement} }}"))
        .expect("it is a function");
    translate(&kernel).expect_err(statement).to_string()
}

#[test]
fn what_a_kernel_does_not_have_is_refused_with_what_it_has() {
    for (statement, why) in [
        ("let a = self.b.val();", "no definitions"),
        ("println!(\"a\");", "no definitions and no macros"),
        ("match self.a.val() { _ => {} }", "nothing else"),
        ("self.a = true;", "`signal.next`"),
        ("self.a.val = true;", "`signal.next`"),
        ("self.a[0] = true;", "`signal.next`"),
        ("self.a.next = self.b.next;", "`signal.val()`"),
        ("self.a.next = -self.b.val();", "`!`"),
        ("self.a.next = self.b.val() && self.c.val();", "no such operator"),
        ("self.a.next = 1u8;", "without a type"),
        ("self.a.next = self.b.val().xor();", "no such method"),
        ("self.a.next = self.b.val().get_bits(0);", "a slice says its width"),
        ("self.a.next = bit_cast(self.b.val());", "a cast says its width"),
        ("self.a.next = twice(self.b.val());", "no function but casts"),
        ("self.a.next = self.b[self.n].val();", "an index is a number"),
        ("for i in 0..=7 { }", "`for name in from..to`"),
        ("for (i, j) in self.k { }", "`for name in from..to`"),
        ("for i in 0..2 { self.a.next = self.b[i].val().c; }", "the whole word"),
        ("if self.a.val() {} else if self.b.val() {}", "`else` has a block"),
        ("link(&mut self.a, self.b);", "`Type::link"),
        ("A::join(&mut self.a, &mut self.b);", "`Type::link"),
        ("A::link(&self.a, &mut self.b);", "`Type::link"),
    ] {
        let message = refusal(statement);
        assert!(message.contains(why), "{statement}: {message}");
    }
}

#[test]
fn a_kernel_takes_its_module_alone() {
    let kernel = parse_quote! { fn update(&mut self, by: u8) {} };
    let error = translate(&kernel).expect_err("it takes two");
    assert_eq!(error.to_string(), "a kernel takes `&mut self` alone");
}

#[test]
fn what_the_instance_knows_is_asked_for_once() {
    let kernel = parse_quote! {
        fn update(&mut self) {
            self.a.next = self.b.val().c;
            self.d.next = self.b.val().c;
        }
    };
    let written = translate(&kernel).expect("it is a kernel").to_string();
    assert_eq!(written.matches("get_my_width_c").count(), 1, "{written}");
}

#[test]
fn a_signal_is_connected_once_and_in_a_loop_if_that_alone_drives_it() {
    let kernel = parse_quote! {
        fn update(&mut self) {
            self.a.next = false;
            for i in 0..self.count {
                self.a.next = true;
                self.b[i].next = true;
                self.b[i].next = false;
            }
        }
    };
    let written = translate(&kernel).expect("it is a kernel").to_string().replace(' ', "");
    assert_eq!(written.matches("connect(&mutself.a)").count(), 1, "{written}");
    let connected = "foriin0..self.count{::blockyard_rtl::hdl::Logic::connect(&mutself.b[i]);}";
    assert!(written.contains(connected), "{written}");
}
