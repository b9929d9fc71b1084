#!/bin/sh
# Installs sage for this user: fetches the release for this machine, compares its SHA-256 with the
# published sums, and puts the program, its manual page and its completions below ~/.local.
#
#   curl -fsSL <address>/install.sh | sh
#   curl -fsSL <address>/install.sh | sh -s -- --dir /usr/local/bin
#
# Changes nothing else: no profile, no editor. `sage uninstall --all` takes it all out again, and says how to delete the program.
set -eu
# The shell of a Mac, were it asked to read this; and letters as bytes, for [a-f] has a C in some languages.
[ -z "${ZSH_VERSION:-}" ] || emulate sh
LC_ALL=C
export LC_ALL

# Where the release lies; filled in by scripts/release.ts.
release_url=''

main() {
  url=${SAGE_RELEASE_URL:-$release_url}
  dir=${SAGE_INSTALL_DIR:-${HOME:?HOME is not set}/.local/bin}
  while [ $# -gt 0 ]; do
    case $1 in
      --dir) dir=${2:?--dir needs a folder} && shift 2 ;;
      --dir=*) dir=${1#--dir=} && shift ;;
      *) fail "Unknown option $1" "sh install.sh [--dir <folder>]" ;;
    esac
  done
  case $dir in /*) ;; *) dir=$PWD/$dir ;; esac
  while [ "${dir%/}" != "$dir" ]; do dir=${dir%/}; done
  check_url
  check_place
  target=$(this_target)
  work=$(mktemp -d "${TMPDIR:-/tmp}/sage-install.XXXXXX")
  trap 'rm -rf "$work"' EXIT
  trap 'exit 130' INT
  trap 'exit 143' TERM HUP

  fetch SHA256SUMS "$work/sums"
  name=$(sed -n "s/^[0-9a-f]\{64\}  \(sage-[0-9A-Za-z.-]*-$target\.tar\.gz\)\$/\1/p" "$work/sums")
  case $name in
    '') fail "Nothing is published for $target" "$url/SHA256SUMS lists what is" ;;
    *"
"*) fail "The published sums name $target more than once" ;;
  esac
  say "Fetching $name"
  fetch "$name" "$work/$name"
  wanted=$(sed -n "s/^\([0-9a-f]\{64\}\)  $name\$/\1/p" "$work/sums")
  found=$(sha256 "$work/$name")
  if [ "$found" != "$wanted" ]; then
    fail "$name is not what was published: SHA-256 $found, wanted $wanted" \
      "nothing was installed; try again later, and tell who publishes it if it stays so"
  fi
  mkdir "$work/new"
  tar -xzf "$work/$name" -C "$work/new" || fail "Cannot unpack $name"
  version=$("$work/new/sage" --version 2>/dev/null | sed -n '1s/^sage //p') || version=
  [ -n "$version" ] || fail "The program does not run on this machine ($target)" "nothing was installed"

  place "$version"
}

# ---- placing ----

# Others have programs of this name: one that does not call itself as ours does is somebody's.
check_place() {
  [ -e "$dir/sage" ] || return 0
  case $("$dir/sage" --version 2>/dev/null </dev/null || :) in
    'sage '[0-9]*) ;;
    *) fail "$dir/sage is another program" "move it away, or choose another folder: --dir <folder>" ;;
  esac
}

place() {
  made=''
  make_dir "$dir"
  for file in "$work"/new/sage-*.assets; do
    if [ -f "$file" ]; then put "$file" "$dir/${file##*/}" 644; fi
  done
  put "$work/new/sage" "$dir/sage" 755
  drop_older
  say "Installed sage $1: $dir/sage"
  case $dir in
    # The program works without them.
    */bin) if (place_pages "${dir%/bin}"); then
      say "  with its manual page and completions in ${dir%/bin}/share"
    fi ;;
  esac
  case :${PATH:-}: in
    *:"$dir":*)
      first=$(command -v sage || :)
      [ "$first" = "$dir/sage" ] || say "  Another sage comes first on your PATH: $first"
      ;;
    *) say "  $dir is not on your PATH: export PATH=\"$dir:\$PATH\"" ;;
  esac
  say "Next: sage init, in a project; sage install claude-code. sage uninstall --all takes out what it made."
}

# The program before, as an update keeps it, and data of programs that are no more: it names its content.
drop_older() {
  x='[0-9a-f]'
  rm -f "$dir/sage.previous" 2>/dev/null || :
  for file in "$dir"/sage-$x$x$x$x$x$x$x$x.assets; do
    [ -f "$work/new/${file##*/}" ] || rm -f "$file" 2>/dev/null || :
  done
}

