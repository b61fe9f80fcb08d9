#include <bowhist/duplicates/duplicates.hpp>

#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/duplicates/best_copy.hpp>
#include <bowhist/duplicates/copy_groups.hpp>
#include <bowhist/duplicates/judgement.hpp>
#include <bowhist/duplicates/maps.hpp>
#include <bowhist/duplicates/mirrored_vocabulary.hpp>
#include <bowhist/library/models.hpp>
#include <bowhist/library/not_same.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

namespace bowhist {
namespace {

/// Images of the same bytes: the one that stands for them first, then by their paths.
struct Content {
    std::vector<LibraryImage> images = {};
    std::size_t kept = 0; ///< images at the front that are never to be removed
    bool is_ours = false; ///< of the library that is searched
    bool is_reference = false;
};

/// Whether an image lies below a folder.
bool lies_within(const std::string &path, std::string folder) {
    if (folder.empty()) return true;
    if (folder.back() != '/') folder += '/';
    return path.starts_with(folder);
}

constexpr std::size_t few_words = 24;      ///< of an image: its pixels are compared
constexpr std::size_t replaced_blocks = 3; ///< of a page that has another text
constexpr double page_share = 0.5;         ///< of about one level: the paper

bool is_page(const CheckedPair &pair) {
    return pair.pixels.plain >= page_share;
}

/// A pair of contents that agree.
struct Agreement {
    CheckedPair pair;
    Judgement judgement;
    bool equal_pixels = false;
};

class DuplicateSearch {
  public:
    DuplicateSearch(const DuplicatesRequest &request, Observer &observer)
        : request_(request), observer_(observer), library_(request.library),
          preferences_(request.prefer.empty() ? usual_preferences() : request.prefer) {
        require_words();
        recipe_ = library_.describing_models().words->recorded.recipe().value();
        if (!request.against.empty()) {
            reference_.emplace(request.against);
            require_same_models();
        }
        // By their hashes, so that nothing depends on paths or on what came first.
        std::map<std::string, Content> by_hash;
        library_.for_each_image([&](const LibraryImage &image) {
            if (lies_within(image.path, request.within)) add(image, false, by_hash[image.hash]);
        });
        if (reference_)
            reference_->for_each_image(
                [&](const LibraryImage &image) { add(image, true, by_hash[image.hash]); });
        for (auto &[hash, content] : by_hash) number(std::move(content));
        whole_.resize(images_.size());
        if (lacks_mirrored_words())
            images_.set_mirrored_vocabulary(
                mirrored_vocabulary(*library_.describing_models().words));
    }

    Duplicates run() {
        Duplicates result;
        for (const Content &content : contents_) result.images += content.images.size();
        if (images_.size() > 1) {
            check(candidates());
            check(pairs_with_the_best());
            compare_pixel_hashes();
        }
        find_groups(result);
        std::ranges::sort(result.groups, {}, [](const DuplicateGroup &group) {
            return group.images.front().image.path;
        });
        return result;
    }

  private:
    void require_words() const {
        if (library_.models().contains("words") && library_.has_positions()) return;
        throw Error(Fault::usage,
                    fmt::format("{} does not hold where words lie, by which copies are found; make "
                                "another library: bowhist index -o NEW.bow INPUT...",
                                request_.library));
    }

    /// By the first image with words of each library.
    bool lacks_mirrored_words() const {
        for (const bool of_reference : {false, true})
            for (std::uint32_t i = 0; i < images_.size(); ++i) {
                if (contents_[i].is_reference != of_reference) continue;
                const Library::Words words = images_.words(i);
                if (words.words.empty()) continue;
                if (words.mirrored.empty()) return true;
                break;
            }
        return false;
    }

    void require_same_models() const {
        const auto ours = library_.models(), theirs = reference_->models();
        const auto words = theirs.find("words");
        if (words != theirs.end() && reference_->has_positions() &&
            words->second.fingerprint == ours.at("words").fingerprint)
            return;
        throw Error(Fault::usage,
                    fmt::format("{} and {} have other models; make the one with those of the "
                                "other: bowhist index -o NEW.bow --centroids {} INPUT...",
                                request_.library, request_.against, request_.against));
    }

