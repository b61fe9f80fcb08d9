#pragma once

#include <spawn.h>

#include <csignal>
#include <filesystem>
#include <string>
#include <string_view>

namespace bowhist {

/// For posix_spawn: a process of its own group, so that Ctrl-C reaches the program alone, and
/// without our signal masks and handlers.
class SpawnAttributes {
  public:
    SpawnAttributes() {
        sigset_t none;
        sigset_t all;
        sigemptyset(&none);
        sigfillset(&all);
        posix_spawnattr_init(&attributes_);
        posix_spawnattr_setsigmask(&attributes_, &none);
        posix_spawnattr_setsigdefault(&attributes_, &all);
        posix_spawnattr_setpgroup(&attributes_, 0);
        posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF |
                                                   POSIX_SPAWN_SETPGROUP);
    }
    ~SpawnAttributes() { posix_spawnattr_destroy(&attributes_); }
    SpawnAttributes(const SpawnAttributes &) = delete;
    SpawnAttributes &operator=(const SpawnAttributes &) = delete;

    const posix_spawnattr_t *get() const { return &attributes_; }

  private:
    posix_spawnattr_t attributes_;
};

/// A file of libexec/bowhist that was built or installed with this library: in the library's
/// folder, or one or two above it.
/// @throws Error{Fault::input} that names the file when it is in none of these
std::filesystem::path installed_helper(std::string_view name);

/// The only symbol of a shared library of libexec/bowhist. Loads the library with its dependencies,
/// and never closes it: they have threads and exit handlers of their own. Many threads may call it.
///
/// Loading a library that depends on OpenBLAS starts a thread for each core, unless the environment
/// has OPENBLAS_NUM_THREADS=1 by then, as the program and bowhist-decode have it.
/// @throws Error{Fault::input} that names the library when it is not there, or cannot be loaded
const void *symbol_of_module(std::string_view name, const char *symbol);

/// "cannot be loaded (...); install it again": why dlopen() or dlsym() failed just now, and what to
/// do next.
/// @param next  where it was not for want of memory
std::string not_loaded(std::string_view next);

} // namespace bowhist
