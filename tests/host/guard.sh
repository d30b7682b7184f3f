#!/bin/sh
# janggid refuses to start as root, or on a directory, key or database that others could change. Also tests
# the sandbox of the running program.
. "$(dirname "$0")/../lib/client.sh"

skip() { echo "ok $1 # SKIP $2"; }

# refuses STATUS PATTERN OPTIONS...: janggid does not start and says why
refuses() {
    refuses_status=$1 refuses_pattern=$2
    shift 2
    timeout 60 "$build/janggid" --data "$dir/${data_name:-data}" --listen 127.0.0.1:0 "$@" >"$dir/out" 2>"$dir/err"
    [ $? -eq "$refuses_status" ] && grep -q -e "$refuses_pattern" "$dir/err"
}
refuses_files() { refuses 77 "$1" --allow-root; }

if [ "$(id -u)" -eq 0 ]; then
    check root-is-refused refuses 77 'refusing to run as root.*--allow-root'
    check and-nothing-was-made test ! -e "$dir/data"
else
    skip root-is-refused "this is not root"
fi
start_server
check it-starts-where-it-is-asked-to test -S "$dir/data/control"

# --- The sandbox, in each thread
threads_have() { # NAME VALUE
    for task in /proc/"$server_pid"/task/*/status; do
        grep -q "^$1:[[:space:]]*$2\$" "$task" || return 1
    done
}
if ldd "$build/janggid" 2>/dev/null | grep -q 'libseccomp' && ! ldd "$build/janggid" | grep -q 'lib[at]san'; then
    check every-thread-has-a-filter threads_have Seccomp 2
    check and-can-gain-no-privilege threads_have NoNewPrivs 1
    kill_server
    start_server --sandbox off
    check sandbox-off-has-none threads_have Seccomp 0
else
    skip every-thread-has-a-filter "this build has no libseccomp, or a sanitizer"
fi
kill_server

# --- The directory and what is in it
chmod 770 "$dir/data"
check a-directory-that-the-group-may-write refuses_files 'path=.*/data refused why="other users may write'
chmod 707 "$dir/data"
check a-directory-that-others-may-write refuses_files 'path=.*/data refused why="other users may write'
chmod 755 "$dir/data" # others may look, but not write
mv "$dir/data" "$dir/real"
ln -s real "$dir/data"
for data_name in data data/ data/. data//./; do
    check "a-directory-that-is-a-link:$data_name" refuses_files 'path=.*/data.* refused why="it is a symbolic link'
done
data_name=
rm "$dir/data"
mv "$dir/real" "$dir/data"
for file in janggid.db key.pem; do
    chmod 666 "$dir/data/$file"
    check "$file-that-others-may-write" refuses_files "path=.*/$file refused why=\"other users may write"
    chmod 600 "$dir/data/$file"
    mv "$dir/data/$file" "$dir/$file"
    ln -s "$dir/$file" "$dir/data/$file"
    check "$file-that-is-a-link" refuses_files "path=.*/$file refused why=\"it is a symbolic link"
    rm "$dir/data/$file"
    mkdir "$dir/data/$file"
    check "$file-that-is-a-directory" refuses_files "path=.*/$file refused why=\"it is not a plain"
    rmdir "$dir/data/$file"
    mv "$dir/$file" "$dir/data/$file"
done
chmod 666 "$dir/data/janggid.db" "$dir/data/key.pem"
check all-files-with-a-fault-are-named refuses_files 'path=.*/janggid.db refused why="other users may write'
check and-not-only-the-first grep -q 'path=.*/key.pem refused why="other users may write' "$dir/err"
chmod 600 "$dir/data/janggid.db" "$dir/data/key.pem"
if [ "$(id -u)" -eq 0 ]; then
    chown 65534 "$dir/data"
    check a-directory-of-another-user refuses_files 'path=.*/data refused why="it belongs to another'
    chown 0 "$dir/data"
fi
start_server
check it-starts-again-when-all-is-as-it-was test -S "$dir/data/control"
finish
