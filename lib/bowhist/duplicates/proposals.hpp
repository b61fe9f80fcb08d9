#pragma once

#include <bowhist/compare/best_images.hpp>
#include <bowhist/core/observer.hpp>
#include <bowhist/duplicates/candidates.hpp>
#include <bowhist/duplicates/numbered_images.hpp>
#include <bowhist/search/index_part.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace bowhist {

/// The images that are most like one, by their numbers: the highest score first, of equal ones the
/// lower number; only scores above 0. It may be among them itself.
struct Proposals {
    std::vector<ScoredImage> words;
    std::vector<ScoredImage> mirrored; ///< like its mirror image, by words
    std::vector<ScoredImage> codes;

    bool operator==(const Proposals &) const = default;
};

/// How many images are proposed, if there are as many: one more than are wanted, as an image finds
/// itself.
struct ProposalLimits {
    explicit ProposalLimits(std::size_t most) : words(most + 1), codes((most + 1) / 2 + 1) {}

    std::size_t words; ///< and of mirror images
    std::size_t codes; ///< which a mirror image shares
};

/// Images that can be found, and the number of each.
struct FindableImages {
    const IndexPart &part;
    std::span<const std::uint32_t> numbers;
};

/// Proposals of all images while pairs of them are compared. The mirror image of the lower number
/// is held against the other image: so one score is that of both.
class PairedProposals {
  public:
    PairedProposals(std::size_t images, const ProposalLimits &limits)
        : limits_(limits), words_(images, limits.words), mirrored_(images, limits.words),
          codes_(images, limits.codes) {}

    /// Compares each query with the findable images whose numbers are not below its own.
    /// @param queries   numbers of images, falling: so it takes least; each pair is compared once
    /// @param findable  with numbers that fall
    void compare(const NumberedImages &images, std::span<const std::uint32_t> queries,
                 const FindableImages &findable, Observer &observer);
    /// The proposals of an image; once.
    Proposals take(std::uint32_t image) {
        return {words_.take(image), mirrored_.take(image), codes_.take(image)};
    }

  private:
    ProposalLimits limits_;
    BestOfEach words_, mirrored_, codes_;
};

/// Searches for some images, without a view to what else they are proposed for: mirror images of
/// all queries are held against what can be found.
/// @param queries  numbers of images
std::vector<Proposals> propose(const NumberedImages &images, std::span<const std::uint32_t> queries,
                               const FindableImages &findable, const ProposalLimits &limits,
                               Observer &observer);

/// The proposals of all images from those of two parts of them, which may overlap.
Proposals joined(const Proposals &one, const Proposals &other, const ProposalLimits &limits);

/// The pairs of images of which one proposes the other. In their order, each once.
/// @param proposals  of each image, by its number
std::vector<CandidatePair> candidate_pairs(std::span<const Proposals> proposals);

} // namespace bowhist
