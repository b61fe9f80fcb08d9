// Two files cannot be replaced at once. So the sidecar goes first and tells of both vocabularies,
// then comes c.bin, then the sidecar that tells of the new one alone. At every moment the sidecar
// holds a record with the fingerprint of the c.bin beside it; a reader takes that one.

#include <bowhist/tables/vocabulary/vocabulary_pair.hpp>

#include <bowhist/core/error.hpp>
#include <bowhist/io/input_file.hpp>

#include <system_error>

namespace bowhist {

namespace fs = std::filesystem;

namespace {

/// The vocabulary that lies there now, unless it is the new one itself. A pair that nobody can
/// read, or whose sidecar is of another vocabulary, is refused now and may stay so.
std::optional<ReplacedVocabulary> replaced_at(const fs::path &vocabulary,
                                              const std::string &new_fingerprint) {
    try {
        VocabularyPair old = read_vocabulary_pair(vocabulary);
        if (old.told.of_another || old.fingerprint == new_fingerprint) return std::nullopt;
        return ReplacedVocabulary{old.fingerprint, std::move(old.told.sidecar)};
    } catch (const Error &) {
        return std::nullopt;
    }
}

/// What InputFile refuses is not there.
std::optional<std::string> text_of(const fs::path &file) {
    try {
        return InputFile(file, Fault::input).read_text();
    } catch (const Error &) {
        return std::nullopt;
    }
}

/// The sidecar that lies there now, to be put back; nothing where there is none.
std::optional<AtomicFile> copy_of_sidecar(const fs::path &vocabulary) {
    const auto text = text_of(sidecar_path(vocabulary));
    if (!text) return std::nullopt;
    AtomicFile copy(sidecar_path(vocabulary));
    copy.write(*text);
    copy.close();
    return copy;
}

} // namespace

VocabularyPair read_vocabulary_pair(const fs::path &vocabulary) {
    for (std::string before;;) {
        VocabularyPair pair{vocabulary, read_vocabulary(vocabulary), {}, {}};
        pair.fingerprint = fingerprint(pair.vocabulary);
        pair.told = read_vocabulary_sidecar(vocabulary, pair.fingerprint);
        // a pair that was replaced between the two reads is read again
        if (!pair.told.of_another || pair.fingerprint == before) return pair;
        before = pair.fingerprint;
    }
}

PairReplacement::PairReplacement(const fs::path &vocabulary, const Vocabulary &content,
                                 const VocabularySidecar &sidecar) {
    const auto replaces = replaced_at(vocabulary, sidecar.fingerprint);
    old_sidecar_ = copy_of_sidecar(vocabulary);
    renames_.push_back(prepare_sidecar(vocabulary, sidecar, replaces));
    renames_.push_back(prepare_vocabulary(vocabulary, content));
    if (replaces) renames_.push_back(prepare_sidecar(vocabulary, sidecar));
    for (AtomicFile &file : renames_) file.close();
}

void PairReplacement::undo() {
    if (next_ > 2) return;
    std::error_code ignored; // the failure that led here is what counts
    const fs::path sidecar = renames_.front().destination();
    if (old_sidecar_)
        old_sidecar_->commit();
    else
        fs::remove(sidecar, ignored);
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
