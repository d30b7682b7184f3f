# Sourced after tap.sh or client.sh by scripts at real terminals. Starts a tmux, types there, and reads
# what the screen shows.
command -v tmux >/dev/null || {
    not_ok tmux-is-installed
    finish
}
case $build in /*) ;; *) build=$PWD/$build ;; esac
janggi=$build/janggi
tm() { tmux -S "$dir/tmux" -f /dev/null "$@"; }

# sit NAME ARGUMENTS...: a terminal of 80x24 with that player's janggi under a shell
sit() {
    sit_name=$1
    shift
    mkdir -p "$dir/home-$sit_name"
    tm new-session -d -s "$sit_name" -x 80 -y 24 -c "$dir/home-$sit_name" \
        "env HOME='$dir/home-$sit_name' USER=$sit_name TERM=screen PS1='shell> ' sh -i"
    wait_for 60 shows "$sit_name" 'shell>'
    tm send-keys -t "$sit_name" "$build/janggi $*" Enter
}
type_in() { tm send-keys -t "$1" -l -- "$2"; }
press() {
    press_in=$1
    shift
    tm send-keys -t "$press_in" "$@"
}
enter() { type_in "$1" "$2" && press "$1" Enter; }
screen() { tm capture-pane -p -t "$1"; }
# The last line with anything on it.
last_line() { screen "$1" | grep -v '^ *$' | tail -1; }
shows() { screen "$1" | grep -q -- "$2"; }
ends_with() { last_line "$1" | grep -q -- "$2"; }

# sees NAME WHO PATTERN: within 120 s
sees() {
    wait_for 120 shows "$2" "$3" && ok "$1" && return
    screen "$2" | sed 's/^/# /'
    not_ok "$1"
}
# clears WHO: the shell's screen, and waits until nothing old is on it.
is_clear() { ! shows "$1" 'Last:'; }
clears() {
    enter "$1" clear
    wait_for 60 is_clear "$1"
}
# wipe WHO: Ctrl-L at the client's prompt, and waits until the old lines are gone.
lines_on() { screen "$1" | grep -c '[^ ]'; }
has_fewer_lines() { [ "$(lines_on "$1")" -lt "$2" ]; }
wipe() {
    old_lines=$(lines_on "$1")
    tm send-keys -t "$1" C-l
    [ "$old_lines" -le 3 ] || wait_for 60 has_fewer_lines "$1" "$old_lines"
    tm clear-history -t "$1"
}
# line_is NAME WHO PATTERN: like sees, but the last line must match
line_is() {
    wait_for 120 ends_with "$2" "$3" && ok "$1" && return
    screen "$2" | sed 's/^/# /'
    not_ok "$1"
}

# types WHO TEXT: waits until the last line ends with it, since Ctrl-C and Ctrl-Z would drop keys not read yet
types() {
    type_in "$1" "$2"
    wait_for 120 ends_with "$1" "$2\$"
}

# resize WHO COLUMNS: waits until the terminal knows. tmux 3.3 leaves the terminal at the former width
# if a second change follows at once, so each try asks anew.
has_columns() {
    tm resize-window -t "$1" -x "$2" -y 24
    [ "$(stty -F "$(tm display -p -t "$1" '#{pane_tty}')" size)" = "24 $2" ]
}
resize() { wait_for 120 has_columns "$1" "$2"; }

# open_screen ROWS COMMAND...: opens a terminal without a shell. The functions below mean the terminal that
# was opened last. on_screen PATTERN waits 120 s.
screen_number=0
open_screen() {
    screen_rows=$1 screen_number=$((screen_number + 1))
    shift
    tm new-session -d -s "screen$screen_number" -x 80 -y "$screen_rows" "$@"
}
on_screen() { wait_for 120 shows "screen$screen_number" "$1"; }
type_line() { enter "screen$screen_number" "$1"; }
interrupt() { press "screen$screen_number" C-c; }

# interrupts_and_leaves NAME: for wait_for. Two Ctrl-C leave only if the second comes in time.
interrupts_and_leaves() { press "$1" C-c && ends_with "$1" '^shell>'; }
