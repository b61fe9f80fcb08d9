#include <bowhist/duplicates/duplicates.hpp>

#include <bowhist/core/default_floats.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/duplicates/agreements.hpp>
#include <bowhist/duplicates/candidate_search.hpp>
#include <bowhist/duplicates/duplicate_groups.hpp>
#include <bowhist/duplicates/frames.hpp>
#include <bowhist/duplicates/full_images.hpp>
#include <bowhist/duplicates/hidden_changes.hpp>
#include <bowhist/duplicates/pages.hpp>
#include <bowhist/duplicates/pair_check.hpp>
#include <bowhist/duplicates/pixels/maps.hpp>
#include <bowhist/io/ending.hpp>
#include <bowhist/io/near_names.hpp>
#include <bowhist/library/not_same.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string_view>
#include <utility>

namespace bowhist {
namespace {

constexpr std::size_t few_words = 24; ///< of an image: its pixels are compared

Preferences preferences_of(const DuplicatesRequest &request) {
    Preferences preferences = request.prefer;
    if (preferences.order.empty()) preferences.order = usual_preferences();
    return preferences;
}

class DuplicateSearch {
  public:
    DuplicateSearch(const DuplicatesRequest &request, const ReportPair &report, Observer &observer)
        : request_(request), report_(report), observer_(observer),
          searched_(request, preferences_of(request)), not_same_(read_not_same(request.library)),
          kept_(request.library, searched_.words_fingerprint(), searched_.images(),
                searched_.has_codes()),
          frame_counts_(searched_.images()), agreements_(searched_) {}

    Duplicates run() {
        Duplicates result;
        warn_of_empty_folders();
        for (std::uint32_t i = 0; i < searched_.size(); ++i)
            result.images += searched_[i].images.size();
        if (searched_.size() > 1) {
            const std::size_t most = request_.max_candidates;
            const CandidateSearch search =
                is_whole() ? search_new_candidates(searched_, kept_, most, observer_)
                           : search_candidates(searched_, most, observer_);
            check(candidate_pairs(search.proposals));
            check(pairs_with_the_best());
            add_witnessed();
            compare_pixel_hashes();
            read_qualities();
            divide(result);
            if (is_whole()) kept_.write(search.proposals, most, search.is_new);
        } else {
            CopyDivision(searched_, agreements_).finish(result);
        }
        std::ranges::sort(result.groups, {}, [](const DuplicateGroup &group) {
            return std::pair(group.scene, group.images.front().image.path);
        });
        return result;
    }

  private:
    void warn_of_empty_folders() const {
        if (!request_.keep.empty() && !searched_.has_kept())
            observer_.warning(
                fmt::format("{}: no picture lies below this folder, so it keeps none{}",
                            std::filesystem::path(request_.keep.front()),
                            did_you_mean_on_disk(request_.keep.front())));
        if (!request_.within.empty() && searched_.size() == 0)
            observer_.warning(fmt::format("{}: no picture lies below this folder{}",
                                          std::filesystem::path(request_.within),
                                          did_you_mean_on_disk(request_.within)));
    }

    const NumberedImages &images() const { return searched_.images(); }

    /// All of a library that stays: what was found out of a part would replace the rest.
    bool is_whole() const {
        return request_.keep_checks && request_.within.empty() && !searched_.has_reference();
    }

    /// Groups are formed again as long as a close look finds that a copy must stay.
    void divide(Duplicates &result) {
        const auto is_compared = [&](Agreements::Pair pair) { return sides_left(pair).empty(); };
        std::map<std::array<std::uint32_t, 3>, std::optional<std::uint32_t>> answers;
        const auto follows = [&](std::uint32_t image, std::uint32_t one, std::uint32_t other) {
            const auto [answer, is_new] = answers.try_emplace({image, one, other});
            if (is_new) answer->second = followed(image, one, other);
            return answer->second;
        };
        for (;;) {
            check(sides_left(CopyDivision(searched_, agreements_).open_questions(is_compared)));
            CopyDivision division(searched_, agreements_);
            division.settle(follows);
            if (keep_hidden_changes(images(), division.moves(), agreements_, kept_, observer_))
                continue;
            return division.finish(result);
        }
    }

