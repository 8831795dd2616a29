# Sourced by Scripts/wire/nio: runs the examples against each other and against openssl, curl and nginx, with
# keys of their own. $bin has the examples, $work is a folder, $frameworks names what could be had.

make() {  # make NAME CA EXTENSIONS…
  local name=$1 ca=$2 words=()
  shift 2
  for extension in "$@"; do words+=(-addext "$extension"); done
  [ "$ca" = - ] || words+=(-CA "$work/$ca.pem" -CAkey "$work/$ca.key")
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 30 -subj "/CN=$name" \
    -out "$work/$name.pem" -keyout "$work/$name.key" "${words[@]}" 2>/dev/null
  openssl pkcs12 -export -in "$work/$name.pem" -inkey "$work/$name.key" -passout pass:demo -out "$work/$name.p12"
}
make root - basicConstraints=critical,CA:TRUE keyUsage=critical,keyCertSign
make server root basicConstraints=critical,CA:FALSE subjectAltName=DNS:localhost,IP:127.0.0.1 extendedKeyUsage=serverAuth
make ada root basicConstraints=critical,CA:FALSE extendedKeyUsage=clientAuth
make stranger - basicConstraints=critical,CA:FALSE extendedKeyUsage=clientAuth

make_brief() {  # make_brief SECONDS: the certificate of a client that expires soon
  cat >"$work/ca.conf" <<CONF
[ca]
default_ca = brief
[brief]
database = $work/ca.index
new_certs_dir = $work
rand_serial = yes
default_md = sha256
policy = any
x509_extensions = client
[any]
commonName = supplied
[client]
basicConstraints = critical,CA:FALSE
extendedKeyUsage = clientAuth
CONF
  : >"$work/ca.index"
  openssl req -new -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=brief -keyout "$work/brief.key" \
    -out "$work/brief.csr" 2>/dev/null
  openssl ca -batch -config "$work/ca.conf" -cert "$work/root.pem" -keyfile "$work/root.key" -in "$work/brief.csr" \
    -out "$work/brief.pem" -notext -startdate "$(date -u -d '-1 hour' +%y%m%d%H%M%SZ)" \
    -enddate "$(date -u -d "+$1 seconds" +%y%m%d%H%M%SZ)" >/dev/null 2>&1
}

pin=sha256/$(openssl x509 -in "$work/server.pem" -noout -pubkey | openssl pkey -pubin -outform DER |
  openssl dgst -sha256 -binary | base64)
backup=sha256/AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=
wrong=("$backup" "${backup/AAA/BBB}")

start() {  # start NAME WORD COMMAND…: a server in the background, when it says the word or accepts on a port
  local name=$1 word=$2
  shift 2
  # Line by line, because it is looked for while they run; appended, because the file is emptied.
  : >"$work/$name.out"
  stdbuf -oL "$@" </dev/null >>"$work/$name.out" 2>&1 &
  servers+=($!)
  for _ in $(seq 100); do
    case $word in
      [0-9]*) (exec 3<>"/dev/tcp/127.0.0.1/$word") 2>/dev/null && return ;;
      *) grep -q "$word" "$work/$name.out" && return ;;
    esac
    sleep 0.1
  done
  fail "$name does not start: $(tail -3 "$work/$name.out")"
}

say() {  # say WHO TEXT
  printf '%-34s %s\n' "$1" "$2"
}

# expect TITLE WORDS FILE|- COMMAND…: the words are in the command's output (-), or in the server's file.
expect() {
  local title=$1 words=$2 where=$3 output seen
  shift 3
  output=$(timeout 20 bash -c '"$@"' _ "$@" 2>&1) || true
  seen=$output
  if [ "$where" != - ]; then
    for _ in $(seq 30); do
      grep -q "$words" "$where" && break
      sleep 0.1
    done
    seen=$(tr -d '\0' <"$where")
  fi
  if grep -q "$words" <<<"$seen"; then
    # Without the end of s_client's dump of a ticket, which has no line of its own.
    say "$title" "$(grep -m1 "$words" <<<"$seen" | sed -E 's/^ *[0-9a-f]{4} - ([0-9a-f]{2} )+//' | cut -c1-300)"
  else
    fail "$title: no \"$words\" in: $(tail -5 <<<"$seen")"
  fi
}

refuse() {  # refuse TITLE WORDS COMMAND…: the words are not in the command's output
  local title=$1 words=$2 output
  shift 2
  output=$(timeout 20 bash -c '"$@"' _ "$@" 2>&1) || true
  ! grep -q "$words" <<<"$output" || fail "$title: \"$words\" in: $(tail -5 <<<"$output")"
}

