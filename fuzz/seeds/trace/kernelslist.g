MemcpyHtoD,0x00007fb0fc400000,200000
MemcpyDtoH,0x0,4

k.traceg
k.traceg
MemcpyHtoD,100,3