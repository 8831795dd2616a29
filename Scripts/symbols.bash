# Sourced by Scripts/docs and Scripts/api: builds the package and extracts the symbol graphs of the
# libraries' modules, lower ones first, into $out/graphs. HoldfastOpenSSL is among them if OpenSSL's
# headers are installed, HoldfastHTTP and HoldfastURLSession if libcurl's are.
traits=()
modules=(HoldfastBase HoldfastDER HoldfastHashes HoldfastCertificates HoldfastFilters HoldfastPaths
  HoldfastRequirements HoldfastTransparency Holdfast HoldfastTrustStores HoldfastOnline HoldfastCompatibility HoldfastConfigurations HoldfastIdentities)
if echo '#include <openssl/ssl.h>' | cc -E - >/dev/null 2>&1; then
  traits=(--traits OpenSSL)
  modules+=(HoldfastOpenSSL)
  if echo '#include <curl/curl.h>' | cc -E - >/dev/null 2>&1; then
    traits=(--traits Curl)
    modules+=(HoldfastHTTP HoldfastURLSession)
  else
    echo "ABSENT: libcurl's headers, so HoldfastHTTP and HoldfastURLSession are left out"
  fi
else
  echo "ABSENT: OpenSSL's headers, so HoldfastOpenSSL is left out"
fi
build=(swift build ${traits[@]+"${traits[@]}"})
"${build[@]}" </dev/null >"$out/build.log" 2>&1 || { cat "$out/build.log"; exit 1; }
built=$("${build[@]}" --show-bin-path)
target=$(swift -print-target-info | sed -n 's/^ *"triple": "\(.*\)",/\1/p' | head -1)
maps=()
for map in Sources/C*/module.modulemap; do maps+=(-Xcc "-fmodule-map-file=$map"); done
for module in "${modules[@]}"; do
  mkdir -p "$out/graphs/$module"
  swift-symbolgraph-extract -module-name "$module" -I "$built/Modules" "${maps[@]}" \
    -target "$target" -minimum-access-level public -skip-synthesized-members \
    -output-dir "$out/graphs/$module"
done
