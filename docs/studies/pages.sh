#!/usr/bin/env bash
# Runs the studies of this folder again, and makes their pages and the plots that stand in the text.
# usage: docs/studies/pages.sh [BLOCKYARD]      (default: target/release/blockyard)
set -euo pipefail

studies=$(cd "$(dirname "$0")" && pwd)
docs=$(dirname "$studies")
blockyard=$(realpath "${1:-$docs/../target/release/blockyard}")
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
cd "$place"
# Commands in the pages are those of who starts them in the repository.
ln -s "$docs" docs

# page STUDY [PLOT]: PLOT is the name of the one that stands in the text, if one does.
page() {
    "$blockyard" study "docs/studies/$1.toml"
    "$blockyard" study report "study-$1"
    cp "study-$1/report.html" "$studies/$1.html"
    [ $# = 2 ] || return 0
    "$blockyard" study report "study-$1" --out ignored.html --plots plots
    cp "plots/$2.svg" "$docs/images/study-$1.svg"
}

page claso-levels storage-against-ipc
page launch-schedulers speed-up-by-scheduler
page dtbl-tables speed-up-by-launch-table
page srtf-offsets mean-turnaround-over-erc-offset
page old-ideas
