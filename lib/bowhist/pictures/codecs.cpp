#include <bowhist/pictures/codecs.hpp>

#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/io/installed_helper.hpp>

#include <fmt/format.h>

#include <dlfcn.h>

namespace bowhist {
namespace {

const Codecs &load() {
    const auto path = installed_helper("bowhist-codecs.so");
    // Never closed: its libraries have threads and exit handlers of their own.
    void *module = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    const void *table = module != nullptr ? dlsym(module, "bowhist_codecs") : nullptr;
    if (table == nullptr)
        throw Error(Fault::input, fmt::format("{}: cannot be loaded ({}); install bowhist anew",
                                              printable(path), printable(dlerror())));
    return *static_cast<const Codecs *>(table);
}

} // namespace

const Codecs &codecs() {
    static const Codecs &loaded = load();
    return loaded;
}

} // namespace bowhist
