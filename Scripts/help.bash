# Sourced by the scripts: with -h or --help they print the comment at their top.
case ${1:-} in
  -h | --help)
    sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$0"
    exit 0
    ;;
esac

# Suites in a folder `shared/vectors` beside the checkout are found without being named.
if [ -z "${HOLDFAST_VECTORS:-}" ]; then
  beside=$(dirname "${BASH_SOURCE[0]}")/../../shared/vectors
  if [ -d "$beside" ]; then
    HOLDFAST_VECTORS=$(cd "$beside" && pwd)
    export HOLDFAST_VECTORS
  fi
fi

# With the headers of libcurl and OpenSSL, what depends on them is built and tested, too.
curl_and_openssl() {
  echo '#include <curl/curl.h>
#include <openssl/ssl.h>' | cc -E - >/dev/null 2>&1
}
