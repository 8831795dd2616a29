# Sourced by Scripts/wire/nio and Scripts/common/symbols.bash: the package with the trait NIO. swift-nio-ssl and
# swift-nio come from the network, or from mirrors: those of the user's SwiftPM configuration, or of the
# folder in HOLDFAST_SWIFTPM_CONFIG.
config=()
[ -z "${HOLDFAST_SWIFTPM_CONFIG:-}" ] || config=(--config-path "$HOLDFAST_SWIFTPM_CONFIG")

# SwiftPM writes Package.resolved beside the manifest, and a build without the trait that found one would
# fetch what it names, or fail where it cannot. So each package is built through links in a folder of its
# own, where the file stays, too. At this depth `../..` is the same package.
linked() {  # linked FOLDER NAME
  local entry
  rm -rf ".build/$2"
  mkdir -p ".build/$2"
  for entry in Package.swift Sources Tests Benchmarks; do
    [ ! -e "$1/$entry" ] || ln -s "$PWD/$1/$entry" ".build/$2/$entry"
  done
}

# nio_package TRAITS: sets `nio` to the options of SwiftPM for it; fails if a package cannot be had, and
# prints why.
nio_package() {
  local log=.build/logs/nio-resolve.log
  mkdir -p .build/logs
  linked . nio-package
  nio=("${config[@]+"${config[@]}"}" --package-path .build/nio-package --scratch-path .build/nio --traits "$1")
  timeout 120 swift package "${nio[@]}" resolve </dev/null >$log 2>&1 && return
  echo "$(grep -m1 error: $log | cut -c1-160)"
  return 1
}