# s_client PORT IDENTITY TEXT OPTIONS…: sends the text, and waits for an answer or an end.
s_client() {
  local port=$1 name=$2 text=$3 answer
  shift 3
  answer=$(mktemp -p "$work")
  {
    printf "$text"
    for _ in $(seq 150); do
      ! grep -qaE 'welcome|alert|:error:|errno=|^closed' "$answer" || break
      sleep 0.1
    done
  } | openssl s_client -connect "localhost:$port" -CAfile "$work/root.pem" \
    -cert "$work/$name.pem" -key "$work/$name.key" "$@" 2>&1 | tee "$answer"
}
web() {  # web PORT IDENTITY OPTIONS…
  curl -sS -m 10 --cacert "$work/root.pem" --cert "$work/$2.pem" --key "$work/$2.key" "${@:3}" "https://localhost:$1/"
}
ask() {  # ask IDENTITY PIN BACKUP-PIN
  "$bin/GRPCEcho" localhost 48473 "$work/$1.pem" "$work/$1.key" "$work/root.pem" "$2" "$3"
}
export -f s_client web ask
export work bin

echo "== NIOServer and NIOClient"
start NIOServer listening "$bin/NIOServer" 48443 "$work/server.p12" demo "$work/root.pem"
client=("$bin/NIOClient" localhost 48443 "$work/root.pem")
expect "NIOClient" "welcome, ada" - "${client[@]}" "$pin" $backup "$work/ada.p12" demo
expect "NIOClient, wrong pins" "no pin of localhost" - "${client[@]}" "${wrong[@]}" "$work/ada.p12" demo
expect "NIOServer of a stranger" "rejected: " "$work/NIOServer.out" "${client[@]}" "$pin" $backup "$work/stranger.p12" demo
for version in tls1_2 tls1_3; do
  expect "s_client -$version" "welcome, ada" - s_client 48443 ada 'hello\n' -$version -sess_out "$work/$version.session"
  expect "s_client -$version, again" "Reused" - s_client 48443 ada 'hello\n' -$version -sess_in "$work/$version.session"
  expect "s_client -$version, again" "welcome, ada" - s_client 48443 ada 'hello\n' -$version -sess_in "$work/$version.session"
  expect "s_client -$version, a stranger" "alert certificate unknown" - s_client 48443 stranger 'hello\n' -$version
done
expect "curl" "welcome, ada" - web 48443 ada --http0.9 -m 2
expect "curl, a stranger" "alert certificate unknown" - web 48443 stranger --http0.9 -m 2

echo "== NIOClient and servers of OpenSSL"
for version in tls1_2 tls1_3; do
  port=$((48450 + ${version: -1}))
  start "s_server-$version" $port openssl s_server -port $port -cert "$work/server.pem" -key "$work/server.key" \
    -$version -rev
  client=("$bin/NIOClient" localhost $port "$work/root.pem")
  expect "s_server -$version" "olleh" - "${client[@]}" "$pin" $backup "$work/ada.p12" demo
  expect "s_server -$version, wrong pins" "no pin of localhost" - "${client[@]}" "${wrong[@]}" "$work/ada.p12" demo
  expect "s_server -$version" "alert certificate unknown" "$work/s_server-$version.out" true
done
if nginx=$(PATH=$PATH:/usr/sbin command -v nginx); then
  cat >"$work/nginx.conf" <<CONF
pid $work/nginx.pid;
error_log $work/nginx.log info;
events {}
http {
  access_log $work/nginx.requests;
  server {
    listen 127.0.0.1:48460 ssl;
    ssl_certificate $work/server.pem;
    ssl_certificate_key $work/server.key;
    location / { return 200 "nginx\n"; }
  }
}
CONF
  "$nginx" -p "$work" -c "$work/nginx.conf" 2>/dev/null
  client=("$bin/NIOClient" localhost 48460 "$work/root.pem")
  # It understands no "hello", and says so to a client that has been let in.
  expect "nginx" "400 Bad Request" - "${client[@]}" "$pin" $backup "$work/ada.p12" demo
  expect "nginx, wrong pins" "no pin of localhost" - "${client[@]}" "${wrong[@]}" "$work/ada.p12" demo
  expect "nginx" "alert certificate unknown" "$work/nginx.log" true
else
  echo "ABSENT: nginx, so NIOClient is not tried against it"
fi

had() { [[ " ${frameworks[*]+"${frameworks[*]}"} " == *" $1 "* ]]; }
resumed=("NIOServer 48443 Reused hello\\n")
get='GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n'
for framework in Vapor Hummingbird; do
  had $framework || continue
  name=${framework}Server
  echo "== $name"
  [ $framework = Vapor ] && port=48471 || port=48472
  start $name $port "$bin/$name" $port "$work/server.pem" "$work/server.key" "$work/root.pem"
  expect "curl" "welcome, ada" - web $port ada
  expect "curl, a stranger" "alert certificate unknown" - web $port stranger
  expect "$name of a stranger" "rejected: " "$work/$name.out" true
  # Vapor makes a context for each connection, with a ticket key of its own: nothing is resumed.
  [ $framework = Vapor ] && resumed+=("$name $port New $get") || resumed+=("$name $port Reused $get")
