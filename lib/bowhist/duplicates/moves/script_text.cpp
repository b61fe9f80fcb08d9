#include <bowhist/duplicates/moves/script_text.hpp>

#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/library/file/library_file.hpp>
#include <bowhist/library/known_roots.hpp>

#include <fmt/format.h>

#include <string_view>
#include <system_error>

namespace bowhist {

namespace fs = std::filesystem;

namespace {

fs::path beside(const fs::path &script, std::string_view ending) {
    if (script.empty()) return {};
    fs::path file = script;
    return file += ending;
}

} // namespace

fs::path undo_of(const fs::path &script) {
    return beside(script, ".undo");
}

fs::path record_of(const fs::path &script) {
    return beside(script, ".done");
}

void require_new_script(const fs::path &script) {
    for (const fs::path &file : {script, undo_of(script)})
        if (fs::exists(fs::symlink_status(file)))
            throw Error(Fault::usage,
                        fmt::format("{}: is there already, and may be needed to undo moves; give "
                                    "--script another name, or remove it",
                                    file));
}

std::string indexed_root_around(const fs::path &library, const fs::path &folder) {
    const auto database = open_to_read(library);
    Catalogue catalogue(*database);
    const KnownRoots roots(catalogue);
    std::error_code unknown;
    const fs::path whole = fs::weakly_canonical(fs::absolute(folder), unknown);
    std::string path = whole.lexically_normal().native();
    while (path.size() > 1 && path.ends_with('/')) path.pop_back();
    const KnownRoot *root = roots.same({}, path);
    if (root == nullptr) root = roots.around(path);
    return root == nullptr ? std::string() : root->row.path;
}

namespace {

constexpr std::string_view common = R"sh(
moved=0
skipped=0
bytes_of() { echo "$(($(wc -c < "$1")))"; }
time_of() { stat -L -c %Y -- "$1" 2>/dev/null || stat -L -f %m -- "$1"; }
skip() {
    if [ "$1" = "$picture" ]; then printf 'skipped, it %s: %s\n' "$2" "$1" >&2
    else printf 'skipped, its companion %s %s: %s\n' "$1" "$2" "$picture" >&2; fi
    skipped=$((skipped + 1))
}
finish() {
    printf '%s %s, %s skipped\n' "$moved" "$done" "$skipped" >&2
    [ "$skipped" -eq 0 ]
}

# each FUNCTION FILE...: a file is the number of words that $fields says
each() {
    function=$1
    shift
    while [ "$#" -gt 0 ]; do
        "$function" "$@" || return 1
        shift "$fields"
    done
}

# FROM TO BYTES SECONDS CKSUM: whether it is what it was, and its new place is free
may_go() {
    if stayed "$@"; then return 0
    elif [ -L "$1" ]; then skip "$1" 'is a link'
    elif [ ! -f "$1" ]; then skip "$1" 'is not there'
    elif [ "$(bytes_of "$1")" != "$3" ]; then skip "$1" 'has another size'
    elif [ "$4" != - ] && [ "$(time_of "$1")" != "$4" ]; then skip "$1" 'has another time'
    elif [ "$(cksum < "$1")" != "$5 $3" ]; then skip "$1" 'has other bytes'
    elif [ -e "$2" ] || [ -L "$2" ]; then skip "$1" 'finds something in its place already'
    else return 0; fi
    return 1
}
)sh";

constexpr std::string_view forth = R"sh(
stayed() { false; }

# keeps KEPT BYTES SECONDS CKSUM
keeps() {
    kept=$1
    kept_changed=
    kept_file=
    if [ ! -f "$1" ]; then return; fi
    if [ "$(bytes_of "$1")" != "$2" ] || [ "$(time_of "$1")" != "$3" ] || [ "$(cksum < "$1")" != "$4 $2" ]; then
        kept_changed=yes
    fi
    kept_file=$(file_of "$1")
}
file_of() { stat -L -c %d:%i:%s:%Y -- "$1" 2>/dev/null || stat -L -f %d:%i:%z:%m -- "$1"; }
# It is opened: a listing may still show what is gone.
is_kept() { { true < "$kept"; } 2>/dev/null && [ "$(file_of "$kept")" = "$kept_file" ]; }
is_copy() {
    if [ ! -f "$kept" ]; then skip "$1" 'stays, since what it is a copy of is not there'
    elif [ "$1" -ef "$kept" ]; then skip "$1" 'is the same file as what it is a copy of'
    elif [ "$kept_changed" ] || ! is_kept; then skip "$1" 'stays, since what it is a copy of changed'
    else return 0; fi
    return 1
}
# has_twin COMPANION TWIN PICTURE
has_twin() {
    picture=$3
    cmp -s -- "$1" "$2" && return
    skip "$3" "stays, since no other file has the bytes of $1 any more"
    return 1
}
# Where one file has two names, both go together: it is put back.
stop() {
    each put_back "$@"
    at=$1
    if [ ! -e "$1" ]; then at=$2; fi
    printf 'stopped, since %s went away with its copy, which is now at %s; look at both folders: they may be one\n' \
        "$kept" "$at" >&2
    skipped=$((skipped + 1))
    finish
    exit 1
}
)sh";

