#include <bowhist/duplicates/pages.hpp>

#include <bowhist/duplicates/each_number.hpp>
#include <bowhist/duplicates/full_images.hpp>

#include <algorithm>
#include <map>
#include <set>
#include <string>

namespace bowhist {
namespace {

constexpr std::size_t replaced_blocks = 3; ///< of a page that has another text
constexpr double thin_share = 0.4;       ///< of a page of letters and lines, a dark box among them
constexpr double all_thin = 0.7;         ///< nothing else: not a drawing with thick lines
constexpr double changed_letters = 0.3;  ///< JPEG of quality 60 leaves 0.25 at 75 dpi
constexpr double beyond_usual = 2.5;     ///< another sharpness leaves much everywhere
constexpr double doubtful_letters = 0.2; ///< another digit leaves as much in pages of 75 dpi
constexpr double doubtful_in_small = 0.06; ///< and 0.1 in pages of 37 dpi
constexpr std::size_t small_page = 480;    ///< pixels of the smaller side
constexpr double page_share = 0.75;        ///< of about one level: the paper
constexpr double dense_page_share = 0.5;
constexpr std::size_t visible_blocks = 3;  ///< that differ in thumbnails
constexpr std::size_t least_windows = 100; ///< with ink: fewer are no text
constexpr std::size_t edge_of_block = 10;  ///< pixels of letters' edges that count as a block
constexpr double least_overlap = 0.5;      ///< of one image

/// Pages dense with text have less plain paper, and so do things before a plain ground. Something
/// laid over such a thing makes blocks of the thumbnails differ; small letters do not.
bool is_page(const PixelComparison &pixels) {
    return pixels.plain >= page_share ||
           (pixels.plain >= dense_page_share && pixels.agreement.differing < visible_blocks);
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

/// Another letter may be hidden in what encoding or a small size changed.
bool is_unproven(const PageCheck &page) {
    const bool is_small = page.compared < small_page;
    return page.letters.thin >= all_thin &&
           page.letters.changed >= (is_small ? doubtful_in_small : doubtful_letters);
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

/// Whether all pixels of each pair are equal; only pairs of one look are read.
std::vector<bool> have_equal_pixels(const NumberedImages &images,
                                    std::span<const CheckedPair> pairs, KeptPairs &kept,
                                    Observer &observer) {
    std::set<std::uint32_t> numbers;
    const auto look_alike = [&kept](const CandidatePair &pair) {
        const CandidatePair look = kept.look_of(pair);
        return look.first == look.second;
    };
    for (const CheckedPair &pair : pairs)
        if (look_alike(pair.pair)) numbers.insert({pair.pair.first, pair.pair.second});
    const std::map<std::uint32_t, std::string> hashes =
        pixel_hashes(images, {numbers.begin(), numbers.end()}, kept, observer);
    std::vector<bool> equal;
    for (const auto &[pair, geometry, pixels] : pairs)
        equal.push_back(look_alike(pair) && !hashes.at(pair.first).empty() &&
                        hashes.at(pair.first) == hashes.at(pair.second));
    return equal;
}

/// Looks closely at pairs of pages. Pairs of equal pixels and of files that cannot be read have an
/// empty check.
std::vector<PageCheck> check_pages(const NumberedImages &images, std::span<const CheckedPair> pairs,
                                   KeptPairs &kept, Observer &observer) {
    std::vector<PageCheck> checks(pairs.size());
    std::vector<char> is_new(pairs.size()); // and to be kept
    const std::vector<bool> equal = have_equal_pixels(images, pairs, kept, observer);
    for_each_number(pairs.size(), observer, [&](std::size_t i) {
        if (equal[i]) return;
        const LibraryImage &one = images[pairs[i].pair.first];
        const LibraryImage &other = images[pairs[i].pair.second];
        const auto before = kept.find(pairs[i].pair);
        if (before && before->page && is_unchanged(one) && is_unchanged(other)) {
            checks[i] = *before->page;
            return;
        }
        const SizedThumbnail first = close_view(one), second = close_view(other);
        if (first.thumbnail.luma.width < 2 || second.thumbnail.luma.width < 2) return;
        const PixelComparison close =
            compare_pixels(first, second, pairs[i].pixels.map, Look::close);
        checks[i] = {replaced_in(close), close.letters, close.compared};
        is_new[i] = before && before->pixels && is_unchanged(one) && is_unchanged(other);
    });
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        if (is_new[i] == 0) continue;
        KeptCheck check = *kept.find(pairs[i].pair);
        check.page = checks[i];
        kept.put(pairs[i].pair, check);
    }
    return checks;
}

Match match_of_pages(Match match) {
    return match == Match::strict ? Match::normal : match;
}

} // namespace

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
    return judgement.copy && thumbnails.plain >= page_share && is_unproven(page);
}

std::vector<char> settle_pages(const NumberedImages &images, std::span<CheckedPair> pairs,
                               std::span<Judgement> judgements, Match match, KeptPairs &kept,
                               Observer &observer) {
    std::vector<std::size_t> numbers;
    std::vector<CheckedPair> pages;
    std::vector<Judgement> of_pages;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        if (!is_page(pairs[i].pixels)) continue;
        const Judgement of_page = judge(pairs[i], match_of_pages(match));
        if (!of_page.copy && !may_be_one_page(pairs[i])) continue;
        numbers.push_back(i);
        pages.push_back(pairs[i]);
        of_pages.push_back(of_page);
    }
    const std::vector<PageCheck> checks = check_pages(images, pages, kept, observer);
    std::vector<char> unproven(pairs.size());
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        CheckedPair &pair = pairs[numbers[i]];
        unproven[numbers[i]] =
            settle_page(checks[i], pair.pixels, of_pages[i], judgements[numbers[i]]);
        if (checks[i].compared > 0) pair.pixels.compared = checks[i].compared;
    }
    return unproven;
}

} // namespace bowhist