done

echo "== a client whose certificate expires between two connections"
lifetime=15
make_brief $lifetime
expires=$((SECONDS + lifetime + 1))
for line in "${resumed[@]}"; do
  read -r name port how text <<<"$line"
  for version in tls1_2 tls1_3; do
    expect "$name, $version" "welcome, brief" - s_client $port brief "$text" -$version -sess_out "$work/$name-$version"
  done
done
while [ $SECONDS -lt $expires ]; do sleep 1; done
for line in "${resumed[@]}"; do
  read -r name port how text <<<"$line"
  for version in tls1_2 tls1_3; do
    : >"$work/$name.out"
    expect "$name, $version, its ticket" "$how, TLS" - s_client $port brief "$text" -$version -sess_in "$work/$name-$version"
    expect "$name" "rejected: .*expired" "$work/$name.out" true
    refuse "$name, $version" "welcome, brief" s_client $port brief "$text" -$version -sess_in "$work/$name-$version"
  done
done

if had GRPC; then
  echo "== GRPCEcho"
  start grpc 48473 "$bin/GRPCEcho" server 48473 "$work/server.pem" "$work/server.key" "$work/root.pem"
  expect "GRPCEcho" "echo: hello" - ask ada "$pin" $backup
  expect "GRPCEcho, wrong pins" "rejected: .*no pin of localhost" - ask ada "${wrong[@]}"
  expect "GRPCEcho, a stranger" "failed: " - ask stranger "$pin" $backup
  expect "GRPCEcho server of a stranger" "rejected: " "$work/grpc.out" true
fi

if had AsyncHTTPClient && [ -f "$work/nginx.pid" ]; then
  echo "== AsyncHTTPRequest"
  request=("$bin/AsyncHTTPRequest" https://localhost:48460/pinned "$work/root.pem")
  expect "nginx" "200 OK: nginx" - "${request[@]}" "$pin" $backup
  expect "nginx's requests" "GET /pinned" "$work/nginx.requests" true
  : >"$work/nginx.requests"
  expect "nginx, wrong pins" "key is not pinned" - "${request[@]}" "${wrong[@]}"
  [ ! -s "$work/nginx.requests" ] || fail "a request has reached a server that is not pinned"
fi

if had PostgresNIO; then
  echo "== PostgresQuery"
  # Not PostgreSQL, but a server that shows what it gets: its first message names the user.
  # It ends when its input does.
  start postgres 48480 bash -c 'exec openssl s_server "$@" < <(exec sleep 60)' _ -port 48480 -alpn postgresql \
    -cert "$work/server.pem" -key "$work/server.key"
  query=(timeout 5 "$bin/PostgresQuery" localhost 48480 "$work/root.pem")
  expect "s_server, wrong pins" "failed: .*no pin of localhost" - "${query[@]}" "${wrong[@]}" elephant secret
  ! grep -q elephant "$work/postgres.out" || fail "the user's name has reached a server that is not pinned"
  expect "s_server" "elephant" "$work/postgres.out" "${query[@]}" "$pin" $backup elephant secret
fi

if had Certificates; then
  echo "== CertificatesCallback"
  expect "of ada" "accepted: ada" - "$bin/CertificatesCallback" "$work/root.pem" "$work/ada.pem"
  expect "of a stranger" "rejected: " - "$bin/CertificatesCallback" "$work/root.pem" "$work/stranger.pem"
fi

# Costs and growth in release, and threads under their sanitizer.
trial() {
  cp "$work/ada.p12" "$work/client.p12"
  local bin
  swift build "${trial[@]}" --scratch-path .build/nio-trial -c release </dev/null >"$logs/nio-trial.log" 2>&1 ||
    { tail -20 "$logs/nio-trial.log"; fail "NIOTrial is not built"; return; }
  bin=$(swift build "${trial[@]}" --scratch-path .build/nio-trial -c release --show-bin-path)
  "$bin/NIOTrial" "$work" cost
  "$bin/NIOTrial" "$work" growth 10000
  swift build "${trial[@]}" --scratch-path .build/nio-threads --sanitize=thread </dev/null >"$logs/nio-threads.log" 2>&1 ||
    { tail -20 "$logs/nio-threads.log"; fail "NIOTrial is not built for the thread sanitizer"; return; }
  bin=$(swift build "${trial[@]}" --scratch-path .build/nio-threads --sanitize=thread --show-bin-path)
  TSAN_OPTIONS=halt_on_error=1 "$bin/NIOTrial" "$work" growth 500 || fail "the thread sanitizer has found something"
}