    std::optional<std::uint32_t> followed(std::uint32_t image, std::uint32_t one,
                                          std::uint32_t other) const {
        const auto map_to = [&](std::uint32_t with) {
            const AffineMap &map = agreements_.of(image, with).pair.pixels.map;
            return image < with ? map : inverse(map);
        };
        const auto first = follows_first(images()[image], images()[one], map_to(one),
                                         images()[other], map_to(other));
        if (!first) return std::nullopt;
        return *first ? one : other;
    }

    /// On which sides pairs were not compared: a pair may have been a candidate on one of them.
    std::vector<CandidatePair> sides_left(std::span<const Agreements::Pair> pairs) const {
        std::vector<CandidatePair> sides;
        for (const auto &[first, second] : pairs)
            for (const bool mirrored : {false, true})
                if (const CandidatePair side{first, second, mirrored}; !compared_.contains(side))
                    sides.push_back(side);
        return sides;
    }
    std::vector<CandidatePair> sides_left(const Agreements::Pair &pair) const {
        return sides_left(std::span(&pair, 1));
    }

    /// Looks how well images show something that have copies: within a frame, of the picture alone.
    void read_qualities() {
        std::map<std::uint32_t, PartOfImage> parts;
        const auto whole = [&](std::uint32_t image) {
            return PartOfImage{0, 0, images()[image].width, images()[image].height};
        };
        for (const CopyEdge &edge : agreements_.copies())
            for (const std::uint32_t image : {edge.first, edge.second}) {
                const auto place = parts.try_emplace(image, whole(image)).first;
                const std::uint32_t other = image == edge.first ? edge.second : edge.first;
                const Agreement &agreement = agreements_.of(image, other);
                if (!agreement.judgement.side(image < other).surrounded) continue;
                const AffineMap &map = agreement.pair.pixels.map;
                place->second = common_part(
                    place->second, part_under(image < other ? inverse(map) : map, whole(other)));
            }
        for (const auto &[image, quality] : image_qualities(images(), parts, kept_, observer_))
            agreements_.set_quality(image, quality);
    }

    void check(const std::vector<CandidatePair> &pairs) {
        compared_.insert(pairs.begin(), pairs.end());
        std::vector<CheckedPair> checked =
            check_pairs(images(), searched_.words_recipe(), pairs, kept_, observer_);
        std::vector<Judgement> judgements;
        for (const CheckedPair &pair : checked) {
            if (report_)
                report_(images()[pair.pair.first].path, images()[pair.pair.second].path, pair);
            judgements.push_back(judge(pair, request_.match));
        }
        std::vector<char> unproven =
            settle_pages(images(), checked, judgements, request_.match, kept_, observer_);
        const auto stills =
            settle_frames(images(), frame_counts_, checked, judgements, unproven, kept_, observer_);
        for (std::size_t i = 0; i < checked.size(); ++i) {
            const CandidatePair &pair = checked[i].pair;
            const Judgement &judgement = judgements[i];
            if (!judgement.copy && !judgement.different && !unproven[i] && !stills[i] &&
                judge(checked[i], request_.match, Witness::agrees_with_both).copy)
                waiting_.push_back(checked[i]);
            if (are_not_same(pair.first, pair.second)) continue;
            if (judgement.different) agreements_.add_difference(pair.first, pair.second);
            if (searched_.has_reference() &&
                searched_[pair.first].is_reference == searched_[pair.second].is_reference)
                continue; // asked for a difference alone
            if (judgement.copy || judgement.first.holds || judgement.second.holds ||
                (request_.scene && judgement.scene))
                agreements_.add({.pair = std::move(checked[i]),
                                 .judgement = judgement,
                                 .unproven = unproven[i] != 0,
                                 .frame = stills[i]});
        }
    }

