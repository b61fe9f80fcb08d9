// Two files cannot be replaced at once. So three renames follow each other:
//
//     1  the sidecar, which records both vocabularies
//     2  c.bin
//     3  the sidecar, which records the new vocabulary alone
//
// At every moment the sidecar has a record with the fingerprint of the c.bin beside it, and a
// reader takes that one.

#include <bowhist/tables/vocabulary/vocabulary_pair.hpp>

#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/io/input_file.hpp>
#include <bowhist/tables/formats/float_matrix.hpp>
#include <bowhist/tables/formats/sidecar_json.hpp>
#include <bowhist/tables/vocabulary/model_file.hpp>

#include <fmt/format.h>

#include <limits>
#include <system_error>

namespace bowhist {

namespace fs = std::filesystem;

namespace {

/// The vocabulary to be replaced, unless it is the new one itself. A pair that cannot be read, or
/// whose sidecar belongs to another vocabulary, is refused now and may stay refused.
std::optional<ReplacedVocabulary> replaced_at(const fs::path &vocabulary,
                                              const std::string &new_fingerprint) {
    try {
        VocabularyPair old = read_vocabulary_pair(vocabulary);
        if (old.recorded.of_another || old.fingerprint == new_fingerprint) return std::nullopt;
        return ReplacedVocabulary{old.fingerprint, std::move(old.recorded.sidecar)};
    } catch (const Error &) {
        return std::nullopt;
    }
}

AtomicFile prepared(const fs::path &path, std::string_view header, std::string_view content = {}) {
    AtomicFile file(path);
    file.write(header);
    file.write(content);
    file.close();
    return file;
}

/// Nothing where there is no sidecar that can be read.
std::optional<AtomicFile> copy_of_sidecar(const fs::path &vocabulary) {
    const fs::path path = sidecar_path(vocabulary);
    std::string text;
    try {
        text = InputFile(path, Fault::input).read_text();
    } catch (const Error &) {
        return std::nullopt;
    }
    return prepared(path, text);
}

AtomicFile prepared_vocabulary(const fs::path &path, const Vocabulary &vocabulary) {
    constexpr std::size_t most = std::numeric_limits<std::int32_t>::max(); // words are int32
    if (vocabulary.size() < 1 || vocabulary.size() > most || vocabulary.dimensions > most)
        throw Error(
            Fault::output,
            fmt::format("{}: cannot hold {} centroids of {} floats; it takes 1 to {} of each", path,
                        vocabulary.size(), vocabulary.dimensions, most));
    return prepared(path, fbin_header(vocabulary.size(), vocabulary.dimensions),
                    bytes_of(vocabulary.values));
}

} // namespace

VocabularyPair read_vocabulary_pair(const fs::path &vocabulary) {
    if (holds_model(vocabulary))
        throw Error(Fault::vocabulary,
                    fmt::format("{}: is a model of codes and no vocabulary; give c.bin, or make "
                                "codes with it: bowhist --centroids {} INPUT...",
                                vocabulary, vocabulary));
    for (std::string before;;) {
        VocabularyPair pair{vocabulary, read_vocabulary(vocabulary), {}, {}};
        pair.fingerprint = fingerprint(pair.vocabulary);
        pair.recorded = read_vocabulary_sidecar(vocabulary, pair.fingerprint);
        // a pair that was replaced between the two reads is read again
        if (!pair.recorded.of_another || pair.fingerprint == before) return pair;
        before = pair.fingerprint;
    }
}

std::string fingerprint_of_histograms(const VocabularyPair &pair) {
    const Preparation *preparation = pair.recorded.preparation();
    std::string all = pair.fingerprint;
    if (preparation != nullptr) all += text_of(as_json(*preparation), -1);
    if (pair.tree) all += pair.rule() + pair.tree->fingerprint;
    return all == pair.fingerprint ? all : fingerprint_of_bytes(all);
}

std::optional<WordWeights> weights_for(const VocabularyPair &pair, Normalization normalization) {
    if (!weighs(normalization)) return std::nullopt;
    const auto &sidecar = pair.recorded.sidecar;
    if (!sidecar || !sidecar->frequencies)
        throw Error(Fault::vocabulary,
                    fmt::format("{}: how many pictures hold each word is not recorded beside it, "
                                "which --normalize {} needs; train it again, with --idf 1000",
                                pair.path, name_of(normalization)));
    if (const auto fault = fault_of(*sidecar->frequencies, pair.vocabulary.size()))
        throw Error(Fault::vocabulary, fmt::format("{} holds {}; train the vocabulary again",
                                                   sidecar_path(pair.path), *fault));
    return weights_of(*sidecar->frequencies, normalization);
}

PairReplacement::PairReplacement(const fs::path &vocabulary, const Vocabulary &content,
                                 const VocabularySidecar &sidecar) {
    const auto replaces = replaced_at(vocabulary, sidecar.fingerprint);
    const fs::path path = sidecar_path(vocabulary);
    old_sidecar_ = copy_of_sidecar(vocabulary);
    renames_.push_back(prepared(path, sidecar_text(path, sidecar, replaces)));
    renames_.push_back(prepared_vocabulary(vocabulary, content));
    if (replaces) renames_.push_back(prepared(path, sidecar_text(path, sidecar)));
}

void PairReplacement::undo() {
    if (next_ > 2) return;
    std::error_code ignored; // the failure that led here is what counts
    if (old_sidecar_)
        old_sidecar_->commit();
    else
        fs::remove(renames_.front().destination(), ignored);
}

void write_vocabulary_pair(const fs::path &vocabulary, const Vocabulary &content,
                           const VocabularySidecar &sidecar) {
    PairReplacement replacement(vocabulary, content, sidecar);
    try {
        while (!replacement.done()) replacement.step();
    } catch (const Error &) {
        replacement.undo();
        throw;
    }
}

} // namespace bowhist
