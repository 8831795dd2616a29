module holdfast/benchmarks/peer

go 1.18
