#pragma once

#include <bowhist/duplicates/candidates.hpp>
#include <bowhist/duplicates/frame_comparison.hpp>
#include <bowhist/duplicates/numbered_images.hpp>
#include <bowhist/duplicates/pixels/image_detail.hpp>
#include <bowhist/duplicates/pixels/pixel_comparison.hpp>
#include <bowhist/duplicates/proposals.hpp>
#include <bowhist/duplicates/shared_geometry.hpp>

#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace bowhist {

/// The result of a close look at a pair of pages.
struct PageCheck {
    std::size_t replaced = 0; ///< blocks that show something else, with letters of their own
    LetterAgreement letters = {};
    std::size_t compared = 0; ///< pixels of the smaller side; 0: a file could not be read
};

/// The things that pixels may hold beyond opaque colors of 8 bits.
enum HeldBeyond : std::uint32_t { holds_more_bits = 1, holds_alpha = 2 };

/// The result of a close look at a pair of which one image may go.
struct HiddenCheck {
    LocalChange change = {};
    std::size_t first_own = 0;  ///< if it is clear: pixels at whose edge the first begins something
    std::size_t second_own = 0; ///< the same of the second
    std::size_t of_both = 0;    ///< 1: each shows something of its own
    PartOfImage filled = {};    ///< of the first image: differs throughout, or nothing
    std::size_t compared = 0;   ///< pixels of the smaller side; 0: a file could not be read

    /// Whether what differs lies over one of the two, and little over the other.
    bool is_laid_over(bool first) const {
        constexpr std::size_t much_more = 2;
        if (change.is_clear_unlaid(first)) return false;
        return first ? first_own >= much_more * second_own : second_own >= much_more * first_own;
    }
};

/// The results of checking a pair, as far as the check came.
struct KeptCheck {
    SharedGeometry geometry = {};
    std::optional<PixelComparison> pixels = {}; ///< without its blocks
    std::optional<PageCheck> page = {};
    std::optional<FrameComparison> frames = {}; ///< of the frames behind the first ones
    std::optional<HiddenCheck> hidden = {};
};

/// Checks of pairs, and proposals of candidates, that a library keeps. Each image stands there by a
/// hash of all that is read of it: the bytes of its file, its size, words, places, code and
/// thumbnail. So checks hold whatever else a library gains or loses. One thread at a time.
class KeptPairs {
  public:
    /// Reads what the library kept by the same rule.
    /// @param words  the fingerprint of the words' model
    KeptPairs(const std::filesystem::path &library, const std::string &words,
              const NumberedImages &images, bool has_codes);

    /// Its own check, or that of a pair that looks the same, without what reads files.
    std::optional<KeptCheck> find(const CandidatePair &pair) const;
    void put(const CandidatePair &pair, const KeptCheck &check);

    /// Two images that look the same to a check as the pair's: files of other bytes may have the
    /// same size, words, places and thumbnail. No candidates: the first may be the higher number.
    CandidatePair look_of(const CandidatePair &pair) const {
        return {looks_[pair.first], looks_[pair.second], pair.mirrored};
    }

    /// The results of reading all pixels of an image; empty if none are kept.
    struct Pixels {
        std::string hash = {};
        std::optional<ImageQuality> quality = {}; ///< of the part
        PartOfImage part = {};
        std::string frames = {}; ///< a hash of all frames; only with `hash`
        std::uint32_t held = 0;  ///< bits of HeldBeyond; only with `hash`
    };
    const Pixels &pixels(std::uint32_t image) const { return pixels_[image]; }
    void put_pixels(std::uint32_t image, const Pixels &pixels);

    /// The kept proposals whose images are still there; nothing if none are known.
    std::optional<Proposals> proposals(std::uint32_t image, std::size_t most) const;

    /// Keeps all in the library, unless it cannot be written or another run writes it.
    void write(std::span<const Proposals> proposals, std::size_t most, bool are_new) const;

  private:
    void read_pairs(std::uint32_t first, const std::string &bytes,
                    const std::map<std::string, std::uint32_t> &numbers);

    std::filesystem::path library_;
    std::string rule_;
    std::vector<std::string> hashes_;  ///< of each image
    std::vector<std::uint32_t> looks_; ///< the first image that looks the same
    std::vector<Pixels> pixels_;
    std::vector<std::string> proposals_; ///< as they were kept; empty: none
    std::map<std::size_t, std::uint32_t> numbers_then_;
    std::map<CandidatePair, std::string> checks_;  ///< empty where too few places agree
    std::map<CandidatePair, CandidatePair> alike_; ///< of each look a pair that was checked
    bool is_changed_ = false;
};

} // namespace bowhist
