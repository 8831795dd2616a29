"""Runs a program of WebAssembly with wasmtime, which compiles it: wasm.py PROGRAM ARGUMENT…

It sees the files of the working folder.
"""

import sys

from wasmtime import Engine, ExitTrap, Linker, Module, Store, WasiConfig

engine = Engine()
linker = Linker(engine)
linker.define_wasi()
configuration = WasiConfig()
configuration.argv = sys.argv[1:]
configuration.inherit_stdin()
configuration.inherit_stdout()
configuration.inherit_stderr()
configuration.preopen_dir(".", ".")
store = Store(engine)
store.set_wasi(configuration)
try:
    linker.instantiate(store, Module.from_file(engine, sys.argv[1])).exports(store)["_start"](store)
except ExitTrap as end:
    sys.exit(end.code)
