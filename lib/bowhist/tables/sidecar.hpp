#pragma once

#include <bowhist/core/preprocessing.hpp>
#include <bowhist/io/atomic_file.hpp>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace bowhist {

/// How the descriptors behind a file were made; the same words as on the command line.
struct ExtractorRecord {
    std::string extractor; ///< "akaze", or "imported" for descriptors that came from files
    bool upright = false;
    double threshold = 0; ///< the extractor's own when 0
    std::size_t max_descriptors = 0;
    int max_side = 0; ///< pixels; 0 keeps the size
    Preprocessing preprocessing = {};

    bool operator==(const ExtractorRecord &) const = default;
    bool is_known() const { return extractor != "imported"; }

    /// True when descriptors made either way can be compared: the same extractor, turned alike, on
    /// pictures preprocessed alike. The other options say how many there are, not what they mean.
    bool comparable(const ExtractorRecord &other) const {
        return extractor == other.extractor && upright == other.upright &&
               preprocessing == other.preprocessing;
    }
};

/// "akaze --upright --max-side 1024": the record as on the command line.
std::string as_options(const ExtractorRecord &record);
/// " --equalize --blur 2 --filter sobel-x", the blank in front; empty when there is none.
std::string as_options(const Preprocessing &steps);

/// `c.bin.json`: what train knows about c.bin.
struct VocabularySidecar {
    ExtractorRecord extractor;
    std::uint64_t seed = 0;
    int iterations = 0;
    double inertia = 0; ///< sum over the training descriptors of the squared distance to their word
    std::uint64_t descriptors = 0; ///< how many were trained on
    std::string fingerprint;       ///< of c.bin
    std::string version;           ///< of bowhist

    bool operator==(const VocabularySidecar &) const = default;
};

/// The c.bin that a new one is about to replace.
struct ReplacedVocabulary {
    std::string fingerprint;
    std::optional<VocabularySidecar> sidecar; ///< nothing when it had none
};

/// What `c.bin.json` tells of one vocabulary.
struct SidecarAnswer {
    std::optional<VocabularySidecar> sidecar; ///< nothing when it is not known how it was made
    bool of_another = false; ///< there is a sidecar, but none that was written for this vocabulary

    /// What the vocabulary's descriptors were made with, where the sidecar knows.
    std::optional<ExtractorRecord> extractor() const {
        if (!sidecar || !sidecar->extractor.is_known()) return std::nullopt;
        return sidecar->extractor;
    }
};

/// `x.npy.json`: which picture the descriptors of x.npy are of.
struct DescriptorSidecar {
    std::string picture; ///< path bytes as given
    ExtractorRecord extractor;
};

/// The sidecar's path: the file's own with ".json" appended.
std::filesystem::path sidecar_path(const std::filesystem::path &file);

/// @param fingerprint of the vocabulary as it was read: a sidecar may hold two records
/// @throws Error{Fault::vocabulary} when there is a sidecar that cannot be read
SidecarAnswer read_vocabulary_sidecar(const std::filesystem::path &vocabulary,
                                      const std::string &fingerprint);
/// Nothing when there is no sidecar. @throws Error{Fault::input} when it cannot be read
std::optional<DescriptorSidecar> read_descriptor_sidecar(const std::filesystem::path &descriptors);

/// Everything but the commit(). While `replaces` may still lie there, it is told, too.
/// @throws Error{Fault::output}
AtomicFile prepare_sidecar(const std::filesystem::path &vocabulary,
                           const VocabularySidecar &sidecar,
                           const std::optional<ReplacedVocabulary> &replaces = {});
/// Whole or not at all. @throws Error{Fault::output}
void write_sidecar(const std::filesystem::path &descriptors, const DescriptorSidecar &sidecar);

} // namespace bowhist
