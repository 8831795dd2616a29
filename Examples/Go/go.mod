module holdfast-example

go 1.19
