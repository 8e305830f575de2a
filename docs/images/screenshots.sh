#!/usr/bin/env bash
# Takes the screenshots of GTKWave in this folder again: the views as they are generated, in a window of
# 1400 x 900, without a touch. Needs gtkwave, Xvfb and ImageMagick.
# usage: docs/images/screenshots.sh [BLOCKYARD [FOLDER]]      (default: target/release/blockyard, this folder)
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
blockyard=$(realpath "${1:-$root/target/release/blockyard}")
images=$(realpath "${2:-$here}")
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT

# shot NAME RUN...: dumps a run, opens the dump with its view, and keeps what is seen of it.
shot() {
    local name=$1
    shift
    (cd "$place" && "$blockyard" run "$@" --quiet --wave "$name.vcd")
    # GTKWave is there when the window is no longer of a few colours; then it still draws for a while.
    (cd "$place" && NAME=$name xvfb-run -a -s "-screen 0 1400x900x24" bash -c '
        gtkwave --rcvar "splash_disable on" --rcvar "scale_to_time_dimension n" "$NAME.vcd" "$NAME.gtkw" >/dev/null 2>&1 &
        viewer=$!
        for _ in $(seq 60); do
            sleep 1
            import -window root "$NAME.png"
            [ "$(identify -format %k "$NAME.png")" -gt 30 ] && break
        done
        sleep 2
        import -window root "$NAME.png"
        kill $viewer')
    [ "$(identify -format %k "$place/$name.png")" -gt 30 ] || { echo "GTKWave shows nothing of $name" >&2; exit 1; }
    # The title and the toolbar are above the waves.
    convert "$place/$name.png" -crop 1390x782+5+118 +repage -colors 48 "PNG8:$images/$name.png"
    echo "$images/$name.png"
}

scenarios=$root/verif/scenarios
figure4=$scenarios/laperm-figure-4.toml
shot claso-case-study \
    --scheduler "rr+claso(pa=1,pl=0)" --gpu c2050 --scenario "$scenarios/claso-case-study.toml" --wave-from 1000 --wave-to 1060
shot laperm-figure-4 --scheduler laperm/adaptive-bind --launch dtbl --scenario "$figure4" --wave-to 6500
shot dtbl-groups --scheduler rr --launch dtbl --scenario "$figure4" --wave-to 6500
shot ikra-steal --scheduler ikra/steal --scenario "$scenarios/ikra-figure-3.toml"
shot srtf --scheduler srtf --scenario "$scenarios/concurrent-kernels.toml"
shot backup --scheduler laperm/adaptive-bind --launch dtbl --scenario "$figure4" --wave-on backup --wave-around 8