    /// Kept ones in front.
    void add(const LibraryImage &image, bool of_reference, Content &content) const {
        const bool kept =
            of_reference || (!request_.keep.empty() && lies_within(image.path, request_.keep));
        content.images.insert(
            content.images.begin() +
                static_cast<std::ptrdiff_t>(kept ? content.kept : content.images.size()),
            image);
        content.kept += kept;
        (of_reference ? content.is_reference : content.is_ours) = true;
    }

    void number(Content &&content) {
        const auto better = [&](const LibraryImage &a, const LibraryImage &b) {
            return is_better(a, {}, b, {}, preferences_);
        };
        const auto middle = content.images.begin() + static_cast<std::ptrdiff_t>(content.kept);
        std::sort(content.images.begin(), middle, better);
        std::sort(middle, content.images.end(), better);
        images_.add(content.is_reference ? *reference_ : library_, content.images.front());
        contents_.push_back(std::move(content));
    }

    bool has_codes() const {
        return library_.models().contains("code") &&
               (!reference_ || (reference_->models().contains("code") &&
                                reference_->models().at("code").fingerprint ==
                                    library_.models().at("code").fingerprint));
    }

    /// All pairs, or those of one image of each library.
    std::vector<CandidatePair> candidates() {
        std::vector<std::uint32_t> queries, numbers;
        std::vector<LibraryImage> findable;
        for (std::uint32_t i = 0; i < contents_.size(); ++i) {
            if (contents_[i].is_ours) queries.push_back(i);
            if (reference_ && !contents_[i].is_reference) continue;
            numbers.push_back(i);
            findable.push_back(images_[i]);
        }
        if (queries.empty() || findable.empty()) return {};
        const ResidentImages resident(reference_ ? *reference_ : library_, std::move(findable),
                                      true, has_codes(), observer_);
        return candidate_pairs(images_, queries, {resident, numbers}, request_.max_candidates,
                               observer_);
    }

    void check(const std::vector<CandidatePair> &pairs) {
        for (const CandidatePair &pair : pairs) checked_.emplace(pair.first, pair.second);
        std::vector<CheckedPair> checked = check_pairs(images_, recipe_, pairs, observer_);
        const std::set<std::size_t> pages = pages_that_differ(checked);
        for (std::size_t i = 0; i < checked.size(); ++i) {
            const CandidatePair &pair = checked[i].pair;
            if (request_.report)
                request_.report(images_[pair.first].path, images_[pair.second].path, checked[i]);
            if (are_not_same(pair.first, pair.second)) continue;
            Judgement judgement = judge(checked[i], request_.match);
            if (pages.contains(i)) judgement.copy = false;
            if (judgement.copy || (request_.scene && judgement.scene))
                add({std::move(checked[i]), judgement});
        }
    }

    void add(Agreement &&agreement) {
        const CandidatePair &pair = agreement.pair.pair;
        numbers_[{pair.first, pair.second}] = agreements_.size();
        if (agreement.judgement.copy) {
            whole_[pair.first].add(agreement.judgement, true);
            whole_[pair.second].add(agreement.judgement, false);
        }
        agreements_.push_back(std::move(agreement));
    }

    bool are_not_same(std::uint32_t first, std::uint32_t second) const {
        return not_same_.contains({images_[first].hash, images_[second].hash});
    }

    /// Of what would be copies, documents and screens that show another text in some place: too
    /// small to be seen in thumbnails.
    std::set<std::size_t> pages_that_differ(const std::vector<CheckedPair> &checked) {
        std::vector<std::size_t> numbers;
        std::vector<CheckedPair> pages;
        for (std::size_t i = 0; i < checked.size(); ++i) {
            if (!is_page(checked[i]) || !judge(checked[i], request_.match).copy) continue;
            numbers.push_back(i);
            pages.push_back(checked[i]);
        }
        const std::vector<std::size_t> replaced = blocks_replaced(images_, pages, observer_);
        std::set<std::size_t> differ;
        for (std::size_t i = 0; i < numbers.size(); ++i)
            if (replaced[i] >= replaced_blocks) differ.insert(numbers[i]);
        return differ;
    }