    /// Joins pairs of few places that another image agrees with, as the original's mirror image
    /// does with the original and with its part under a text.
    void add_witnessed() {
        std::map<std::uint32_t, std::set<std::uint32_t>> bare, any; // by what lies over them
        for (const Agreement &agreement : agreements_.all()) {
            const auto [first, second, mirrored] = agreement.pair.pair;
            if (!agreement.is_copy()) continue;
            for (const auto &[one, other] : {std::pair(first, second), std::pair(second, first)}) {
                any[one].insert(other);
                if (!agreement.judgement.overlaid) bare[one].insert(other);
            }
        }
        const auto agree = [&](std::uint32_t one, std::uint32_t other) {
            return std::ranges::any_of(
                bare[one], [&](std::uint32_t witness) { return any[other].contains(witness); });
        };
        for (CheckedPair &pair : waiting_) {
            const auto [first, second, mirrored] = pair.pair;
            if (agreements_.contains(first, second) || agreements_.differ(first, second) ||
                are_not_same(first, second) || !(agree(first, second) || agree(second, first)))
                continue;
            const Judgement judgement = judge(pair, request_.match, Witness::agrees_with_both);
            agreements_.add({.pair = std::move(pair), .judgement = judgement});
        }
    }

    bool are_not_same(std::uint32_t first, std::uint32_t second) const {
        return not_same_.contains({images()[first].hash, images()[second].hash});
    }

    /// Copies of the same size may have the same pixels; images of few words are found by these
    /// alone.
    void compare_pixel_hashes() {
        std::map<std::pair<int, int>, std::vector<std::uint32_t>> poor; // by their size
        std::set<std::uint32_t> wanted;
        for (std::uint32_t i = 0; i < images().size(); ++i)
            if (images().words(i).words.size() < few_words)
                poor[{images()[i].width, images()[i].height}].push_back(i);
        for (const auto &[size, some] : poor)
            if (some.size() > 1) wanted.insert(some.begin(), some.end());
        for (const Agreement &agreement : agreements_.all())
            for (const std::uint32_t image :
                 {agreement.pair.pair.first, agreement.pair.pair.second})
                if (may_be_equal(agreement) || (agreement.is_copy() && may_hold_more(image)))
                    wanted.insert(image);
        const std::map<std::uint32_t, WholePixels> pixels =
            whole_pixels(images(), frame_counts_, {wanted.begin(), wanted.end()}, kept_, observer_);
        for (const auto &[image, whole] : pixels) agreements_.set_held(image, whole.held);
        for (Agreement &agreement : agreements_.all())
            if (may_be_equal(agreement))
                agreement.equal_pixels = pixels.at(agreement.pair.pair.first)
                                             .equals(pixels.at(agreement.pair.pair.second));
        for (const auto &[size, some] : poor)
            if (some.size() > 1) join_equal(some, pixels);
    }

    /// Joins equal stills, and equal animations. A still is joined to each animation that begins
    /// with it.
    void join_equal(const std::vector<std::uint32_t> &some,
                    const std::map<std::uint32_t, WholePixels> &pixels) {
        std::map<std::string, std::uint32_t> stills, animations; // the first of each hash
        for (const std::uint32_t image : some) {
            const WholePixels &whole = pixels.at(image);
            if (!whole.is_known()) continue;
            auto &alike = whole.is_still ? stills : animations;
            const auto [found, is_new] = alike.try_emplace(whole.hash + whole.frames, image);
            if (!is_new) add_equal(found->second, image);
        }
        for (const auto &[hash, image] : animations)
            if (const auto still = stills.find(pixels.at(image).hash); still != stills.end())
                add_equal(still->second, image, still->second);
    }

