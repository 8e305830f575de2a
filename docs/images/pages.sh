#!/usr/bin/env bash
# Makes the pictures of pages in this folder again. Needs chromium and ImageMagick.
# usage: docs/images/pages.sh [BLOCKYARD]      (default: target/release/blockyard)
set -euo pipefail

images=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$images/../.." && pwd)
blockyard=${1:-$root/target/release/blockyard}
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
cd "$place"

"$blockyard" study "$root/docs/studies/first.toml"
"$blockyard" study report study-first
chromium --headless --no-sandbox --disable-gpu --disable-background-networking --disable-component-update \
    --disable-sync --no-first-run --hide-scrollbars --user-data-dir="$place/profile" --virtual-time-budget=5000 \
    --window-size=1000,940 --screenshot=page.png "file://$place/study-first/report.html"
convert page.png +dither -colors 64 "PNG8:$images/page-study.png"

"$blockyard" run --scheduler laperm/tb-pri --launch dtbl --engine golden \
    --scenario "$root/verif/scenarios/laperm-figure-4.toml" --blocks b.csv
"$blockyard" page blocks b.csv --plots plots
cp plots/blocks-over-time.svg "$images/blocks.svg"
