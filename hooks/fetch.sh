#!/bin/sh
# Run by the plugin's SessionStart hook where memoir is not installed: has npm fetch it in the background, and says so in one line.
# It does so once. Where memoir's home is there, or it was fetched before, somebody removed the binary on purpose.
package=''

home=${MEMOIR_HOME:-$HOME/.memoir}
data=${CLAUDE_PLUGIN_DATA:-${TMPDIR:-/tmp}/memoir-plugin-$(id -u)}
[ -n "$package" ] && ! [ -e "$home" ] && ! [ -e "$data/fetched" ] || exit 0
mkdir -p "$data" 2>/dev/null || exit 0

say() { printf '{"systemMessage":"%s"}\n' "$1"; }
if ! command -v npx >/dev/null 2>&1; then
  [ -e "$data/no-npx" ] || say "memoir is not installed, and npm is not there to fetch it: see $package's page for other ways."
  : >"$data/no-npx"
  exit 0
fi
# Another session is at it, unless it was killed.
find "$data/fetching" -prune -mmin +10 -exec rmdir {} \; 2>/dev/null
mkdir "$data/fetching" 2>/dev/null || exit 0
nohup sh -c '
  npx -y "$1" install --yes >"$2/fetch.log" 2>&1 && : >"$2/fetched"
  rmdir "$2/fetching"
' sh "$package" "$data" </dev/null >/dev/null 2>&1 &
say "memoir is fetched with npm ($package) in the background; this session is remembered from the moment it is there."
