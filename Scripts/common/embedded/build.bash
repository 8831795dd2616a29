# Sourced by checks: builds programs of the sources as Embedded Swift, with the compiler alone: for this machine
# (x86_64), and for processors that it does not have, arm64 and armv7 with Debian's cross C libraries, and wasm32
# with WASI's.
#
#   embedded_lacks KIND              prints what is not installed
#   embedded_modules KIND NAME…      compiles modules, in the order of their imports, such as ${embedded_library[@]};
#                                    none twice in one run of a check
#   embedded_object KIND NAME FILE…  compiles a module of these files and what it uses of others: $out/NAME.o
#   embedded_program KIND NAME FILE… makes a program of them
#   embedded_run KIND NAME ARGUMENT… runs it
#
# A library is only checked and written as a module: what a program uses of it is compiled, and optimized, with the
# program. embedded_optimization=-Onone leaves out the optimization before that, which takes half of a module's time.
# embedded_testing=-enable-testing lets a program import modules as tests do. embedded_more=(…) are more arguments.

embedded_folder=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
embedded_root=$(cd "$embedded_folder/../../.." && pwd)
embedded_out=$embedded_root/.build/embedded
embedded_swift=$(dirname "$(readlink -f "$(command -v swiftc)")")

# What the suites need, what programs ask, and the suites.
embedded_core=(HoldfastBase HoldfastHashes HoldfastDER HoldfastJSON HoldfastSignatures HoldfastCertificates
  HoldfastFilters HoldfastPaths HoldfastTransparency)
embedded_library=("${embedded_core[@]}" Holdfast)
embedded_suites=("${embedded_core[@]}" HoldfastSystem HoldfastConformance)
# Whatever compiles, beside the suites.
embedded_all=("${embedded_library[@]}" HoldfastTrustStores HoldfastIdentities HoldfastConfigurations HoldfastAnswers)
# The tool's commands about files, which tool/ completes: all but those that ask servers, run for long or write files.
embedded_tool_left_out='/(Batch|Connect|Get|Fetch|Generate|Roots|Pictures)/|/(HoldfastTool|Commands|DocumentLiteral'
embedded_tool_left_out+='|ConvertCommand|LintCommand|PinCommand|ProgressLine)\.swift$'
# They are for a runtime: concurrency, policies that throw errors of any type, values of any type, mirrors, and Codable.
embedded_left_out='/(OrderedAnswers|OrderedWork|TrustEvaluating|FilesTrust|TrustFiles|Pin\+Codable'
embedded_left_out+='|PropertyList\+Any|Reflection|ConformanceTool)\.swift$'

# embedded_of KIND: sets the target, the C library and the linker, and objects that every program is linked with.
embedded_of() {
  # __linux__ chooses the SHA instructions.
  case $1 in
    arm64) target=aarch64-none-none-elf c=(-D__linux__=1 -isystem /usr/aarch64-linux-gnu/include)
      linker=aarch64-linux-gnu-gcc runner=qemu-aarch64 ;;
    # Without these, glibc's times end in 2038 there, and files at 2 GiB.
    armv7) target=armv7-none-none-eabi
      c=(-D__linux__=1 -isystem /usr/arm-linux-gnueabi/include -D_TIME_BITS=64 -D_FILE_OFFSET_BITS=64)
      linker=arm-linux-gnueabi-gcc runner=qemu-arm ;;
    wasm32) target=wasm32-unknown-none-wasm c=(-D__wasi__ -isystem /usr/include/wasm32-wasi)
      linker=$embedded_swift/wasm-ld runner=$embedded_swift/wasmkit ;;
    x86_64) target=x86_64-unknown-linux-gnu c=(-fPIC) linker=gcc runner= ;;
    *) echo "embedded: $1: x86_64, arm64, armv7 or wasm32" >&2 && return 2 ;;
  esac
  builtins=$(find /usr/lib/llvm-*/lib/clang -name libclang_rt.builtins-wasm32.a 2>/dev/null | tail -1)
  unicode=$embedded_swift/../lib/swift/embedded/$target/libswiftUnicodeDataTables.a
  sources=$embedded_root/Sources out=$embedded_out/$1
  objects=("$out/Glibc.o")
  [ "$1" != arm64 ] || objects+=("$out/marked.o")
  flags=(-O -wmo -parse-as-library -enable-experimental-feature Embedded -target "$target"
    -package-name holdfast -swift-version 6 -enable-upcoming-feature ExistentialAny
    -enable-upcoming-feature InternalImportsByDefault -enable-upcoming-feature MemberImportVisibility
    -I "$out" -I "$embedded_folder/Glibc" ${embedded_more[@]+"${embedded_more[@]}"})
  for module in "$sources"/CHoldfast{Instructions,Platform}; do flags+=(-I "$module"); done
  for flag in "${c[@]}"; do flags+=(-Xcc "$flag"); done
}

