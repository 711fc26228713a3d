module gofields
go 1.24