# What lies in <prefix>/share, and a list of it for who takes it out again.
place_pages() {
  list=$1/share/sage/installed
  known=$(cat "$list" 2>/dev/null || :)
  files=''
  for page in share/man/man1/sage.1 share/bash-completion/completions/sage \
    share/fish/vendor_completions.d/sage.fish share/zsh/site-functions/_sage; do
    [ -f "$work/new/$page" ] || continue
    # One that is there and not from here is somebody else's.
    if [ -e "$1/$page" ] && ! listed "file $page"; then continue; fi
    make_dir "$(dirname "$1/$page")"
    put "$work/new/$page" "$1/$page" 644
    files="${files}file $page
"
  done
  make_dir "$1/share/sage"
  {
    printf '%s\n' "$known" | grep '^dir ' || :
    printf '%s' "$made" | while IFS= read -r path; do
      case $path in "$1"/*) printf 'dir %s\n' "${path#"$1"/}" ;; esac
    done
    printf '%s' "$files"
  } >"$work/installed"
  put "$work/installed" "$list" 644
}

listed() {
  case "
$known
" in *"
$1
"*) return 0 ;; *) return 1 ;; esac
}

# Makes a folder and those above it, and remembers which were missing, the outermost first.
make_dir() {
  [ -d "$1" ] && return 0
  make_dir "$(dirname "$1")"
  mkdir "$1" 2>/dev/null || [ -d "$1" ] || fail "Cannot make the folder $1" "choose another: --dir <folder>"
  made="$made$1
"
}

# A file under its name by one rename, so that what runs or reads it meanwhile is whole.
put() {
  if ! { cp "$1" "$2.new.$$" && chmod "$3" "$2.new.$$" && mv -f "$2.new.$$" "$2"; } 2>"$work/why"; then
    rm -f "$2.new.$$" 2>/dev/null || :
    fail "Cannot write $2: $(sed 's/.*: //' "$work/why" | tail -n 1)" "choose another folder: --dir <folder>"
  fi
}

# ---- this machine ----

this_target() {
  case $(uname -s) in
    Linux) system=unknown-linux-gnu ;;
    Darwin) system=apple-darwin ;;
    *) fail "There is no sage for $(uname -s)" "on Windows use install.ps1" ;;
  esac
  case $(uname -m) in
    x86_64 | amd64) machine=x86_64 ;;
    aarch64 | arm64) machine=aarch64 ;;
    *) fail "There is no sage for $(uname -m)" ;;
  esac
  # A translated shell on Apple silicon says x86_64.
  if [ "$system" = apple-darwin ] && [ "$(sysctl -n hw.optional.arm64 2>/dev/null || :)" = 1 ]; then
    machine=aarch64
  fi
  printf '%s-%s\n' "$machine" "$system"
}

sha256() {
  if command -v sha256sum >/dev/null 2>&1; then
    sha256sum <"$1" | cut -d ' ' -f 1
  elif command -v shasum >/dev/null 2>&1; then
    shasum -a 256 <"$1" | cut -d ' ' -f 1
  elif command -v openssl >/dev/null 2>&1; then
    openssl dgst -sha256 <"$1" | sed 's/^.*= *//'
  else
    fail "Cannot check what was fetched: there is no sha256sum, shasum or openssl"
  fi
}

# ---- the server ----

check_url() {
  url=${url%/}
  case $url in
    '') fail "This script was not made for a release" "SAGE_RELEASE_URL=https://… names one" ;;
    https://?*) secure=1 ;;
    http://127.0.0.1* | http://localhost* | 'http://[::1]'*)
      case ${url#http://} in
        127.0.0.1 | 127.0.0.1[:/]* | localhost | localhost[:/]* | '[::1]' | '[::1]'[:/]*) secure=0 ;;
        *) fail "Only https is trusted: $url" ;;
      esac
      ;;
    *) fail "Only https is trusted: $url" ;;
  esac
}

fetch() {
  if command -v curl >/dev/null 2>&1; then
    only='=https,http'
    [ "$secure" = 0 ] || only='=https'
    curl -fsSL --proto "$only" --retry 2 --connect-timeout 20 -o "$2" "$url/$1" 2>"$work/why" && return 0
  elif command -v wget >/dev/null 2>&1; then
    only=
    [ "$secure" = 0 ] || only=--https-only
    wget ${only:+"$only"} -q -T 60 -O "$2" "$url/$1" 2>"$work/why" && return 0
  else
    fail "Cannot fetch anything: there is no curl and no wget"
  fi
  fail "Cannot fetch $url/$1: $(tail -n 1 "$work/why" | sed 's/^curl: //')" "nothing was installed"
}

say() {
  printf '%s\n' "$1"
}

fail() {
  printf 'sage: %s\n' "$1" >&2
  [ $# -lt 2 ] || printf '  %s\n' "$2" >&2
  exit 1
}

# Last, so that a script that arrives cut short does nothing.
main "$@"
