#!/usr/bin/env bash
# Install Debian's Chromium, which the tests of the reports drive, unless there is a Chromium already.
set -euo pipefail

if [ -n "${CHROMIUM:-}" ] || command -v chromium >/dev/null || command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null; then
    exit 0
fi
give_up() {
    echo "There is no Chromium, and $1; install one by hand and name its program in the variable CHROMIUM." >&2
    exit 1
}
command -v apt-get >/dev/null || give_up "no apt-get to install it with"
as_root=()
if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || give_up "installing it needs root or sudo"
    as_root=(sudo)
fi
install=(apt-get install --yes --no-install-recommends chromium fonts-dejavu-core)
export DEBIAN_FRONTEND=noninteractive
"${as_root[@]}" "${install[@]}" || { "${as_root[@]}" apt-get update && "${as_root[@]}" "${install[@]}"; } || give_up "apt-get could not install it"
