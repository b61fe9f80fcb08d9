#include "app/search/library_of_inputs.hpp"

#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/core/said_once.hpp>
#include <bowhist/io/atomic_file.hpp>
#include <bowhist/library/library.hpp>

#include <fmt/format.h>

#include <string>

namespace bowhist::app {
namespace {

/// A vocabulary of one word, for images that have none.
void write_one_word(const std::filesystem::path &path) {
    constexpr std::size_t dimensions = 64;
    std::string bytes{1, 0, 0, 0, dimensions, 0, 0, 0}; // k and D
    bytes.resize(bytes.size() + dimensions * sizeof(float));
    AtomicFile file(path);
    file.write(bytes);
    file.commit();
}

} // namespace

LibraryOfInputs::LibraryOfInputs(IndexRequest request, Observer &to) {
    SaidOnce observer(to);
    const std::filesystem::path wanted = request.library;
    if (wanted.empty()) request.library = scratch_place();
    path_ = request.library;
    try {
        skipped_ = index_library(request, observer).skipped;
    } catch (const Error &error) {
        // nothing to learn words from
        const bool may_be_flat = error.fault == Fault::input && request.models.empty();
        if (!may_be_flat || is_library(path_) || !make_without_words(request, observer)) throw;
        if (!wanted.empty())
            observer.warning(
                fmt::format("{}: not made, as no picture has a keypoint to learn words "
                            "from; all were compared by their pixels",
                            wanted));
    }
}

std::filesystem::path LibraryOfInputs::scratch_place() {
    if (!scratch_) scratch_.emplace(ScratchFolder::temporary());
    return scratch_->path() / "photos.bow";
}

/// @return whether an image could be read
bool LibraryOfInputs::make_without_words(IndexRequest request, Observer &observer) {
    path_ = request.library = scratch_place();
    const std::filesystem::path word = scratch_->path() / "word.bin";
    write_one_word(word);
    request.models = {word};
    request.code = false;
    try {
        skipped_ = index_library(request, observer).skipped;
    } catch (const Error &error) { // the caller's says it better
        if (error.fault != Fault::input) throw;
        return false;
    }
    return Library(path_).has_images();
}

} // namespace bowhist::app
