#include <bowhist/duplicates/kept_pairs.hpp>

#include <bowhist/core/error.hpp>
#include <bowhist/core/version.hpp>
#include <bowhist/duplicates/number_bytes.hpp>
#include <bowhist/duplicates/proposals.hpp>
#include <bowhist/library/compared_images.hpp>
#include <bowhist/library/file/content_hash.hpp>

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bowhist {
namespace {

// The proposals of an image as a library keeps them.

constexpr std::uint32_t score_bits = 32; ///< a score of one part is at most 2²⁴

void write(const std::vector<ScoredImage> &images, NumberWriter &writer) {
    writer(images.size());
    for (const auto &[image, score] : images)
        writer(std::size_t{image} << score_bits | static_cast<std::size_t>(score));
}

/// @return whether no image is missing that should have been proposed
bool read(NumberReader &reader, std::size_t limit,
          const std::map<std::size_t, std::uint32_t> &numbers, std::vector<ScoredImage> &images) {
    std::size_t count = 0;
    reader(count);
    for (std::size_t i = 0; i < count && !reader.is_at_end(); ++i) {
        std::size_t entry = 0;
        reader(entry);
        const auto number = numbers.find(entry >> score_bits);
        if (number == numbers.end()) continue;
        images.push_back({number->second, static_cast<std::int64_t>(entry & 0xFFFFFFFFU)});
    }
    return count < limit || images.size() == count;
}

/// @param most  candidates that were wanted
std::string proposals_as_bytes(const Proposals &proposals, std::size_t most) {
    NumberWriter writer;
    writer(most);
    for (const auto *images : {&proposals.words, &proposals.mirrored, &proposals.codes})
        write(*images, writer);
    return std::move(writer.bytes);
}

/// @param numbers  today's numbers of images, by those of the time when these were kept; images
///                 that left, or are no longer what they were, have none
/// @return nothing where other candidates were wanted, and where an image that left leaves room for
///         one that is not known
std::optional<Proposals> proposals_of_bytes(std::string_view bytes, std::size_t most,
                                            const std::map<std::size_t, std::uint32_t> &numbers) {
    NumberReader reader(bytes);
    std::size_t most_then = 0;
    reader(most_then);
    if (most_then != most) return std::nullopt;
    const ProposalLimits limits(most);
    Proposals proposals;
    if (!read(reader, limits.words, numbers, proposals.words) ||
        !read(reader, limits.words, numbers, proposals.mirrored) ||
        !read(reader, limits.codes, numbers, proposals.codes))
        return std::nullopt;
    return proposals;
}

/// To be raised whenever a check finds out something else, or is written in another way.
constexpr int rule_number = 29;
constexpr std::size_t hash_bytes = 16;
constexpr double wait_seconds = 0;

template <typename Map, typename Visit>
void visit_map(Map &map, Visit &visit) {
    for (auto *number : {&map.a11, &map.a12, &map.tx, &map.a21, &map.a22, &map.ty}) visit(*number);
}

template <typename Geometry, typename Visit>
void visit_geometry(Geometry &geometry, Visit &visit) {
    visit(geometry.agree);
    visit(geometry.places);
    visit(geometry.residual);
    visit(geometry.log_chance);
    visit(geometry.all_places);
    visit(geometry.all_log_chance);
    visit_map(geometry.map, visit);
}

template <typename Pixels, typename Visit>
void visit_pixels(Pixels &pixels, Visit &visit) {
    visit_map(pixels.map, visit);
    auto &agreement = pixels.agreement;
    for (auto *number : {&agreement.textured, &agreement.replaced, &agreement.differing,
                         &agreement.poor, &agreement.alone, &agreement.shifts})
        visit(*number);
    for (auto *number :
         {&agreement.lower_quartile, &agreement.median, &agreement.agreeing,
          &agreement.lower_agreeing, &agreement.upper_agreeing, &agreement.shift_quartile,
          &agreement.shift_nine_tenths, &agreement.deviation})
        visit(*number);
    for (auto *beyond : {&pixels.first, &pixels.second})
        for (auto *number : {&beyond->share, &beyond->flat, &beyond->step, &beyond->seam,
                             &beyond->breaks, &beyond->crossed, &beyond->least_seam,
                             &beyond->most_seam, &beyond->change, &beyond->faded})
            visit(*number);
    for (auto *beyond : {&pixels.first, &pixels.second}) visit(beyond->thick);
    for (auto *number : {&pixels.tone, &pixels.chroma, &pixels.most_chroma, &pixels.busier,
                         &pixels.plain, &pixels.even})
        visit(*number);
    for (auto *number :
         {&pixels.own.lower, &pixels.own.upper, &pixels.own.lower_unhidden,
          &pixels.own.upper_unhidden, &pixels.own.lower_untoned, &pixels.own.upper_untoned,
          &pixels.own.lower_narrow, &pixels.own.upper_narrow, &pixels.own.pixels,
          &pixels.own.thick_pixels, &pixels.own.moved.pixels, &pixels.own.moved.lower,
          &pixels.own.moved.upper})
        visit(*number);
    for (auto *number : {&pixels.own.flatter, &pixels.own.change, &pixels.own.change_around,
                         &pixels.own.moved.foreign})
        visit(*number);
    visit(pixels.compared);
    visit(pixels.around);
    visit(pixels.agreeing_around);
}

template <typename Page, typename Visit>
void visit_page(Page &page, Visit &visit) {
    visit(page.replaced);
    visit(page.letters.changed);
    visit(page.letters.usual);
    visit(page.letters.windows);
    visit(page.letters.thin);
    visit(page.compared);
}

template <typename Hidden, typename Visit>
void visit_hidden(Hidden &hidden, Visit &visit) {
    for (auto *number :
         {&hidden.change.most, &hidden.change.usual, &hidden.change.beyond_first,
          &hidden.change.beyond_second, &hidden.change.unlaid_first, &hidden.change.unlaid_second})
        visit(*number);
    for (auto *number :
         {&hidden.filled.left, &hidden.filled.top, &hidden.filled.right, &hidden.filled.bottom})
        visit(*number);
    for (auto *number : {&hidden.first_own, &hidden.second_own, &hidden.of_both, &hidden.compared})
        visit(*number);
}

std::string as_bytes(const KeptCheck &check) {
    NumberWriter writer;
    visit_geometry(check.geometry, writer);
    if (check.pixels) visit_pixels(*check.pixels, writer);
    if (!check.page && !check.frames && !check.hidden) return std::move(writer.bytes);
    writer(std::size_t{check.page.has_value()});
    const PageCheck page = check.page.value_or(PageCheck{});
    visit_page(page, writer);
    if (!check.frames && !check.hidden) return std::move(writer.bytes);
    writer(std::size_t{check.frames.has_value()});
    const FrameComparison frames = check.frames.value_or(FrameComparison{});
    writer(std::size_t{frames.agree});
    writer(std::size_t{frames.doubtful});
    writer(frames.score);
    writer(frames.compared);
    if (check.hidden) visit_hidden(*check.hidden, writer);
    return std::move(writer.bytes);
}

KeptCheck as_check(std::string_view bytes) {
    KeptCheck check;
    NumberReader reader(bytes);
    visit_geometry(check.geometry, reader);
    if (!reader.is_at_end()) visit_pixels(check.pixels.emplace(), reader);
    if (!reader.is_at_end()) {
        std::size_t has_page = 0;
        reader(has_page);
        visit_page(check.page.emplace(), reader);
        if (has_page == 0) check.page.reset();
    }
    if (!reader.is_at_end()) {
        std::size_t has_frames = 0, agree = 0, doubtful = 0;
        reader(has_frames);
        FrameComparison &frames = check.frames.emplace();
        reader(agree);
        reader(doubtful);
        reader(frames.score);
        reader(frames.compared);
        frames.agree = agree > 0;
        frames.doubtful = doubtful > 0;
        if (has_frames == 0) check.frames.reset();
    }
    if (!reader.is_at_end()) visit_hidden(check.hidden.emplace(), reader);
    return check;
}

/// All that a search for candidates and a check read of an image but for its file.
std::string look_of_image(const NumberedImages &images, std::uint32_t number, bool has_codes) {
    const LibraryImage &image = images[number];
    const Library::Words words = images.words(number);
    NumberWriter writer;
    writer(static_cast<std::size_t>(image.width));
    writer(static_cast<std::size_t>(image.height));
    writer(words.words.size());
    for (const std::uint32_t word : words.words) writer(std::size_t{word});
    for (const std::uint32_t word : words.mirrored) writer(std::size_t{word});
    for (const Place &place : words.places) append_place(writer.bytes, place);
    if (has_codes)
        for (const std::int8_t value : images.code(number))
            writer.bytes += static_cast<char>(value);
    writer.bytes += images.thumbnail(number);
    return std::move(writer.bytes);
}

std::string as_bytes(const KeptPairs::Pixels &pixels) {
    NumberWriter writer;
    const ImageQuality quality = pixels.quality.value_or(ImageQuality{});
    writer(std::size_t{pixels.quality.has_value()});
    for (const double number : {quality.finest, quality.coarser, quality.levels, quality.blocks})
        writer(number);
    for (const int place :
         {pixels.part.left, pixels.part.top, pixels.part.right, pixels.part.bottom})
        writer(static_cast<std::size_t>(place));
    writer(std::size_t{pixels.held});
    return writer.bytes + pixels.hash + (pixels.hash.empty() ? "" : pixels.frames);
}

KeptPairs::Pixels as_pixels(std::string_view bytes) {
    KeptPairs::Pixels pixels;
    NumberReader reader(bytes);
    std::size_t has_quality = 0;
    ImageQuality quality;
    reader(has_quality);
    for (double *number : {&quality.finest, &quality.coarser, &quality.levels, &quality.blocks})
        reader(*number);
    if (has_quality > 0) pixels.quality = quality;
    for (int *place :
         {&pixels.part.left, &pixels.part.top, &pixels.part.right, &pixels.part.bottom}) {
        std::size_t value = 0;
        reader(value);
        *place = static_cast<int>(value); // any bits of a stranger's library are a number
    }
    std::size_t held = 0;
    reader(held);
    pixels.held = static_cast<std::uint32_t>(held);
    pixels.hash = reader.take(hash_bytes);
    pixels.frames = reader.take(hash_bytes);
    return pixels;
}

KeptCheck check_of(const std::string &bytes) {
    return bytes.empty() ? KeptCheck{} : as_check(bytes);
}

} // namespace

KeptPairs::KeptPairs(const std::filesystem::path &library, const std::string &words,
                     const NumberedImages &images, bool has_codes)
    : library_(library), rule_(fmt::format("{} {} {}", rule_number, version(), words)),
      pixels_(images.size()), proposals_(images.size()) {
    std::map<std::string, std::uint32_t> numbers, looks;
    for (std::uint32_t i = 0; i < images.size(); ++i) {
        const std::string look = look_of_image(images, i, has_codes);
        hashes_.push_back(content_hash(images[i].hash + look));
        numbers[hashes_.back()] = i;
        looks_.push_back(looks.try_emplace(content_hash(look), i).first->second);
    }
    read_compared(library_, rule_, [&](const ComparedImage &row) {
        const auto found = numbers.find(row.image);
        if (found == numbers.end()) return;
        pixels_[found->second] = as_pixels(row.pixels);
        proposals_[found->second] = row.proposals;
        numbers_then_[row.number] = found->second;
        read_pairs(found->second, row.pairs, numbers);
    });
}

std::optional<Proposals> KeptPairs::proposals(std::uint32_t image, std::size_t most) const {
    return proposals_of_bytes(proposals_[image], most, numbers_then_);
}

/// Reads the pairs of an image. Each is the hash of the other image, a byte (m: mirrored), the
/// number of bytes of its check, and these.
void KeptPairs::read_pairs(std::uint32_t first, const std::string &bytes,
                           const std::map<std::string, std::uint32_t> &numbers) {
    NumberReader reader(bytes);
    while (!reader.is_at_end()) {
        const auto second = numbers.find(std::string(reader.take(hash_bytes)));
        const bool mirrored = reader.take(1) == "m";
        std::size_t size = 0;
        reader(size);
        const std::string check(reader.take(size));
        if (second == numbers.end()) continue;
        const CandidatePair pair{first, second->second, mirrored};
        checks_[pair] = check;
        alike_.try_emplace(look_of(pair), pair);
    }
}

std::optional<KeptCheck> KeptPairs::find(const CandidatePair &pair) const {
    if (const auto found = checks_.find(pair); found != checks_.end())
        return check_of(found->second);
    const auto alike = alike_.find(look_of(pair));
    if (alike == alike_.end()) return std::nullopt;
    KeptCheck check = check_of(checks_.at(alike->second));
    check.page.reset();
    check.frames.reset();
    check.hidden.reset();
    return check;
}

void KeptPairs::put(const CandidatePair &pair, const KeptCheck &check) {
    checks_[pair] = check.geometry.places == 0 ? "" : as_bytes(check);
    alike_.try_emplace(look_of(pair), pair);
    is_changed_ = true;
}

void KeptPairs::put_pixels(std::uint32_t image, const Pixels &pixels) {
    pixels_[image] = pixels;
    is_changed_ = true;
}

void KeptPairs::write(std::span<const Proposals> proposals, std::size_t most, bool are_new) const {
    if (!(is_changed_ || are_new) || is_read_only(library_)) return;
    std::vector<ComparedImage> rows;
    for (std::size_t i = 0; i < hashes_.size(); ++i)
        rows.push_back({.image = hashes_[i],
                        .number = i,
                        .pixels = as_bytes(pixels_[i]),
                        .pairs = {},
                        .proposals = proposals_as_bytes(proposals[i], most)});
    for (const auto &[pair, check] : checks_) {
        NumberWriter size;
        size(check.size());
        std::string &pairs = rows[pair.first].pairs;
        pairs += hashes_[pair.second];
        pairs += pair.mirrored ? 'm' : '-';
        (pairs += size.bytes) += check;
    }
    try {
        keep_compared(library_, rule_, rows, wait_seconds);
    } catch (const Error &error) {
        if (error.fault != Fault::output) throw;
    }
}

} // namespace bowhist
