#include <bowhist/assign/choose/unused_options.hpp>
#include <bowhist/core/printable.hpp>

#include <fmt/format.h>

namespace bowhist {

void warn_of_unused(const LevelRequest &unused, const std::string &why, Observer &observer) {
    const auto warn = [&](const char *option, const std::string &value) {
        observer.warning(fmt::format("{} {} has no effect: {}", option, printable(value), why));
    };
    if (!unused.device.empty()) warn("--device", unused.device);
    if (!unused.kernel_dir.empty()) warn("--kernel-dir", unused.kernel_dir.native());
    if (unused.options.batch > 0) warn("--batch", std::to_string(unused.options.batch));
}

void warn_of_unused_device(const LevelRequest &request, const LevelChoice &level, bool preprocesses,
                           Observer &observer) {
    if (level.level->on_device) return;
    LevelRequest unused = request;
    if (preprocesses) {
        unused.device.clear();
        unused.kernel_dir.clear();
    }
    if (request.level == "auto" && request.options.batch > 0) {
        observer.note(fmt::format("--batch {} has no effect: auto chose {}, which uses no device",
                                  request.options.batch, level.name()));
        unused.options.batch = 0;
    }
    warn_of_unused(unused,
                   request.options.tree
                       ? "--descend finds words on the host"
                       : fmt::format("{} uses no device; choose a level that does, such as "
                                     "--kernel gpu1",
                                     level.name()),
                   observer);
}

} // namespace bowhist
