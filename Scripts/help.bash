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

# With the headers of libcurl and OpenSSL, what depends on them is built and tested, too.
curl_and_openssl() {
  echo '#include <curl/curl.h>
#include <openssl/ssl.h>' | cc -E - >/dev/null 2>&1
}