constexpr std::string_view move_forth = R"sh(
move() {
    picture=$1
    each may_go "$@" && is_copy "$1" || return 0
    if ! each carry "$@"; then
        each put_back "$@"
        skip "$1" 'could not be moved'
    elif ! is_kept; then
        stop "$@"
    else
        moved=$((moved + 1))
    fi
}
)sh";

constexpr std::string_view plain_carry = R"sh(
carry() { stayed "$@" || { mkdir -p -- "${2%/*}" && mv -n -- "$1" "$2" && [ ! -e "$1" ]; }; }
put_back() { [ -e "$1" ] || mv -n -- "$2" "$1"; }
)sh";

constexpr std::string_view trash_carry = R"sh(
# The record is made first, so that no other program takes the name.
carry() {
    record=${2%/files/*}/info/${2##*/}.trashinfo
    (umask 077 && mkdir -p -- "${2%/*}" "${record%/*}") &&
        (set -C && printf '[Trash Info]\nPath=%s\nDeletionDate=%s\n' "$6" "$(date +%Y-%m-%dT%H:%M:%S)" > "$record") \
            2>/dev/null || return 1
    if mv -n -- "$1" "$2" && [ ! -e "$1" ]; then return 0; fi
    rm -f -- "$record"
    return 1
}
put_back() {
    if [ ! -e "$1" ] && mv -n -- "$2" "$1"; then
        rm -f -- "${2%/files/*}/info/${2##*/}.trashinfo"
    fi
}
)sh";

// The last line with a copy's number says what a script did to it. Other scripts that had
// this name may have left lines with another $made.
constexpr std::string_view noted = R"sh(
note() { { printf '%s %s %s\n' "$1" "$made" "$2" >> "$record"; } 2>/dev/null; }
)sh";

constexpr std::string_view link_forth = R"sh(
carry() { mv -n -- "$1" "$2" && [ ! -e "$1" ]; }
put_back() { [ -e "$1" ] || mv -n -- "$2" "$1"; }
move() {
    picture=$1
    each may_go "$@" && is_copy "$1" || return 0
    if ! cmp -s -- "$1" "$kept"; then
        skip "$1" 'has other bytes than what it is a copy of'
    elif ! carry "$@"; then
        put_back "$@"
        skip "$1" 'could not be moved aside'
    elif ! is_kept; then
        stop "$@"
    elif ! link "$1" "$2" 2>/dev/null || ! cmp -s -- "$1" "$2"; then
        rm -f -- "$1"
        put_back "$@"
        skip "$1" 'could not be replaced: the file system may not have such links'
    elif ! is_kept; then
        rm -f -- "$1"
        stop "$@"
    elif ! note linked "$6"; then
        rm -f -- "$1"
        put_back "$@"
        skip "$1" "stays, since $record cannot be written"
    else
        rm -f -- "$2"
        moved=$((moved + 1))
    fi
}
)sh";

constexpr std::string_view hardlink = R"sh(
link() { ln -- "$kept" "$1" && [ ! -L "$1" ] && [ "$1" -ef "$kept" ]; }
)sh";

