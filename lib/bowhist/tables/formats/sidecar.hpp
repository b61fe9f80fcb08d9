#pragma once

#include <bowhist/core/observer.hpp>
#include <bowhist/core/preparation.hpp>
#include <bowhist/core/recipe.hpp>
#include <bowhist/core/weights.hpp>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace bowhist {

/// `c.bin.json`: how c.bin was made.
struct VocabularySidecar {
    static constexpr std::size_t most_iterations = 1000; ///< that are recorded

    Recipe recipe = {};
    std::uint64_t seed = 0;
    int iterations = 0;
    double inertia = 0; ///< sum over the training descriptors of the squared distance to their word
    std::uint64_t descriptors = 0;      ///< how many were trained on
    std::string fingerprint = {};       ///< of c.bin
    std::string version = {};           ///< of bowhist
    std::uint64_t seen = 0;             ///< descriptors that those trained on were drawn from
    std::string start = {};             ///< name_of(Start); empty where unknown
    std::vector<Iteration> course = {}; ///< the first most_iterations
    std::optional<Preparation> preparation = {};     ///< of descriptors before words
    std::optional<WordFrequencies> frequencies = {}; ///< of the words in images
    std::string tree = {}; ///< fingerprint of c.bin.tree; empty where there was none

    bool operator==(const VocabularySidecar &) const = default;
};

/// The record of `c.bin.json` about one vocabulary.
struct SidecarAnswer {
    std::optional<VocabularySidecar> sidecar; ///< empty when it is not known how it was made
    bool of_another = false; ///< there is a sidecar, written for another vocabulary

    /// The recipe that the vocabulary's descriptors were made with; empty if it is not recorded.
    std::optional<Recipe> recipe() const {
        if (!sidecar || !sidecar->recipe.is_known()) return std::nullopt;
        return sidecar->recipe;
    }
    /// The preparation of descriptors before words are found; null if there is no preparation.
    const Preparation *preparation() const {
        return sidecar && sidecar->preparation ? &*sidecar->preparation : nullptr;
    }
};

/// The file and the version that descriptors were made from. The same origin gives the same
/// descriptors.
struct DescriptorOrigin {
    std::uint64_t bytes = 0;       ///< size of the image's file
    std::uint64_t modified = 0;    ///< its last change, in nanoseconds since 1970
    std::uint64_t fingerprint = 0; ///< row_fingerprint() of the descriptors
    std::string version = {};      ///< of bowhist

    bool operator==(const DescriptorOrigin &) const = default;
};

/// `x.npy.json`: whose descriptors x.npy holds.
struct DescriptorSidecar {
    std::string image; ///< path bytes as given
    Recipe recipe = {};
    std::optional<DescriptorOrigin> origin = {}; ///< empty where unknown
};

/// The fingerprint of an image's descriptors in sidecars: XXH3-64 with seed 0.
/// @param rows  end to end
std::uint64_t row_fingerprint(std::span<const float> rows);

/// The sidecar's path: the file's own with ".json" appended.
std::filesystem::path sidecar_path(const std::filesystem::path &file);

/// @param fingerprint of the vocabulary as it was read: a sidecar may hold two records
/// @throws Error{Fault::vocabulary} when there is a sidecar that cannot be read
SidecarAnswer read_vocabulary_sidecar(const std::filesystem::path &vocabulary,
                                      const std::string &fingerprint);
/// Empty when there is no sidecar. @throws Error{Fault::input} when it cannot be read
std::optional<DescriptorSidecar> read_descriptor_sidecar(const std::filesystem::path &descriptors);

} // namespace bowhist
