#!/usr/bin/env bash
# Takes the screenshots of GTKWave in this folder again. Needs gtkwave, Xvfb and ImageMagick.
# usage: docs/images/screenshots.sh [BLOCKYARD]      (default: target/release/blockyard)
set -euo pipefail

images=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$images/../.." && pwd)
blockyard=${1:-$root/target/release/blockyard}
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT

# Closes groups of a save file: close FILE 'NAME|NAME'.
close() {
    perl -0pi -e "s/\\@800200\n-($2)\n/\@c00200\n-\$1\n/g; s/\\@1000200\n-($2)\n/\@1401200\n-\$1\n/g" "$1"
}

# shot NAME HEIGHT CLOSED RUN...: dumps a run, opens the dump with its view but for the groups CLOSED, and
# keeps the top of the window.
shot() {
    local name=$1 height=$2 closed=$3
    shift 3
    (cd "$place" && "$blockyard" run "$@" --wave "$name.vcd" >/dev/null)
    sed -i 's/^\[size\].*/[size] 1400 1300/' "$place/$name.gtkw"
    close "$place/$name.gtkw" "$closed"
    # GTKWave is there when the window is no longer of a few colours; then it still draws for a while.
    (cd "$place" && NAME=$name xvfb-run -a -s "-screen 0 1400x1300x24" bash -c '
        gtkwave --rcvar "splash_disable on" --rcvar "hide_sst on" "$NAME.vcd" "$NAME.gtkw" >/dev/null 2>&1 &
        viewer=$!
        for _ in $(seq 60); do
            sleep 2
            import -window root "$NAME.png"
            [ "$(identify -format %k "$NAME.png")" -gt 30 ] && break
        done
        sleep 3
        import -window root "$NAME.png"
        kill $viewer')
    # The toolbar is above the waves.
    convert "$place/$name.png" -crop "1390x$height+5+118" +repage -colors 48 "PNG8:$images/$name.png"
    echo "$images/$name.png"
}

scenarios=$root/verif/scenarios
shot claso-case-study 800 'Launches|Queue of kernels|Selection|Dispatch' \
    --scheduler "rr+claso(pa=1,pl=0)" --gpu c2050 --scenario "$scenarios/claso-case-study.toml" --wave-from 1000 --wave-to 1060
shot laperm-figure-4 790 'Launches|Kernel Management Unit|Groups that arrive|Dispatch|Overflow to memory' \
    --scheduler laperm/adaptive-bind --launch dtbl --scenario "$scenarios/laperm-figure-4.toml" --wave-to 6500
shot dtbl-groups 700 'Launches|Kernel Management Unit|Groups that arrive|Selection|Groups in memory' \
    --scheduler rr --launch dtbl --scenario "$scenarios/laperm-figure-4.toml" --wave-to 6500
shot ikra-steal 640 'Launches|The kernel that runs|What is left|Dispatch' \
    --scheduler ikra/steal --scenario "$scenarios/ikra-figure-3.toml"
