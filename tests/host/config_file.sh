#!/bin/sh
# The configuration file that janggid prints is one that it reads: as it is, and with every line in effect.
. "$(dirname "$0")/../lib/tap.sh"
janggid=$build/janggid

prints() { "$janggid" "$@" >"$dir/out" 2>"$dir/err"; }
# checks FILE: what janggid says that it would do with it
checks() { "$janggid" --check-config --data "$dir/data" --config "$1" 2>"$dir/err"; }
options() { "$janggid" --help | sed -n '/^Requests/q; s/^  --\([a-z-]*\).*/\1/p' | grep -v -x -e config -e json -e '.*-config'; }

check a-file-is-printed prints --print-config
cp "$dir/out" "$dir/file"
check nothing-in-it-is-in-effect sh -c "! grep -v -e '^[;#]' -e '^\$' '$dir/file'"
missing=$(options | while read -r name; do grep -q "^#$name = " "$dir/file" || echo "$name"; done)
check every-option-is-in-it test -z "$missing"
check with-its-help test "$(grep -c '^#.* ; ' "$dir/file")" -eq "$(options | wc -l)"
check on-three-screens test "$(fold -w 80 "$dir/file" | wc -l)" -le 72
check what-may-change-without-a-restart-is-marked grep -q '^#games-max = .* ; running games at a time \[reload\]$' "$dir/file"
check and-nothing-else sh -c "! grep 'reload\]$' '$dir/file' | grep -E '^#(data|listen|cert|key|limits|quotas|db-max) '"
: >"$dir/empty"
checks "$dir/empty" >"$dir/usual"
check settings-in-effect-have-their-help grep -q "^games-max = .* ; running games at a time$" "$dir/usual"
check it-changes-nothing sh -c "'$janggid' --check-config --data '$dir/data' --config '$dir/file' | cmp - '$dir/usual'"
sed 's/^#//; /^data = /d; /^\(cert\|key\|public-name\) = *;/d' "$dir/file" >"$dir/active"
checks "$dir/active" >"$dir/said"
check the-defaults-in-effect-change-nothing cmp "$dir/said" "$dir/usual"
prints --games-max 7 --name "Hong's board" --verbose --print-config
cp "$dir/out" "$dir/own"
for line in 'games-max = 7' "name = Hong's board" 'verbose = yes'; do
    check "what-is-given-is-in-effect ($line)" grep -q -e "^$line  *; " "$dir/own"
done
checks "$dir/own" >"$dir/said"
check and-is-read-back sh -c "grep -q '^games-max = 7 ' '$dir/said' && grep -q '^verbose = yes ' '$dir/said'"

# A comment begins after a space; a word has its own semicolons.
printf '%s\n' 'games-max = 7 ; a week' 'name = a b;c' 'map-port = auto' >"$dir/own"
checks "$dir/own" >"$dir/said"
check a-comment-behind-a-value-is-no-fault test $? -eq 0
for line in 'games-max = 7' 'name = a b;c' 'map-port = auto'; do
    check "and-the-value-is-read ($line)" grep -q -e "^$line  *; " "$dir/said"
done

# All that is wrong is reported at once, one line each.
printf '%s\n' 'games-max = many' '; a comment' 'bogus = 1' 'verbose = maybe' 'no name' >"$dir/wrong"
checks "$dir/wrong" >"$dir/said"
check a-wrong-file-is-refused test $? -eq 2
for words in '1: games-max: ' '3: bogus: ' '4: verbose: ' '5: no name: '; do
    check "each-wrong-line-is-named ($words)" grep -q -F "janggid: $dir/wrong:$words" "$dir/err"
done
check and-nothing-else test "$(wc -l <"$dir/err")" -eq 4

# The limits are those of the profile, or those of the list.
"$janggid" --profile village --print-config >"$dir/said" 2>"$dir/err"
check a-wrong-profile-is-refused grep -q 'profile: "village" is not one of home|club|open' "$dir/err"
for list in seeks=0 seeks=many seeks bogus=3 'seeks=3;watch=2'; do
    "$janggid" --limits "$list" --print-config >"$dir/said" 2>"$dir/err"
    check "a-wrong-limit-is-refused ($list)" test $? -eq 2
done
prints --limits seeks=4,keep-s=60 --limits watch=2 --print-config
check lists-are-added-up grep -q '^limits = seeks=4,keep-s=60,watch=2 ' "$dir/out"

# A password that somebody put into a URL is not shown.
secrets=0
for url in 'postgres://me:secret@h/d' 'postgres://me:se:cr?secret@h/d' 'postgres://me@h/d?sslmode=x&password=secret' \
    'postgres://h/d?sslpassword=secret&passfile=/x' 'postgres://h/d?pass%77ord=secret' 'pg://me:secret@h'; do
    "$janggid" --store "$url" --print-config >"$dir/said" 2>&1
    "$janggid" --store "$url" --data "$dir/data" --check-config >>"$dir/said" 2>&1
    grep -q 'store' "$dir/said" || secrets=missing
    grep -q secret "$dir/said" && secrets=$url
done
check no-password-is-shown test "$secrets" = 0
prints --store 'postgres://me@h1,h2:5433/d?sslmode=verify-full&passfile=/x' --print-config
check and-the-rest-of-the-address-is grep -q '^store = postgres://me@h1,h2:5433/d?sslmode=verify-full&passfile=/x ; ' "$dir/out"
finish