    /// Copies of the same size may have the same pixels; images of few words are found by these
    /// alone.
    void compare_pixel_hashes() {
        std::map<std::pair<int, int>, std::vector<std::uint32_t>> poor; // by their size
        std::set<std::uint32_t> wanted;
        for (std::uint32_t i = 0; i < images_.size(); ++i)
            if (images_.words(i).words.size() < few_words)
                poor[{images_[i].width, images_[i].height}].push_back(i);
        for (const auto &[size, some] : poor)
            if (some.size() > 1) wanted.insert(some.begin(), some.end());
        for (const Agreement &agreement : agreements_)
            if (may_be_equal(agreement))
                wanted.insert({agreement.pair.pair.first, agreement.pair.pair.second});
        const std::map<std::uint32_t, std::string> hashes =
            pixel_hashes(images_, {wanted.begin(), wanted.end()}, observer_);
        const auto equal = [&hashes](std::uint32_t one, std::uint32_t other) {
            return !hashes.at(one).empty() && hashes.at(one) == hashes.at(other);
        };
        for (Agreement &agreement : agreements_)
            if (may_be_equal(agreement))
                agreement.equal_pixels =
                    equal(agreement.pair.pair.first, agreement.pair.pair.second);
        for (const auto &[size, some] : poor) {
            std::map<std::string, std::uint32_t> first; // of each hash
            for (const std::uint32_t image : some) {
                if (some.size() < 2 || hashes.at(image).empty()) continue;
                const auto [found, is_new] = first.try_emplace(hashes.at(image), image);
                if (!is_new) add_equal(found->second, image);
            }
        }
    }

    bool may_be_equal(const Agreement &agreement) const {
        const LibraryImage &one = images_[agreement.pair.pair.first];
        const LibraryImage &other = images_[agreement.pair.pair.second];
        return agreement.judgement.copy && one.width == other.width && one.height == other.height &&
               agreement.pair.pixels.agreement.deviation < 2;
    }

    void add_equal(std::uint32_t first, std::uint32_t second) {
        const bool known = numbers_.contains({first, second});
        const bool across =
            !reference_ || (contents_[first].is_reference != contents_[second].is_reference);
        if (known || !across || are_not_same(first, second)) return;
        Agreement agreement;
        agreement.pair.pair = {first, second, false};
        agreement.judgement.copy = true;
        agreement.equal_pixels = true;
        add(std::move(agreement));
    }

    std::vector<CopyEdge> edges() const {
        std::vector<CopyEdge> edges;
        for (const Agreement &agreement : agreements_)
            edges.push_back({agreement.pair.pair.first, agreement.pair.pair.second,
                             agreement.judgement.score + (agreement.judgement.copy ? 1 : 0)});
        return edges;
    }

    std::uint32_t best_of(std::span<const std::uint32_t> images) const {
        const auto less = [&](std::uint32_t a, std::uint32_t b) {
            const bool a_kept = contents_[a].kept > 0, b_kept = contents_[b].kept > 0;
            if (a_kept != b_kept) return a_kept;
            return is_better(images_[a], whole_[a], images_[b], whole_[b], preferences_);
        };
        return *std::min_element(images.begin(), images.end(), less);
    }

    /// What was no candidate, in groups that are larger than the number of candidates.
    std::vector<CandidatePair> pairs_with_the_best() const {
        std::vector<CandidatePair> pairs;
        for (const auto &some : components(images_.size(), edges())) {
            const std::uint32_t best = best_of(some);
            for (const std::uint32_t image : some) {
                const auto [first, second] = std::minmax(image, best);
                if (image == best || checked_.contains({first, second})) continue;
                if (reference_ && contents_[image].is_reference) continue;
                pairs.push_back({first, second, false});
                pairs.push_back({first, second, true});
            }
        }
        std::ranges::sort(pairs);
        return pairs;
    }

    const Agreement &agreement_of(std::uint32_t one, std::uint32_t other) const {
        const auto [first, second] = std::minmax(one, other);
        return agreements_[numbers_.at({first, second})];
    }

