#!/bin/sh
# Fetches the memoir binary for this machine from a release, checks its sum and runs `memoir install`.
#   sh install.sh <base url>     or     MEMOIR_RELEASE_URL=<base url> sh install.sh
# The base url is the folder that holds memoir-<os>-<arch>, the same compressed (.gz), and SHA256SUMS. Further arguments
# go to `memoir install`.
set -eu

# A release fills these in: its version, its folder, minisign's public keys, the sum of its SHA256SUMS.
version=''
address=''
keys=''
sums=''

say() { printf '%s\n' "$*"; }
fail() {
  printf 'error: %s\nfix: %s\n' "$1" "$2" >&2
  exit 1
}
has() { command -v "$1" >/dev/null 2>&1; }

# Whether musl's loader finds a library.
has_library() {
  paths=$(cat "$root"/etc/ld-musl-*.path 2>/dev/null || true)
  fields=$IFS
  IFS=":
"
  found=1
  for place in ${LD_LIBRARY_PATH:-} /lib /usr/local/lib /usr/lib $paths; do
    if [ -e "$root$place/$1" ]; then found=0; fi
  done
  IFS=$fields
  return "$found"
}

base=${MEMOIR_RELEASE_URL:-$address}
case ${1:-} in
  http://* | https://* | file://*)
    base=$1
    shift
    ;;
esac
[ -n "$base" ] || fail "no release was named" "give its url: sh install.sh https://…, or set MEMOIR_RELEASE_URL"
base=${base%/}

case $(uname -s) in
  Linux) os=linux ;;
  Darwin) os=darwin ;;
  MINGW* | MSYS* | CYGWIN*) os=windows ;;
  *) fail "there is no release for $(uname -s)" "build memoir from source: npx -y bun@1.4.5 run build" ;;
esac
case $(uname -m) in
  x86_64 | amd64) arch=x64 ;;
  arm64 | aarch64) arch=arm64 ;;
  *) fail "there is no release for $(uname -m) processors" "build memoir from source: npx -y bun@1.4.5 run build" ;;
esac
# A shell under Rosetta says x86_64 on an Apple processor.
if [ "$os" = darwin ] && [ "$arch" = x64 ] && [ "$(sysctl -n hw.optional.arm64 2>/dev/null || true)" = 1 ]; then
  arch=arm64
fi
name=memoir-$os-$arch
if [ "$os" = linux ]; then
  # musl's loader lies where no glibc system has one; ldd says so as well. The root is another one in tests only.
  root=${MEMOIR_INSTALL_ROOT:-}
  for loader in "$root"/lib/ld-musl-*.so.1; do
    [ -e "$loader" ] && ! [ -e "$root/lib64/ld-linux-x86-64.so.2" ] && ! [ -e "$root/lib/ld-linux-aarch64.so.1" ] && name=$name-musl
    break
  done
  # Bun's engine is not linked with it, and a bare Alpine has none.
  case $name in
    *-musl) has_library libstdc++.so.6 ||
      fail "memoir needs libstdc++, which is not installed here" "install it (on Alpine: apk add libstdc++), then run this again" ;;
  esac
fi
[ "$os" = windows ] && name=$name.exe

folder=$(mktemp -d "${TMPDIR:-/tmp}/memoir-install.XXXXXX") ||
  fail "no temporary folder could be made" "set TMPDIR to a folder that you can write to"
trap 'rm -rf "$folder"' EXIT
trap 'exit 130' INT TERM

fetch() {
  if has curl; then
    curl -fsSL --retry 2 -o "$2" "$1"
  elif has wget; then
    wget -q -O "$2" "$1"
  else
    fail "neither curl nor wget is installed" "install one of them, then run this again"
  fi
}

# The sum that the release gives for a file; nothing when it has no such file.
listed() { awk -v name="$1" '$2 == name || $2 == "*" name { print $1; exit }' "$folder/SHA256SUMS"; }
check() {
  expected=$(listed "$1")
  if has sha256sum; then
    actual=$(sha256sum "$folder/$1" | cut -d ' ' -f 1)
  elif has shasum; then
    actual=$(shasum -a 256 "$folder/$1" | cut -d ' ' -f 1)
  else
    fail "neither sha256sum nor shasum is installed" "install one of them: an unchecked binary is not run"
  fi
  [ "$actual" = "$expected" ] ||
    fail "the sum of $1 is $actual, the release says $expected" "fetch it again; if that does not help, do not trust this release"
}

fetch "$base/SHA256SUMS" "$folder/SHA256SUMS" ||
  fail "$base/SHA256SUMS could not be fetched" "check the url and your connection"
[ -n "$(listed "$name")" ] || fail "this release has no $name" "look into $base/SHA256SUMS for what it has"
wanted=$name
# Compressed it is less than half.
if has gzip && [ -n "$(listed "$name.gz")" ]; then wanted=$name.gz; fi

say "fetching $wanted from $base"
fetch "$base/$wanted" "$folder/$wanted" ||
  fail "$base/$wanted could not be fetched" "check the url and your connection"
check "$wanted"
if [ "$wanted" != "$name" ]; then
  gzip -d "$folder/$wanted" || fail "$wanted could not be unpacked" "look whether $folder has room for 120 MB"
  check "$name"
fi

chmod 755 "$folder/$name"
"$folder/$name" install "$@"
