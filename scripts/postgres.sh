#!/usr/bin/env bash
# A private PostgreSQL for tests: its own cluster, socket and port. Prints the address on standard output.
#
#   export SKILLKILN_TEST_POSTGRES=$(scripts/postgres.sh [DIRECTORY])     # starts it, or finds it running
#   scripts/postgres.sh stop [DIRECTORY]
#   scripts/postgres.sh restart [DIRECTORY]    # as after a crash, at the same address, also when it has ended
#   scripts/postgres.sh fail [DIRECTORY]       # ends it as a crash does
#   scripts/postgres.sh replica DIRECTORY OF   # a standby of the server at the address OF, for which each commit waits from then on
#   scripts/postgres.sh promote DIRECTORY      # makes it a server of its own
#
# Commits wait for the disk, as figures need it; with SKILLKILN_TEST_FSYNC=off they do not, as tests that lose no power need it.
# DIRECTORY defaults to target/postgres. When no server is installed, Debian's package is.
set -euo pipefail

say() { echo "postgres.sh: $*" >&2; }

server_folder() {
  local found
  found=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -1 || true)
  if [ -n "$found" ] && [ -x "$found/initdb" ]; then
    echo "$found"
  elif command -v initdb >/dev/null && command -v pg_ctl >/dev/null; then
    dirname "$(command -v initdb)"
  fi
}

# PostgreSQL refuses to run as root: the cluster then belongs to an unprivileged user.
unprivileged() {
  if [ "$(id -u)" != 0 ]; then
    "$@"
  elif command -v runuser >/dev/null; then
    runuser -u "$owner" -- "$@"
  else
    su -s /bin/sh "$owner" -c "$(printf '%q ' "$@")"
  fi
}

action=start
case "${1:-}" in
  start | stop | restart | fail | replica | promote) action=$1; shift ;;
esac
directory=${1:-$(dirname "$0")/../target/postgres}
mkdir -p "$directory"
directory=$(cd "$directory" && pwd -P)

choose_owner() {
  owner=$(id -un)
  if [ "$(id -u)" = 0 ]; then
    if id postgres >/dev/null 2>&1; then owner=postgres; else owner=nobody; fi
    # A cluster that another user made stays theirs.
    [ -d "$directory/data" ] && owner=$(stat -c %U "$directory/data")
    chown "$owner" "$directory"
  fi
  chmod 700 "$directory"
}

bin=$(server_folder)
if [ -z "$bin" ]; then
  [ "$action" = stop ] && exit 0
  say "no server is installed: installing Debian's"
  { apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends postgresql; } >&2
  bin=$(server_folder)
  [ -n "$bin" ] || { say "the package brought no server"; exit 1; }
fi

choose_owner
# Where the unprivileged user cannot reach the directory, the cluster lies in /var/tmp instead, always in the same place.
if ! unprivileged test -w "$directory"; then
  directory=/var/tmp/skillkiln-postgres-$(printf '%s' "$directory" | cksum | cut -d' ' -f1)
  mkdir -p "$directory"
  choose_owner
fi
data=$directory/data

running() { [ -f "$data/postmaster.pid" ] && unprivileged "$bin/pg_ctl" -D "$data" status >/dev/null 2>&1; }

if [ "$action" = stop ] || [ "$action" = fail ]; then
  if running; then
    if [ "$action" = stop ]; then mode=fast; else mode=immediate; fi
    unprivileged "$bin/pg_ctl" -D "$data" -m "$mode" -w stop >&2
    read -r _ sockets <"$directory/address"
    rmdir "$sockets" || true
  fi
  exit 0
fi

if [ "$action" = restart ]; then
  read -r _ sockets <"$directory/address"
  unprivileged mkdir -p "$sockets"
  unprivileged "$bin/pg_ctl" -D "$data" -l "$directory/log" -m immediate -w restart >&2
  exit 0
fi

if [ "$action" = promote ]; then
  unprivileged "$bin/pg_ctl" -D "$data" -w promote >&2
  exit 0
fi

if [ "$action" = replica ] && [ ! -f "$data/PG_VERSION" ]; then
  unprivileged "$bin/pg_basebackup" -D "$data" -d "$2" -R -c fast >&2
fi

if [ ! -f "$data/PG_VERSION" ]; then
  unprivileged "$bin/initdb" -D "$data" -U skillkiln --auth=trust --encoding=UTF8 --locale=C >&2
fi

# A certificate of its own for 127.0.0.1, so that TLS is tested against a real server.
tls=$data/server
if [ ! -f "$tls.crt" ]; then
  unprivileged openssl req -new -x509 -days 3650 -nodes -subj /CN=skillkiln-test -addext "subjectAltName=IP:127.0.0.1" -addext "basicConstraints=critical,CA:FALSE" \
    -keyout "$tls.key" -out "$tls.crt" >/dev/null 2>&1
  unprivileged chmod 600 "$tls.key"
fi

if ! running; then
  for attempt in 1 2 3 4 5; do
    port=$((20000 + (RANDOM % 20000)))
    # A socket's path may have about 100 characters, so it lies in a short folder of its own.
    sockets=$(unprivileged mktemp -d /tmp/pg.XXXXXX)
    unprivileged sh -c "printf '%s %s\n' $port $sockets > '$directory/address'"
    if unprivileged "$bin/pg_ctl" -D "$data" -l "$directory/log" -w -o \
      "-p $port -c listen_addresses=127.0.0.1 -c unix_socket_directories=$sockets -c max_connections=400 -c ssl=on -c ssl_cert_file=$tls.crt -c ssl_key_file=$tls.key -c fsync=${SKILLKILN_TEST_FSYNC:-on}" \
      start >&2; then
      break
    fi
    [ "$attempt" = 5 ] && { say "the server does not start; see $directory/log"; exit 1; }
  done
fi

if [ "$action" = replica ]; then
  unprivileged "$bin/psql" -q -d "$2" -c "ALTER SYSTEM SET synchronous_standby_names = '*'" -c "SELECT pg_reload_conf()" >&2
fi

read -r port _ <"$directory/address"
echo "postgres://skillkiln@127.0.0.1:$port/postgres"