constexpr std::string_view symlink = R"sh(
link() {
    case $kept in
    /*) ln -s -- "$kept" "$1" ;;
    *) ln -s -- "$PWD/${kept#./}" "$1" ;;
    esac
}
)sh";

constexpr std::string_view reflink = R"sh(
link() {
    cp -p --attributes-only -- "$2" "$1" && cp --reflink=always -- "$kept" "$1" && touch -r "$2" -- "$1"
}
)sh";

constexpr std::string_view move_back = R"sh(
# A companion may have stayed, or be gone.
stayed() { [ "$1" != "$picture" ] && [ ! -e "$1" ] && [ ! -L "$1" ]; }
move() {
    picture=$1
    each may_go "$@" || return 0
    if each carry "$@"; then
        moved=$((moved + 1))
    else
        skip "$1" 'could not be moved'
    fi
}
)sh";

constexpr std::string_view trash_back = R"sh(
carry() {
    stayed "$@" && return
    mkdir -p -- "${2%/*}" && mv -n -- "$1" "$2" && [ ! -e "$1" ] &&
        rm -f -- "${1%/files/*}/info/${1##*/}.trashinfo"
}
)sh";

constexpr std::string_view own = R"sh(
set_time() {
    touch -m -d "$2" -- "$1" 2>/dev/null ||
        TZ=UTC0 touch -m -t "$(echo "$2" | sed 's/[.Z].*//; s/[T:-]//g; s/\(..\)$/.\1/')" -- "$1"
}
was_linked() { [ "$(grep -e "^[a-z]* $made $1\$" -- "$record" 2>/dev/null | tail -n 1)" = "linked $made $1" ]; }
own() {
    picture=$1
    if [ ! -e "$1" ] && [ ! -L "$1" ] && [ -f "$2" ]; then mv -n -- "$2" "$1"; fi # the script was killed
    if [ ! -f "$1" ]; then skip "$1" 'is not there'
    elif ! was_linked "$8"; then skip "$1" 'is a file that the script did not replace'
    elif [ -f "$7" ] && [ ! "$1" -ef "$7" ]; then skip "$1" 'is a file of its own'
    elif [ "$(cksum < "$1")" != "$4 $3" ]; then skip "$1" 'has other bytes'
    elif [ -e "$2" ] || [ -L "$2" ]; then skip "$1" 'finds something in its place already'
    elif cp -p -- "$1" "$2" && chmod "$5" "$2" && set_time "$2" "$6" &&
        [ "$(cksum < "$2")" = "$4 $3" ] && mv -f -- "$2" "$1"; then
        note own "$8"
        moved=$((moved + 1))
    else
        rm -f -- "$2"
        skip "$1" 'could not be written'
    fi
}
)sh";

std::string settings(std::string_view done, int fields) {
    return fmt::format("\ndone='{}'\nfields={}\n", done, fields);
}

} // namespace

std::string script_functions(MoveAction action) {
    std::string text = fmt::format("{}{}", common, forth);
    switch (action) {
    case MoveAction::move:
        return text.append(plain_carry).append(move_forth) + settings("moved", 5);
    case MoveAction::trash:
        return text.append(trash_carry).append(move_forth) + settings("moved", 6);
    case MoveAction::hardlink:
        return text.append(hardlink).append(noted).append(link_forth) + settings("linked", 6);
    case MoveAction::symlink:
        return text.append(symlink).append(noted).append(link_forth) + settings("linked", 6);
    case MoveAction::reflink:
        return text.append(reflink).append(noted).append(link_forth) + settings("linked", 6);
    }
    return text;
}

std::string undo_functions(MoveAction action) {
    std::string text(common);
    if (action == MoveAction::move)
        return text.append(plain_carry).append(move_back) + settings("moved", 5);
    if (action == MoveAction::trash)
        return text.append(trash_back).append(move_back) + settings("moved", 5);
    return text.append(noted).append(own) + settings("written anew", 5);
}

std::string_view script_end() {
    return "\nfinish\n";
}

} // namespace bowhist