    /// Whether an image's name ends as one with alpha or more than 8 bits of a color may.
    bool may_hold_more(std::uint32_t image) const {
        static constexpr std::array<std::string_view, 8> endings = {
            ".png", ".tif", ".tiff", ".webp", ".jp2", ".pgm", ".ppm", ".pnm"};
        return std::ranges::find(endings, ending_of(images()[image].file())) != endings.end();
    }

    bool may_be_equal(const Agreement &agreement) const {
        const LibraryImage &one = images()[agreement.pair.pair.first];
        const LibraryImage &other = images()[agreement.pair.pair.second];
        return agreement.judgement.copy && one.width == other.width && one.height == other.height &&
               agreement.pair.pixels.agreement.deviation < 2;
    }

    /// @param still  which of them is a still, when the other one is an animation
    void add_equal(std::uint32_t one, std::uint32_t other,
                   std::optional<std::uint32_t> still = std::nullopt) {
        const auto [first, second] = std::minmax(one, other);
        const bool known = agreements_.contains(first, second);
        const bool across = !searched_.has_reference() ||
                            searched_[first].is_reference != searched_[second].is_reference;
        if (known || !across || are_not_same(first, second)) return;
        Agreement agreement;
        agreement.pair.pair = {first, second, false};
        agreement.pair.pixels.compared =
            static_cast<std::size_t>(std::min(images()[first].width, images()[first].height));
        agreement.judgement.copy = true;
        agreement.judgement.score = 1;
        agreement.equal_pixels = true;
        agreement.frame = still;
        agreements_.add(std::move(agreement));
    }

    /// The pairs of an image and the best of its group that were no candidates: a group may be
    /// larger than the number of candidates.
    std::vector<CandidatePair> pairs_with_the_best() const {
        std::set<Agreements::Pair> pairs;
        for (const auto &some : components(images().size(), agreements_.copies())) {
            const std::uint32_t best = agreements_.best_of(some);
            for (const std::uint32_t image : some) {
                const Agreements::Pair pair = std::minmax(image, best);
                if (image == best || agreements_.contains(pair.first, pair.second)) continue;
                if (searched_.has_reference() && searched_[image].is_reference) continue;
                pairs.insert(pair);
            }
        }
        return sides_left(std::vector(pairs.begin(), pairs.end()));
    }

    const DuplicatesRequest &request_;
    const ReportPair &report_;
    Observer &observer_;
    SearchedImages searched_;
    NotSame not_same_;
    KeptPairs kept_;
    FrameCounts frame_counts_;
    std::set<CandidatePair> compared_;
    std::vector<CheckedPair> waiting_; ///< for an image that agrees with both
    Agreements agreements_;
};

} // namespace

Duplicates find_duplicates(const DuplicatesRequest &request, const ReportPair &report,
                           Observer &observer) {
    const DefaultFloats floats;
    return DuplicateSearch(request, report, observer).run();
}

Duplicates find_duplicates(const DuplicatesRequest &request, Observer &observer) {
    return find_duplicates(request, {}, observer);
}

// Copies that could go, and what stays for each.

std::optional<std::size_t> kept_for(const DuplicateGroup &group, std::size_t image) {
    for (std::size_t steps = 0; steps < group.images.size(); ++steps) {
        if (!is_spare(group.images[image])) return image;
        image = group.images[image].with;
    }
    return std::nullopt;
}

std::size_t Duplicates::copies() const {
    std::size_t sum = 0;
    for (const DuplicateGroup &group : groups)
        for (const Duplicate &image : group.images) sum += is_spare(image);
    return sum;
}

std::uint64_t Duplicates::bytes() const {
    std::uint64_t sum = 0;
    for (const DuplicateGroup &group : groups)
        for (const Duplicate &image : group.images)
            if (is_spare(image)) sum += image.image.stamp.size;
    return sum;
}

} // namespace bowhist
