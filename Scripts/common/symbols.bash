# Sourced by Scripts/docs and Scripts/api: builds the package, unless HOLDFAST_BUILD names its build, and extracts the symbol graphs of the
# libraries' modules, lower ones first, into $out/graphs. `modules` has their names. What cannot be built
# here is in `absent`: HoldfastOpenSSL without OpenSSL's headers, HoldfastHTTP and HoldfastURLSession
# without libcurl's, HoldfastNIO without swift-nio-ssl (Scripts/wire/nio_package.bash). Their graphs, in
# $out/absent, have what is left without the trait.
source Scripts/wire/nio_package.bash
traits=()
modules=(HoldfastBase HoldfastDER HoldfastHashes HoldfastCertificates HoldfastFilters HoldfastPaths
  HoldfastTransparency Holdfast HoldfastTrustStores HoldfastOnline HoldfastCompatibility HoldfastConfigurations HoldfastIdentities)
absent=()

# without REASON MODULE…
without() {
  echo "ABSENT: $1, so the symbols of ${*:2} are left out"
  absent+=("${@:2}")
}
if ! echo '#include <openssl/ssl.h>' | cc -E - >/dev/null 2>&1; then
  without "OpenSSL's headers" HoldfastOpenSSL HoldfastHTTP HoldfastURLSession
elif ! echo '#include <curl/curl.h>' | cc -E - >/dev/null 2>&1; then
  traits=(--traits OpenSSL)
  modules+=(HoldfastOpenSSL)
  without "libcurl's headers" HoldfastHTTP HoldfastURLSession
else
  traits=(--traits Curl)
  modules+=(HoldfastOpenSSL HoldfastHTTP HoldfastURLSession)
fi
built=${HOLDFAST_BUILD:-}
if [ -z "$built" ]; then
  build=(swift build ${build_flags[@]+"${build_flags[@]}"} ${traits[@]+"${traits[@]}"})
  "${build[@]}" </dev/null >"$out/build.log" 2>&1 || { cat "$out/build.log"; exit 1; }
  built=$("${build[@]}" --show-bin-path)
fi
target=$(swift -print-target-info | sed -n 's/^ *"triple": "\(.*\)",/\1/p' | head -1)
maps=()
for map in Sources/C*/module.modulemap; do maps+=(-Xcc "-fmodule-map-file=$map"); done

extract() {  # extract MODULE BUILD GRAPHS
  mkdir -p "$out/$3/$1"
  swift-symbolgraph-extract -module-name "$1" -I "$2/Modules" "${maps[@]}" \
    -target "$target" -minimum-access-level public -skip-synthesized-members \
    -output-dir "$out/$3/$1"
}
for module in "${modules[@]}"; do extract "$module" "$built" graphs; done
for module in "${absent[@]+"${absent[@]}"}"; do extract "$module" "$built" absent; done

# The same build as that of Scripts/wire/nio, so that CI has it once.
if nio_package "NIO${traits[1]+,${traits[1]}}" >"$out/nio-absent"; then
  nio=(swift build "${nio[@]}" --explicit-target-dependency-import-check error)
  "${nio[@]}" --target HoldfastNIO </dev/null >"$out/nio.log" 2>&1 || { cat "$out/nio.log"; exit 1; }
  nio_built=$("${nio[@]}" --show-bin-path)
  # Those of the C targets of swift-nio and swift-nio-ssl, written by hand or by SwiftPM.
  while read -r map; do maps+=(-Xcc "-fmodule-map-file=$map"); done < <(
    find .build/nio/checkouts/*/Sources -path '*/include/module.modulemap'
    find "$nio_built"/*.build -maxdepth 1 -name module.modulemap)
  modules+=(HoldfastNIO)
  extract HoldfastNIO "$nio_built" graphs
else
  without "swift-nio-ssl ($(cat "$out/nio-absent"))" HoldfastNIO
  extract HoldfastNIO "$built" absent
fi
