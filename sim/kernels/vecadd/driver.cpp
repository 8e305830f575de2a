// The example of a driver: blockyard_cpu_main.h says what it reads and writes.
#include "vecadd.cu"

#include "blockyard_cpu_main.h"

BLOCKYARD_CPU_MAIN(vecadd)
