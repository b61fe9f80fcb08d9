#include <bowhist/library/models.hpp>

#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/encode/preparation.hpp>
#include <bowhist/io/checked_stream.hpp>
#include <bowhist/io/input_file.hpp>
#include <bowhist/io/own_folders.hpp>
#include <bowhist/tables/vocabulary/model_file.hpp>
#include <bowhist/tables/vocabulary/tree_file.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <system_error>

namespace bowhist {
namespace fs = std::filesystem;
namespace {

/// The readers and writers of models know files: these lie in a folder that is removed.
class Files {
  public:
    Files() : folder_(ScratchFolder::temporary()) {
        if (folder_.path().empty())
            throw Error(Fault::output, "there is no room for temporary files; set TMPDIR");
    }

    fs::path operator/(const char *name) const { return folder_.path() / name; }

    static void write(const fs::path &path, std::string_view bytes) {
        CheckedStream file(path, printable(path));
        file.write(bytes);
        file.close();
    }

    static std::string read(const fs::path &path) {
        return InputFile(path, Fault::vocabulary).read_text();
    }

  private:
    ScratchFolder folder_;
};

constexpr std::string_view descends = " --descend"; // ends such a recipe

/// Bytes of the c.bin that a model begins with.
std::size_t size_of_words(std::string_view model) {
    std::array<std::uint32_t, 2> header{}; // k and D
    std::memcpy(header.data(), model.data(), std::min(model.size(), sizeof header));
    return std::min(model.size(), sizeof header + std::size_t{4} * header[0] * header[1]);
}

[[noreturn]] void fail_damaged(const StoredModel &stored, const fs::path &library) {
    throw Error(Fault::vocabulary,
                fmt::format("{}: its model of {} is damaged; make the library again", library,
                            stored.kind));
}

void require_fingerprint(const StoredModel &stored, const std::string &fingerprint,
                         const fs::path &library) {
    if (fingerprint != stored.fingerprint) fail_damaged(stored, library);
}

/// Whether a reason in errno lets the soundest file fail.
bool is_of_machine(int reason) {
    return reason == EMFILE || reason == ENFILE || reason == ENOMEM || reason == EIO;
}

/// A reader of files names temporary files, so the message names the library.
template <typename Read>
auto read_or_fail(const StoredModel &stored, const fs::path &library, const Read &read) {
    try {
        errno = 0;
        return read();
    } catch (const Error &error) {
        const int reason = errno;
        if (error.fault == Fault::interrupted) throw;
        if (is_of_machine(reason))
            throw Error(error.fault,
                        fmt::format("{}: its model of {} cannot be read: {}", library, stored.kind,
                                    std::generic_category().message(reason)));
        fail_damaged(stored, library);
    }
}

} // namespace

bool is_possible_model(std::string_view kind, std::int64_t size, std::string_view model) {
    if (!is_size_of_model(size, static_cast<std::int64_t>(model.size()))) return false;
    std::uint32_t words = 0; // the first number of a c.bin
    std::memcpy(&words, model.data(), std::min(model.size(), sizeof words));
    return kind == "code" || (kind == "words" && size == words);
}

std::string rule_of(const std::string &recipe) {
    return recipe.ends_with(descends) ? "descend" : "";
}

StoredModel stored(const VocabularyPair &words) {
    const auto recipe = words.recorded.recipe();
    if (!recipe)
        throw Error(Fault::vocabulary,
                    fmt::format("{}: how its descriptors were made is not recorded beside it, "
                                "which a library needs; train it with bowhist train",
                                words.path));
    const Preparation *preparation = words.recorded.preparation();
    const Files files;
    const fs::path path = files / "c.bin";
    write_vocabulary_pair(path, words.vocabulary, *words.recorded.sidecar);
    return {.kind = "words",
            .fingerprint = fingerprint_of_histograms(words),
            .recipe = as_options(*recipe) +
                      (preparation ? " --prepare " + as_text(preparation->steps) : "") +
                      (words.tree ? std::string(descends) : ""),
            .model =
                Files::read(path) + (words.tree ? tree_bytes(*words.tree, words.fingerprint) : ""),
            .record = Files::read(sidecar_path(path)),
            .size = words.vocabulary.size()};
}

StoredModel stored(const VladModel &code) {
    const Files files;
    const fs::path path = files / "code.npz";
    write_model(path, code);
    return {.kind = "code",
            .fingerprint = code.fingerprint,
            .recipe = as_options(code.recipe) + " --prepare " + as_text(code.preparation.steps),
            .model = Files::read(path),
            .record = {},
            .size = code.row_size()};
}

VocabularyPair words_model_of(const StoredModel &stored, const fs::path &library) {
    const Files files;
    const fs::path path = files / "c.bin";
    const std::size_t words = size_of_words(stored.model);
    const bool has_tree = words < stored.model.size();
    Files::write(path, std::string_view(stored.model).substr(0, words));
    Files::write(sidecar_path(path), stored.record);
    if (has_tree) Files::write(tree_path(path), std::string_view(stored.model).substr(words));
    VocabularyPair pair =
        read_or_fail(stored, library, [&] { return read_vocabulary_pair(path, has_tree); });
    require_fingerprint(stored, fingerprint_of_histograms(pair), library);
    pair.path = library;
    return pair;
}

VladModel code_model_of(const StoredModel &stored, const fs::path &library) {
    const Files files;
    const fs::path path = files / "code.npz";
    Files::write(path, stored.model);
    VladModel model = read_or_fail(stored, library, [&] { return read_model(path); });
    require_fingerprint(stored, model.fingerprint, library);
    return model;
}

LibraryModels read_models(std::span<const StoredModel> stored, const std::filesystem::path &library) {
    LibraryModels models;
    for (const StoredModel &model : stored)
        if (model.kind == "words")
            models.words = words_model_of(model, library);
        else
            models.code = code_model_of(model, library);
    return models;
}

} // namespace bowhist
