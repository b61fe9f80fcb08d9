# Sourced by samples/run.sh and tests/run.sh: installs missing packages and builds.
# Debian 12, as root or with sudo. Prints a line for each step; skips steps that are done.

packages="
    g++ cmake ninja-build pkg-config
    ocl-icd-opencl-dev opencl-clhpp-headers pocl-opencl-icd
    libopencv-dev libcli11-dev libspdlog-dev libfmt-dev catch2 libtbb-dev
    libxxhash-dev libzip-dev libyaml-dev libpugixml-dev libjpeg-dev libtiff-dev zlib1g-dev
    libgif-dev libheif-dev libopenjp2-7-dev libhwy-dev nlohmann-json3-dev libsqlite3-dev
    libcpp-httplib-dev libopenmpi-dev openmpi-bin libutf8proc2"

say() { printf '== %s\n' "$*"; }

# Shows the command's output only if it fails.
quietly() {
    local status=0 said
    said=$("$@" 2>&1) || status=$?
    [ $status -eq 0 ] || printf '%s\n' "$said" >&2
    return $status
}

# Installs the named packages that are missing.
install_packages() {
    local missing=() package
    for package in "$@"; do
        dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing+=("$package")
    done
    [ ${#missing[@]} -eq 0 ] && return
    local as_root=()
    [ "$(id -u)" -eq 0 ] || as_root=(sudo)
    say "installing ${missing[*]}"
    quietly "${as_root[@]}" apt-get update
    quietly "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "${missing[@]}"
}

# Builds a preset of CMakePresets.json into build/PRESET.
build_preset() {
    say "building the preset $1 (some minutes the first time)"
    quietly cmake --preset "$1" "${@:2}"
    cmake --build --preset "$1" -- --quiet
}
