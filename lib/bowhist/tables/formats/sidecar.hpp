#pragma once

#include <bowhist/core/iteration.hpp>
#include <bowhist/core/recipe.hpp>
#include <bowhist/io/atomic_file.hpp>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace bowhist {

/// `c.bin.json`: what train knows about c.bin.
struct VocabularySidecar {
    static constexpr std::size_t most_iterations = 1000; ///< that are told

    Recipe recipe = {};
    std::uint64_t seed = 0;
    int iterations = 0;
    double inertia = 0; ///< sum over the training descriptors of the squared distance to their word
    std::uint64_t descriptors = 0;      ///< how many were trained on
    std::string fingerprint = {};       ///< of c.bin
    std::string version = {};           ///< of bowhist
    std::uint64_t seen = 0;             ///< descriptors that those trained on were drawn from
    std::string start = {};             ///< name_of(Start); empty: an older version's
    std::vector<Iteration> course = {}; ///< the first of them, most_iterations at most

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
    std::optional<Recipe> recipe() const {
        if (!sidecar || !sidecar->recipe.is_known()) return std::nullopt;
        return sidecar->recipe;
    }
};

/// What descriptors were made from, and by what: while all of it stays the same, so do they.
struct DescriptorOrigin {
    std::uint64_t bytes = 0;       ///< of the picture's file
    std::uint64_t modified = 0;    ///< when that was, in nanoseconds since 1970
    std::uint64_t fingerprint = 0; ///< of the descriptors: row_fingerprint()
    std::string version = {};      ///< of bowhist

    bool operator==(const DescriptorOrigin &) const = default;
};

/// `x.npy.json`: which picture the descriptors of x.npy are of.
struct DescriptorSidecar {
    std::string picture; ///< path bytes as given
    Recipe recipe = {};
    std::optional<DescriptorOrigin> origin = {}; ///< nothing where it is not known
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
AtomicFile prepare_sidecar(const std::filesystem::path &descriptors,
                           const DescriptorSidecar &sidecar);

} // namespace bowhist
