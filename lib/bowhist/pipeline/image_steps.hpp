#pragma once

#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>

#include <fmt/format.h>
#include <tbb/task_arena.h>

#include <filesystem>
#include <new>

namespace bowhist {

/// The result of `work` on an image. Extractors, preprocessors and counters know no paths: their
/// errors get one in front.
template <typename Work>
auto with_named_errors(const std::filesystem::path &path, const Work &work) {
    try {
        return work();
    } catch (const std::bad_alloc &) {
        throw Error(Fault::input, fmt::format("{}: its descriptors need more memory than there is; "
                                              "lower --max-side",
                                              path));
    } catch (const Error &error) {
        throw Error(error.fault, fmt::format("{}: {}", path, error.what()));
    }
}

/// The result of `read`, which decodes. A thread that waited there for loops of TBB's could take up
/// another image, and wait for the room that its first one holds: it takes up none.
template <typename Read>
auto isolated(const Read &read) {
    return tbb::this_task_arena::isolate(read);
}

} // namespace bowhist
