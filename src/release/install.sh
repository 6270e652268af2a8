#!/bin/sh
# Fetches the memoir binary for this machine from a release, checks signature and sum, and runs `memoir install`.
#   sh install.sh [<base url>]     or     MEMOIR_RELEASE_URL=<base url> sh install.sh
#   curl -fsSL <base url>/install.sh | sh     or     … | sh -s -- --dry-run
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
case $base in
  https://* | file://* | http://localhost | http://localhost[:/]* | http://127.*) ;;
  *) fail "$base can be changed on the way to you" "give an https address" ;;
esac

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

# What is missing is said before anything is fetched.
has curl || has wget || fail "neither curl nor wget is installed" "install one of them, then run this again"
if has sha256sum; then
  sum() { sha256sum "$1" | cut -d ' ' -f 1; }
elif has shasum; then
  sum() { shasum -a 256 "$1" | cut -d ' ' -f 1; }
elif has openssl; then
  sum() { openssl dgst -sha256 -r "$1" | cut -d ' ' -f 1; }
else
  fail "neither sha256sum nor shasum nor openssl is installed" "install one of them: an unchecked binary is not run"
fi

folder=$(mktemp -d "${TMPDIR:-/tmp}/memoir-install.XXXXXX") ||
  fail "no temporary folder could be made" "set TMPDIR to a folder that you can write to"
trap 'rm -rf "$folder"' EXIT
trap 'exit 130' INT TERM
list=$folder/SHA256SUMS

# Over https a redirect may lead to https only.
fetch() {
  case $1 in
    https://*) secure=https ;;
    *) secure=http,https,file ;;
  esac
  if has curl; then
    curl -fsSL --proto "=$secure" --proto-redir "=$secure" --retry 2 -o "$2" "$1"
  else
    wget -q -O "$2" "$1"
  fi
}

# Whether this openssl can do what minisign does: tried with a key of its own.
can_openssl() {
  has openssl && openssl dgst -blake2b512 "$list" && openssl genpkey -algorithm ed25519 -out "$folder/try" &&
    openssl pkeyutl -sign -inkey "$folder/try" -rawin -in "$list" -out "$folder/tried"
} >/dev/null 2>&1

# Whether the key signed the list: over its BLAKE2b-512, as minisign does.
signed_by() {
  # 10 of 74 bytes name kind and key, 64 are the signature; before a bare key stand 12 bytes that say what it is.
  sed -n 2p "$list.minisig" | tr -d '\r\n' | openssl base64 -d -A | tail -c 64 >"$folder/signature"
  {
    printf '\060\052\060\005\006\003\053\145\160\003\041\000'
    printf %s "$1" | openssl base64 -d -A | tail -c 32
  } >"$folder/key"
  openssl dgst -blake2b512 -binary -out "$folder/digest" "$list"
  openssl pkeyutl -verify -pubin -inkey "$folder/key" -keyform DER -rawin -in "$folder/digest" -sigfile "$folder/signature"
} >/dev/null 2>&1

# The signature, by whatever of this machine can check it.
check_signature() {
  if [ -z "$keys" ]; then
    say "This script knows no key of a publisher's, so it checks sums alone."
    return
  fi
  fetch "$base/SHA256SUMS.minisig" "$list.minisig" 2>/dev/null ||
    fail "$base has no signature, so nobody vouches for it" "don't trust this release, and tell its publisher"
  if has minisign; then
    signed_by() { minisign -V -q -P "$1" -m "$list" >/dev/null 2>&1; }
  elif ! can_openssl; then
    say "Neither minisign nor a new openssl is here to check who signed it. The sums are checked, and each later"
    say "\`memoir upgrade\` checks signatures by itself."
    return
  fi
  for key in $keys; do
    if signed_by "$key"; then
      say "signed with the key $key"
      return
    fi
  done
  fail "no key of memoir's publisher signed $base" "don't trust this release, and tell its publisher"
}

# The sum that the release gives for a file; nothing when it has no such file.
listed() { awk -v name="$1" '$2 == name || $2 == "*" name { print $1; exit }' "$list"; }
check() {
  expected=$(listed "$1")
  actual=$(sum "$folder/$1")
  [ "$actual" = "$expected" ] ||
    fail "the sum of $1 is $actual, the release says $expected" "fetch it again; if that does not help, do not trust this release"
}

fetch "$base/SHA256SUMS" "$list" || case $? in
  # What curl and wget end with where the server answers that it does not give the file.
  22 | 8) fail "$base has no SHA256SUMS" "check the url: there may be no such version" ;;
  *) fail "$base/SHA256SUMS could not be fetched" "check the url and your connection" ;;
esac
if awk 'NF { page = /^[ \t]*</; exit } END { exit !page }' "$list"; then
  fail "$base/SHA256SUMS is a web page" "a network that asks you to sign in first answers like this, and so does a wrong address"
fi
if [ -n "$sums" ] && [ "$(sum "$list")" != "$sums" ]; then
  fail "$base is not the release of memoir $version that this script is for" "fetch the script again, from where you got it"
fi
check_signature
[ -n "$(listed "$name")" ] || fail "this release has no $name" "look into $base/SHA256SUMS for what it has"
wanted=$name
# Compressed it is less than half.
if has gzip && [ -n "$(listed "$name.gz")" ]; then wanted=$name.gz; fi

say "fetching $wanted from $base"
fetch "$base/$wanted" "$folder/$wanted" ||
  fail "$base/$wanted could not be fetched" "check the url, your connection, and whether $folder has room for 180 MB"
check "$wanted"
if [ "$wanted" != "$name" ]; then
  gzip -d "$folder/$wanted" || fail "$wanted could not be unpacked" "look whether $folder has room for 180 MB"
  check "$name"
fi

chmod 755 "$folder/$name"
"$folder/$name" install "$@"
