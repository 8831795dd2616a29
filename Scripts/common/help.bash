# Sourced by the scripts: with -h or --help they print the comment at their top.
case ${1:-} in
  -h | --help)
    sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$0"
    exit 0
    ;;
esac

# The suites that are not committed: HOLDFAST_VECTORS, or what `git config holdfast.vectors FOLDER` has set.
if [ -z "${HOLDFAST_VECTORS:-}" ]; then
  HOLDFAST_VECTORS=$(git -C "$(dirname "${BASH_SOURCE[0]}")" config --path holdfast.vectors 2>/dev/null || true)
  if [ -n "$HOLDFAST_VECTORS" ]; then export HOLDFAST_VECTORS; else unset HOLDFAST_VECTORS; fi
fi

# How .ci/run builds, once and from a clean clone: each module as a whole, which takes half the processor time of
# compiling its files in groups; its interface with its code, as another compiler for that takes a tenth in a build
# without optimization; and without debug information, which takes a tenth.
build_flags=()
[ -z "${HOLDFAST_BUILD_ONCE:-}" ] || build_flags=(-Xswiftc -gnone -Xswiftc -whole-module-optimization -Xswiftc -disable-batch-mode
  -Xswiftc -no-emit-module-separately-wmo -Xswiftc -num-threads -Xswiftc "$(getconf _NPROCESSORS_ONLN)")

# objects FOLDER MODULE…: prints the objects of modules that were built in a folder.
objects() {
  local folder=$1 name
  shift
  # A folder of objects may hold some of files that are gone, so they are listed by the sources.
  for name; do
    if [ -f "$folder/$name.build/sources" ]; then
      sed -E "s|.*/([^'\"]*).*|\"$folder/$name.build/\\1.o\"|" "$folder/$name.build/sources"
    else
      find "$folder/$name.build" -name '*.o' 2>/dev/null || true
    fi
  done
}

# link_tests FOLDER MODULES PROGRAM LIBRARIES…: links the tests among some modules, of which each line of
# a file has the name, that were built in a folder. SwiftPM links one bundle of all test targets.
link_tests() {
  local folder=$1 modules=$2 program=$3 names
  shift 3
  mapfile -t names <"$modules"
  objects "$folder" "${names[@]}" >"$program.objects"
  printf 'import Testing\n\nawait Testing.__swiftPMEntryPoint() as Never\n' >"$folder/quick/main.swift"
  swiftc -module-name QuickTests -o "$program" "$folder/quick/main.swift" @"$program.objects" "$@"
}

# With the headers of libcurl and OpenSSL, what depends on them is built and tested, too.
curl_and_openssl() {
  echo '#include <curl/curl.h>
#include <openssl/ssl.h>' | cc -E - >/dev/null 2>&1
}