    Duplicate as_duplicate(std::uint32_t image, std::uint32_t with) const {
        const Agreement &agreement = agreement_of(image, with);
        const bool of_first = image < with;
        Duplicate duplicate;
        duplicate.image = images_[image];
        duplicate.kept = contents_[image].kept > 0;
        duplicate.kinds = kinds_of(agreement.pair, agreement.judgement, of_first);
        if (!agreement.judgement.copy) {
            duplicate.kinds = {};
            duplicate.kinds.scene = true;
        }
        if (agreement.equal_pixels) {
            duplicate.kinds = {};
            duplicate.kinds.pixels = true;
            return duplicate;
        }
        duplicate.score = agreement.judgement.score;
        duplicate.agree = agreement.pair.geometry.places;
        duplicate.overlap = agreement.judgement.overlap;
        const AffineMap &map = agreement.pair.pixels.map;
        duplicate.map = of_first ? map : inverse(map);
        return duplicate;
    }

    /// The other images of the same bytes.
    void add_equals(const Content &content, std::size_t with, DuplicateGroup &group) const {
        for (std::size_t i = 1; i < content.images.size(); ++i) {
            group.images.push_back(
                {.image = content.images[i], .kept = i < content.kept, .with = with});
            group.images.back().kinds.bytes = true;
        }
    }

    void find_groups(Duplicates &result) const {
        std::set<std::uint32_t> grouped;
        const auto best = [this](std::span<const std::uint32_t> images) { return best_of(images); };
        for (const CopyGroup &found : copy_groups(images_.size(), edges(), best)) {
            grouped.insert(found.best);
            DuplicateGroup group;
            std::map<std::uint32_t, std::size_t> places{{found.best, 0}};
            group.images.push_back({.image = images_[found.best], .kept = true});
            for (const CopyGroup::Member &member : found.members) {
                grouped.insert(member.image);
                places[member.image] = group.images.size();
                group.images.push_back(as_duplicate(member.image, member.with));
                group.scene |= group.images.back().kinds.scene;
            }
            for (const CopyGroup::Member &member : found.members)
                group.images[places[member.image]].with = places.at(member.with);
            for (const auto &[image, place] : places) add_equals(contents_[image], place, group);
            put_in_order(group);
            result.groups.push_back(std::move(group));
        }
        for (std::uint32_t i = 0; i < contents_.size(); ++i) {
            if (grouped.contains(i) || contents_[i].images.size() < 2) continue;
            if (reference_ && !(contents_[i].is_ours && contents_[i].is_reference)) continue;
            DuplicateGroup group;
            group.images.push_back({.image = images_[i], .kept = true});
            add_equals(contents_[i], 0, group);
            put_in_order(group);
            result.groups.push_back(std::move(group));
        }
    }

    /// All but the best by their paths.
    static void put_in_order(DuplicateGroup &group) {
        std::vector<std::size_t> order(group.images.size()), place(group.images.size());
        for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
        std::sort(order.begin() + 1, order.end(), [&](std::size_t a, std::size_t b) {
            return group.images[a].image.path < group.images[b].image.path;
        });
        std::vector<Duplicate> images;
        for (std::size_t i = 0; i < order.size(); ++i) {
            place[order[i]] = i;
            images.push_back(std::move(group.images[order[i]]));
        }
        for (Duplicate &image : images) image.with = place[image.with];
        group.images = std::move(images);
    }

    const DuplicatesRequest &request_;
    Observer &observer_;
    Library library_;
    std::optional<Library> reference_;
    Recipe recipe_; ///< of words
    NotSame not_same_ = read_not_same(request_.library);
    std::vector<Preference> preferences_;
    std::vector<Content> contents_;
    NumberedImages images_; ///< the front of each content
    std::vector<Agreement> agreements_;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> numbers_; ///< of these, by pair
    std::vector<Wholeness> whole_; ///< of each image, by the copies that it agrees with
    std::set<std::pair<std::uint32_t, std::uint32_t>> checked_;
};

} // namespace

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
            if (&image != &group.images.front() && !image.kinds.scene)
                sum += image.image.stamp.size;
    return sum;
}

Duplicates find_duplicates(const DuplicatesRequest &request, Observer &observer) {
    return DuplicateSearch(request, observer).run();
}

} // namespace bowhist
