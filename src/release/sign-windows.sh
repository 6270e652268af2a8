#!/bin/sh
# Signs a Windows program in its place with osslsigncode, for `release --windows-signer src/release/sign-windows.sh`:
#   MEMOIR_WINDOWS_CERTIFICATE   a PKCS#12 file with certificate, chain and key
#   MEMOIR_WINDOWS_PASSWORD      its password
#   MEMOIR_WINDOWS_TIMESTAMP     a server that says when (RFC 3161); without it the signature ends with the certificate
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
(umask 077 && printf %s "${MEMOIR_WINDOWS_PASSWORD:-}" >"$folder/password")
osslsigncode sign -pkcs12 "${MEMOIR_WINDOWS_CERTIFICATE:?names no file}" -readpass "$folder/password" -h sha256 -n memoir \
  ${MEMOIR_WINDOWS_TIMESTAMP:+-ts "$MEMOIR_WINDOWS_TIMESTAMP"} -in "$1" -out "$folder/signed" >&2
cat "$folder/signed" >"$1"
