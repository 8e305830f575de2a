#!/usr/bin/env bash
# Opens a dump with its view in Surfer, in a window of 1400 x 900, and takes a picture of it. Surfer's build for the
# web comes with a package of PyPI (fpgacapzero, which carries it as it is). Needs pip, chromium, Xvfb, ImageMagick.
# usage: docs/images/surfer.sh [BLOCKYARD [FOLDER]]      (default: target/release/blockyard, this folder)
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
blockyard=$(realpath "${1:-$root/target/release/blockyard}")
images=$(realpath "${2:-$here}")
place=$(mktemp -d)
server=
trap 'kill $server 2>/dev/null; rm -rf "$place"' EXIT
cd "$place"

python3 -m pip download --quiet --no-deps --dest wheel fpgacapzero==0.5.0
python3 -m zipfile -e wheel/*.whl package
mv package/fcapz/web/vendor/surfer site
"$blockyard" run --scheduler laperm/adaptive-bind --launch dtbl \
    --scenario "$root/verif/scenarios/laperm-figure-4.toml" --wave-to 6500 --wave site/f.vcd --quiet

port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
python3 -m http.server --bind 127.0.0.1 --directory site "$port" >/dev/null 2>&1 &
server=$!
# What `--command-file F.sucl` does for the program, its page takes in its address.
export url=$(python3 - "$port" <<'PYTHON'
import sys, urllib.parse
here = f"http://127.0.0.1:{sys.argv[1]}"
lines = [line.strip() for line in open("site/f.sucl")]
commands = ";".join(line for line in lines if line and not line.startswith("#"))
query = urllib.parse.urlencode({"load_url": f"{here}/f.vcd", "startup_commands": commands}, quote_via=urllib.parse.quote)
print(f"{here}/index.html?{query}")
PYTHON
)
xvfb-run -a -s "-screen 0 1400x900x24" bash -c '
    chromium --no-sandbox --test-type --disable-background-networking --disable-component-update --disable-sync \
        --no-first-run --user-data-dir=profile --use-gl=angle --use-angle=swiftshader --enable-unsafe-swiftshader \
        --window-size=1400,900 --window-position=0,0 --app="$url" >/dev/null 2>&1 &
    viewer=$!
    # Surfer is there when the window is no longer of a few colours, and ready when nothing moves for 15 s.
    still=0
    for _ in $(seq 120); do
        sleep 1
        mv -f shot.png before.png 2>/dev/null || true
        import -window root shot.png
        [ "$(identify -format %k shot.png)" -gt 500 ] || continue
        if [ "$(identify -format "%#" shot.png)" = "$(identify -format "%#" before.png)" ]; then still=$((still + 1)); else still=0; fi
        [ $still -lt 15 ] || break
    done
    kill $viewer'
[ "$(identify -format %k shot.png)" -gt 500 ] || { echo "Surfer shows nothing" >&2; exit 1; }
convert shot.png -crop 1400x870+0+0 +repage +dither -colors 48 "PNG8:$images/surfer.png"
echo "$images/surfer.png"