embedded_lacks() {
  embedded_of "$1"
  command -v "$linker" >/dev/null || echo "$linker"
  [ -z "$runner" ] || command -v "$runner" >/dev/null || echo "$runner"
  [ -f "$unicode" ] || echo "Embedded Swift for $target"
  if [ "$1" = wasm32 ]; then
    [ -f /usr/lib/wasm32-wasi/libc.a ] || echo wasi-libc
    [ -n "$builtins" ] || echo libclang-rt-dev-wasm32
  else
    [ "$1" = x86_64 ] || [ -d "${c[2]}" ] || echo "${c[2]}"
  fi
}

# embedded_compile LOG ARGUMENT…: a warning is an error, too.
embedded_compile() {
  local log=$1 status=0
  shift
  "$embedded_swift/swiftc" "${flags[@]}" "$@" >"$log" 2>&1 || status=$?
  if [ "$status" != 0 ] || grep -q 'warning: ' "$log"; then
    grep -E '^[^ ].*(error|warning): |^error' "$log" | sort -u | head -${EMBEDDED_ERRORS:-20} >&2
    return 1
  fi
}

declare -A embedded_made
embedded_modules() {
  local kind=$1 name files folder own
  embedded_of "$kind"
  shift
  [ -z "${embedded_testing:-}" ] || flags+=("$embedded_testing")
  flags=("${flags[@]/#-O/${embedded_optimization:--O}}")
  mkdir -p "$out"
  if [ -z "${embedded_made[$kind/Glibc]:-}" ]; then
    embedded_compile "$out/Glibc.log" -module-name Glibc -emit-module -emit-module-path "$out/Glibc.swiftmodule" \
      -c -o "$out/Glibc.o" "$embedded_folder/Glibc/Glibc.swift" || return 1
    [ "$kind" != arm64 ] || "$embedded_swift/clang" --target="$target" "${c[@]}" -fPIC -O2 -ffunction-sections -Wall \
      -Wextra -Werror -c -o "$out/marked.o" "$embedded_folder/marked.c" || return 1
    embedded_made[$kind/Glibc]=1
  fi
  for name; do
    [ -z "${embedded_made[$kind/$name]:-}" ] || continue
    folder=$sources/$name
    own=()
    case $kind/$name in
      # WASI has no terminals and no other programs.
      wasm32/HoldfastSystem) folder=$embedded_folder/wasm_system ;;
      # The rest of it needs libcurl.
      */HoldfastHTTP) folder=$sources/HoldfastHTTP/GzipReader.swift own=(-D Curl) ;;
    esac
    mapfile -t files < <(find "$folder" -name '*.swift' | grep -vE "$embedded_left_out" | LC_ALL=C sort)
    embedded_compile "$out/$name.log" -module-name "$name" -emit-module \
      -emit-module-path "$out/$name.swiftmodule" ${own[@]+"${own[@]}"} "${files[@]}" || return 1
    embedded_made[$kind/$name]=1
  done
}

embedded_object() {
  embedded_of "$1"
  embedded_compile "$out/$2.log" -module-name "$2" -c -o "$out/$2.o" "${@:3}"
}

embedded_program() {
  embedded_object "$@" || return 1
  local name=$2
  if [ "$1" = wasm32 ]; then
    "$embedded_swift/clang" --target=wasm32-unknown-wasi -O2 -isystem /usr/include/wasm32-wasi \
      -c "$embedded_folder/wasm.c" -o "$out/wasm.o"
    "$linker" -o "$out/$name" /usr/lib/wasm32-wasi/crt1-command.o "$out/$name.o" "${objects[@]}" "$out/wasm.o" \
      -L /usr/lib/wasm32-wasi -lc "$builtins" "$unicode" --gc-sections -z stack-size=4194304
  else
    # GNU's linker refuses the relocations.
    "$linker" -B"$embedded_swift" -fuse-ld=lld -static -o "$out/$name" "$out/$name.o" "${objects[@]}" "$unicode" -lm \
      -Wl,--gc-sections
  fi
}

embedded_run() {
  embedded_of "$1"
  # The toolchain's wasmkit interprets, which takes many times as long.
  if [ "$1" = wasm32 ] && python3 -c 'import wasmtime' 2>/dev/null; then
    python3 "$embedded_folder/wasm.py" "$out/$2" "${@:3}"
  elif [ "$1" = wasm32 ]; then
    "$runner" run "$out/$2" -- "${@:3}"
  else
    ${runner:+"$runner"} "$out/$2" "${@:3}"
  fi
}
