#include <bowhist/io/installed_helper.hpp>

#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>

#include <dlfcn.h>
#include <fmt/format.h>

namespace bowhist {

namespace fs = std::filesystem;
namespace {

/// The folder of the library, or of the program that it is linked into.
fs::path library_folder() {
    Dl_info found = {};
    static const char within = 0;
    fs::path file;
    if (dladdr(&within, &found) != 0 && found.dli_fname != nullptr) file = found.dli_fname;
    if (!file.is_absolute()) file = "/proc/self/exe"; // what a program was called by
    std::error_code ignored;
    return fs::canonical(file, ignored).parent_path();
}

} // namespace

fs::path installed_helper(std::string_view name) {
    const fs::path library = library_folder();
    fs::path folder = library;
    for (int up = 0; up < 3; ++up, folder = folder.parent_path()) {
        fs::path candidate = folder / "libexec/bowhist" / name;
        std::error_code ignored;
        if (fs::exists(candidate, ignored)) return candidate;
    }
    throw Error(Cause::library,
                fmt::format("libexec/bowhist/{} is not above the library's folder {}; "
                            "install bowhist as a whole",
                            name, library));
}

const void *symbol_of_module(std::string_view name, const char *symbol) {
    const fs::path path = installed_helper(name);
    void *module = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    const void *found = module != nullptr ? dlsym(module, symbol) : nullptr;
    if (found == nullptr)
        throw Error(Cause::library,
                    fmt::format("{}: {}", path, not_loaded("install bowhist again")));
    return found;
}

std::string not_loaded(std::string_view next) {
    const char *said = dlerror();
    const std::string reason = said != nullptr ? printable(said) : "for no known reason";
    const bool lacks_memory = reason.find("failed to map segment") != std::string::npos ||
                              reason.find("annot allocate memory") != std::string::npos;
    return fmt::format("cannot be loaded ({}); {}", reason,
                       lacks_memory ? "give it more memory (ulimit -v)" : next);
}

} // namespace bowhist
