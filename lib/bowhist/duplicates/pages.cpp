#include <bowhist/duplicates/pages.hpp>

#include <bowhist/duplicates/full_images.hpp>
#include <bowhist/duplicates/numbered_images.hpp>

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>

namespace bowhist {

std::uint32_t PageFamilies::family_of(std::uint32_t image) const {
    for (auto at = lower_.find(image); at != lower_.end(); at = lower_.find(image))
        image = at->second;
    return image;
}

bool PageFamilies::differ(std::uint32_t one, std::uint32_t other) const {
    const auto at = different_.find(family_of(one));
    return at != different_.end() && at->second.contains(family_of(other));
}

void PageFamilies::add_same(std::uint32_t one, std::uint32_t other) {
    const auto [stays, joins] = std::minmax({family_of(one), family_of(other)});
    if (stays == joins || differ(stays, joins)) return;
    lower_[joins] = stays;
    for (const std::uint32_t family : different_[joins]) {
        different_[family].erase(joins);
        different_[family].insert(stays);
        different_[stays].insert(family);
    }
    different_.erase(joins);
}

void PageFamilies::add_different(std::uint32_t one, std::uint32_t other) {
    one = family_of(one);
    other = family_of(other);
    if (one == other) return;
    different_[one].insert(other);
    different_[other].insert(one);
}

namespace {

constexpr std::size_t replaced_blocks = 3; ///< of a page that has another text
constexpr double thin_share = 0.4;       ///< of a page of letters and lines, a dark box among them
constexpr double all_thin = 0.7;         ///< nothing else: not a drawing with thick lines
constexpr double changed_letters = 0.3;  ///< JPEG of quality 60 leaves 0.25 at 75 dpi
constexpr double beyond_usual = 2.5;     ///< another sharpness leaves much everywhere
constexpr double doubtful_letters = 0.2; ///< copies of 150 dpi leave 0.19 at most
constexpr double doubtful_in_middle = 0.15; ///< another digit leaves 0.19 in pages of 75 dpi
constexpr double doubtful_in_small = 0.06;  ///< and 0.08 in pages of 37 dpi
constexpr std::size_t small_page = 480;     ///< pixels of the smaller side
constexpr std::size_t middle_page = 1000;
constexpr double least_print = 0.035; ///< of a small page: photographs have fewer thin things
constexpr double most_of_print = 25;  ///< levels of chroma: a toned page changes less
constexpr double doubtful_beside = 6; ///< times what is usual: copies leave 4.8
constexpr double least_beside = 0.04;
constexpr double page_share = 0.75; ///< of about one level: the paper
constexpr double dense_page_share = 0.5;
constexpr std::size_t visible_blocks = 3;  ///< that differ in thumbnails
constexpr std::size_t least_windows = 100; ///< with ink: fewer are no text
constexpr std::size_t edge_of_block = 10;  ///< pixels of letters' edges that count as a block
constexpr double least_overlap = 0.5;      ///< of one image

/// Pages dense with text have less plain paper, and so do things before a plain ground. Something
/// laid over such a thing makes blocks of the thumbnails differ; small letters do not.
bool is_page(const PixelComparison &pixels) {
    return pixels.even >= page_share ||
           (pixels.even >= dense_page_share && pixels.agreement.differing < visible_blocks);
}

/// Thumbnails show what is laid over a thing before a plain ground, and hide other letters.
bool are_letters(const PageCheck &page, const OverlayAgreement &thumbnails) {
    return page.letters.windows >= least_windows && page.letters.thin >= thin_share &&
           thumbnails.differing < visible_blocks;
}

bool is_replaced(const PageCheck &page, const OverlayAgreement &thumbnails) {
    return page.replaced >= replaced_blocks ||
           (are_letters(page, thumbnails) && page.letters.changed >= changed_letters &&
            page.letters.changed >= beyond_usual * page.letters.usual);
}

/// Thumbnails of small letters may lie beside each other; a closer look decides.
bool may_be_one_page(const CheckedPair &pair) {
    constexpr double likely = 0.6; // correlation of half of the blocks
    return pair.geometry.one_map_agrees() && pair.pixels.agreement.median >= likely;
}

/// Another letter may be hidden in what encoding or a small size changed. In pages of the same
/// encoding it leaves little, but much beside what is usual.
bool may_hide_letters(const PageCheck &page) {
    const double changed = page.letters.changed;
    if (page.compared >= middle_page) return changed >= doubtful_letters;
    return changed >= (page.compared < small_page ? doubtful_in_small : doubtful_in_middle) ||
           (changed >= least_beside && changed >= doubtful_beside * page.letters.usual);
}

/// Letters so small that another one changes less than encoding does: they prove nothing.
bool is_small_print(const PageCheck &page, const PixelComparison &thumbnails) {
    constexpr double of_window = 4; // pixels from each window to the next ones
    const auto side = static_cast<double>(page.compared);
    return page.compared < small_page && thumbnails.most_chroma <= most_of_print &&
           of_window * static_cast<double>(page.letters.windows) >= least_print * side * side;
}

bool is_unproven(const PageCheck &page, const PixelComparison &thumbnails) {
    constexpr double thick_letters = 3.5; // times what is usual: bold pages have thick ones
    if (thumbnails.even < page_share || page.letters.thin < thin_share) return false;
    if (page.letters.thin >= all_thin)
        return is_small_print(page, thumbnails) || may_hide_letters(page);
    return page.letters.changed >= doubtful_in_middle &&
           page.letters.changed >= thick_letters * page.letters.usual;
}

/// Blocks that show another text. Something that one image alone begins
/// may hide letters of the other there.
std::size_t replaced_in(const PixelComparison &close) {
    const OwnParts &own = close.own;
    const bool is_laid_over = own.is_one_sided();
    const auto counts = [&](const BlockAgreement &block) {
        return is_replaced(block) && !(is_laid_over && own.laid_over.holds(block.x, block.y));
    };
    return std::min(own.lower_unhidden, own.upper_unhidden) / edge_of_block +
           static_cast<std::size_t>(std::ranges::count_if(close.agreement.blocks, counts));
}

/// A pair of pages, and what is known of it.
struct PagePair {
    std::size_t number = 0; ///< among all pairs
    Judgement of_page = {};
    bool equal_pixels = false;
    bool inherited = false; ///< differs, as other pages of the two families do
    bool unread = false;    ///< one of the files cannot be read now
    PageCheck check = {};   ///< empty of equal pixels and of files that cannot be read
    bool unproven = false;
};

/// Finds pairs all of whose pixels are equal; only pairs of one look are read.
void mark_equal_pixels(const NumberedImages &images, std::span<const CheckedPair> pairs,
                       std::span<PagePair> pages, KeptPairs &kept, Observer &observer) {
    const auto look_alike = [&](const PagePair &page) {
        const CandidatePair look = kept.look_of(pairs[page.number].pair);
        return look.first == look.second;
    };
    std::set<std::uint32_t> numbers;
    for (const PagePair &page : pages) {
        const CandidatePair &pair = pairs[page.number].pair;
        if (look_alike(page)) numbers.insert({pair.first, pair.second});
    }
    const std::map<std::uint32_t, KeptPairs::Pixels> whole =
        whole_images(images, {numbers.begin(), numbers.end()}, kept, observer);
    for (PagePair &page : pages) {
        const CandidatePair &pair = pairs[page.number].pair;
        page.equal_pixels = look_alike(page) && !whole.at(pair.first).hash.empty() &&
                            whole.at(pair.first).hash == whole.at(pair.second).hash;
    }
}

/// Looks closely at pairs of pages.
void check_pages(const NumberedImages &images, std::span<const CheckedPair> pairs,
                 std::span<PagePair *const> pages, KeptPairs &kept, Observer &observer) {
    std::vector<char> is_new(pages.size()); // and to be kept
    for_each_number(pages.size(), observer, [&](std::size_t i) {
        if (pages[i]->equal_pixels) return;
        const CheckedPair &pair = pairs[pages[i]->number];
        const LibraryImage &one = images[pair.pair.first];
        const LibraryImage &other = images[pair.pair.second];
        const auto before = kept.find(pair.pair);
        if (before && before->page && is_unchanged(one) && is_unchanged(other)) {
            pages[i]->check = *before->page;
            return;
        }
        const SizedThumbnail first = close_view(one), second = close_view(other);
        pages[i]->unread = first.thumbnail.luma.width < 2 || second.thumbnail.luma.width < 2;
        if (pages[i]->unread) return;
        const PixelComparison close = compare_pixels(first, second, pair.pixels.map, Look::close);
        pages[i]->check = {replaced_in(close), close.letters, close.compared};
        is_new[i] = before && before->pixels && is_unchanged(one) && is_unchanged(other);
    });
    for (std::size_t i = 0; i < pages.size(); ++i) {
        if (is_new[i] == 0) continue;
        const CandidatePair &pair = pairs[pages[i]->number].pair;
        KeptCheck check = *kept.find(pair);
        check.page = pages[i]->check;
        kept.put(pair, check);
    }
}

/// The pairs to look at next: those that agree best, each image once, and of two families one pair.
/// @param pages  loses them, and those whose families differ
std::vector<PagePair *> next_pages(std::span<const CheckedPair> pairs,
                                   std::vector<PagePair *> &pages, const PageFamilies &families) {
    std::set<std::uint32_t> taken;
    std::set<std::pair<std::uint32_t, std::uint32_t>> compared;
    std::vector<PagePair *> now, later;
    for (PagePair *page : pages) {
        const auto [first, second, mirrored] = pairs[page->number].pair;
        const std::pair<std::uint32_t, std::uint32_t> both =
            std::minmax({families.family_of(first), families.family_of(second)});
        if (mirrored || both.first == both.second) {
            now.push_back(page);
        } else if (families.differ(first, second)) {
            page->inherited = true;
        } else if (taken.contains(first) || taken.contains(second) || compared.contains(both)) {
            later.push_back(page);
        } else {
            taken.insert(first);
            taken.insert(second);
            compared.insert(both);
            now.push_back(page);
        }
    }
    pages = std::move(later);
    return now;
}

/// Whether what one of the two shows, the other shows as well, letter by letter.
bool is_same_page(const PagePair &page, const PixelComparison &thumbnails,
                  const Judgement &judgement) {
    if (!judgement.copy || page.unproven || judgement.overlaid) return false;
    if (judgement.first.lacks || judgement.second.lacks) return false;
    return page.equal_pixels ||
           (are_letters(page.check, thumbnails.agreement) && !may_hide_letters(page.check) &&
            !is_small_print(page.check, thumbnails));
}

Match match_of_pages(Match match) {
    return match == Match::strict ? Match::normal : match;
}

} // namespace

bool letters_decide(const PixelComparison &pixels) {
    return are_letters({.letters = pixels.letters}, pixels.agreement);
}

bool settle_page(const PageCheck &page, const PixelComparison &thumbnails, const Judgement &of_page,
                 Judgement &judgement) {
    const bool is_inlay = of_page.first.holds || of_page.second.holds;
    if (are_letters(page, thumbnails.agreement) && judgement.overlap >= least_overlap &&
        !is_inlay) {
        judgement.copy = true;
        judgement.different = false;
    }
    judgement.different |= is_replaced(page, thumbnails.agreement);
    judgement.copy &= !judgement.different;
    return judgement.copy && is_unproven(page, thumbnails);
}

std::vector<char> settle_pages(const NumberedImages &images, std::span<CheckedPair> pairs,
                               std::span<Judgement> judgements, Match match, KeptPairs &kept,
                               Observer &observer) {
    std::vector<PagePair> pages;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        if (!is_page(pairs[i].pixels)) continue;
        const Judgement of_page = judge(pairs[i], match_of_pages(match));
        if (of_page.copy || may_be_one_page(pairs[i])) pages.push_back({i, of_page});
    }
    mark_equal_pixels(images, pairs, pages, kept, observer);
    std::vector<PagePair *> waiting;
    for (PagePair &page : pages) waiting.push_back(&page);
    std::ranges::stable_sort(waiting, std::greater{}, [&](const PagePair *page) {
        return pairs[page->number].pixels.agreement.median;
    });
    PageFamilies families;
    while (!waiting.empty()) {
        const std::vector<PagePair *> now = next_pages(pairs, waiting, families);
        check_pages(images, pairs, now, kept, observer);
        for (PagePair *page : now) {
            CheckedPair &pair = pairs[page->number];
            Judgement &judgement = judgements[page->number];
            page->unproven = settle_page(page->check, pair.pixels, page->of_page, judgement) ||
                             (page->unread && judgement.copy);
            if (page->check.compared > 0) pair.pixels.compared = page->check.compared;
            pair.pixels.letters = page->check.letters;
            if (pair.pair.mirrored) continue; // says nothing of the pages as they are
            if (is_same_page(*page, pair.pixels, judgement))
                families.add_same(pair.pair.first, pair.pair.second);
            else if (judgement.different)
                families.add_different(pair.pair.first, pair.pair.second);
        }
    }
    std::vector<char> unproven(pairs.size());
    for (const PagePair &page : pages) {
        unproven[page.number] = page.unproven;
        if (!page.inherited) continue;
        judgements[page.number].copy = false;
        judgements[page.number].different = true;
    }
    return unproven;
}

} // namespace bowhist
