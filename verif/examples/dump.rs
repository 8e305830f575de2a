fn main() {
    let a: Vec<String> = std::env::args().collect();
    let e = blockyard_rtl::catalog::find(&a[1]).unwrap();
    let c = e.configurations.iter().find(|c| c.name == a[2]).unwrap();
    let m = c.build();

    println!("{}", blockyard::export::verilog(&*m, "top").unwrap());
}
