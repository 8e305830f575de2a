rtl/blockyard_pkg.sv
rtl/blockyard_core.sv
rtl/blockyard.sv
