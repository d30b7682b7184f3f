# For scripts that source it, with build and area set: npm's ffish, which is Fairy-Stockfish for node. Needs
# node and npm, and the network once; the package goes into the build directory.
ffish_version=0.7.10 # pinned: a new one may know other rules
ffish_home=$build/ffish
if ! grep -qs "\"version\": \"$ffish_version\"" "$ffish_home/node_modules/ffish/package.json"; then
    npm install --silent --no-save --no-audit --no-fund --prefix "$ffish_home" "ffish@$ffish_version" >&2 || {
        echo "not ok $area: npm cannot install ffish@$ffish_version"
        exit 1
    }
fi
NODE_PATH=$ffish_home/node_modules
case $NODE_PATH in /*) ;; *) NODE_PATH=$PWD/$NODE_PATH ;; esac
export NODE_PATH
