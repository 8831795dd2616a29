#!/bin/bash -eu
# Builds the targets of Fuzz as OSS-Fuzz runs them: $OUT has a program for each target, its seeds and options, and
# what the targets `path` and `fetch` read. OSS-Fuzz's image has `precompile_swift`, which sets SWIFT6_2FLAGS.
. precompile_swift
cd "$SRC/holdfast"

# OSS-Fuzz runs the programs where there is no GMP. SwiftPM asks pkg-config for the folder of the library; the
# linker finds only the static one there.
mkdir -p "$WORK/lib"
ln -sf "$(clang -print-file-name=libgmp.a)" "$WORK/lib/"
printf 'Name: gmp\nDescription: GMP\nVersion: 6\nLibs: -L%s -lgmp\n' "$WORK/lib" >"$WORK/lib/gmp.pc"
export PKG_CONFIG_PATH=$WORK/lib

# SwiftPM gives the compiler an option for each sanitizer. The compiler takes the last one, so that no edge would be
# counted without an option for both.
sanitizers=fuzzer
[ "$SANITIZER" = coverage ] || sanitizers=fuzzer,$SANITIZER
# The target `fetch` sets the clock of HoldfastOnline, which only tests may.
build=(swift build --package-path Fuzz --scratch-path "$WORK/build" -c release $SWIFT6_2FLAGS
  -Xswiftc "-sanitize=$sanitizers" -Xswiftc -enable-testing -Xswiftc -gline-tables-only)
"${build[@]}"
program=$("${build[@]}" --show-bin-path)/fuzz

cp Fuzz/pool.txt Fuzz/fetch.txt "$OUT/"
# Without the name of a target the program prints all names, and fails.
targets=$(HOLDFAST_FUZZ='' LLVM_PROFILE_FILE=/dev/null "$program" 2>&1 | sed -n 's/.*is one of: //p')
[ -n "$targets" ]
for target in $targets; do
  cp "$program" "$OUT/$target"
  # Swift's runtime keeps the names of types for good, where the leak sanitizer does not find them.
  printf '[libfuzzer]\nmax_len = 65536\ndetect_leaks = 0\n[asan]\ndetect_leaks = 0\n' >"$OUT/$target.options"
  rm -f "$OUT/${target}_seed_corpus.zip"
  zip -qjr "$OUT/${target}_seed_corpus.zip" "Fuzz/corpus/$target"
done
