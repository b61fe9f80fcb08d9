#include <bowhist/duplicates/kept_pairs.hpp>

#include <bowhist/core/error.hpp>
#include <bowhist/core/version.hpp>
#include <bowhist/library/compared_images.hpp>
#include <bowhist/library/content_hash.hpp>

#include <fmt/format.h>

#include <bit>
#include <cstdint>
#include <string_view>

namespace bowhist {
namespace {

/// To be raised whenever a check finds out something else, or is written in another way.
constexpr int rule_number = 2;
constexpr std::size_t hash_bytes = 16;
constexpr double wait_seconds = 0;

/// Numbers, eight bytes each, little-endian.
class NumberWriter {
  public:
    void operator()(const std::size_t &number) { add(number); }
    void operator()(const double &number) { add(std::bit_cast<std::uint64_t>(number)); }
    std::string bytes;

  private:
    void add(std::uint64_t bits) {
        for (int byte = 0; byte < 8; ++byte)
            bytes += static_cast<char>(static_cast<unsigned char>(bits >> (8 * byte)));
    }
};

class NumberReader {
  public:
    explicit NumberReader(std::string_view bytes) : bytes_(bytes) {}
    void operator()(std::size_t &number) { number = static_cast<std::size_t>(next()); }
    void operator()(double &number) { number = std::bit_cast<double>(next()); }
    std::string_view take(std::size_t count) {
        const std::string_view taken = bytes_.substr(0, count);
        bytes_.remove_prefix(taken.size());
        return taken;
    }
    bool is_at_end() const { return bytes_.empty(); }

  private:
    std::uint64_t next() {
        std::uint64_t bits = 0;
        int byte = 0;
        for (const char c : take(8))
            bits |= std::uint64_t{static_cast<unsigned char>(c)} << (8 * byte++);
        return bits;
    }
    std::string_view bytes_;
};

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
    for (auto *number :
         {&agreement.textured, &agreement.replaced, &agreement.differing, &agreement.shifts})
        visit(*number);
    for (auto *number :
         {&agreement.lower_quartile, &agreement.median, &agreement.agreeing,
          &agreement.lower_agreeing, &agreement.upper_agreeing, &agreement.shift_quartile,
          &agreement.shift_nine_tenths, &agreement.deviation})
        visit(*number);
    for (auto *beyond : {&pixels.first, &pixels.second})
        for (auto *number : {&beyond->share, &beyond->flat, &beyond->step}) visit(*number);
    for (auto *number : {&pixels.tone, &pixels.chroma, &pixels.busier, &pixels.plain})
        visit(*number);
    visit(pixels.own.lower);
    visit(pixels.own.upper);
    visit(pixels.own.flatter);
}

std::string as_bytes(const KeptCheck &check) {
    NumberWriter writer;
    visit_geometry(check.geometry, writer);
    if (check.pixels) visit_pixels(*check.pixels, writer);
    if (check.replaced) writer(*check.replaced);
    return std::move(writer.bytes);
}

KeptCheck as_check(std::string_view bytes) {
    KeptCheck check;
    NumberReader reader(bytes);
    visit_geometry(check.geometry, reader);
    if (!reader.is_at_end()) visit_pixels(check.pixels.emplace(), reader);
    if (!reader.is_at_end()) reader(check.replaced.emplace());
    return check;
}

/// Of all that a check reads of an image.
std::string hash_of(const NumberedImages &images, std::uint32_t number) {
    const LibraryImage &image = images[number];
    const Library::Words words = images.words(number);
    NumberWriter writer;
    writer.bytes = image.hash;
    writer(static_cast<std::size_t>(image.width));
    writer(static_cast<std::size_t>(image.height));
    writer(words.words.size());
    for (const std::uint32_t word : words.words) writer(std::size_t{word});
    for (const std::uint32_t word : words.mirrored) writer(std::size_t{word});
    for (const Place &place : words.places) append_place(writer.bytes, place);
    writer.bytes += images.thumbnail(number);
    return content_hash(writer.bytes);
}

} // namespace

KeptPairs::KeptPairs(const std::filesystem::path &library, const std::string &words,
                     const NumberedImages &images)
    : library_(library), rule_(fmt::format("{} {} {}", rule_number, version(), words)),
      pixels_(images.size()) {
    std::map<std::string, std::uint32_t> numbers;
    for (std::uint32_t i = 0; i < images.size(); ++i) {
        hashes_.push_back(hash_of(images, i));
        numbers[hashes_.back()] = i;
    }
    read_compared(library_, rule_, [&](const ComparedImage &row) {
        const auto found = numbers.find(row.image);
        if (found == numbers.end()) return;
        pixels_[found->second] = row.pixels;
        read_pairs(found->second, row.pairs, numbers);
    });
}

/// Of each pair the other image, a byte, how many bytes follow, and these.
void KeptPairs::read_pairs(std::uint32_t first, const std::string &bytes,
                           const std::map<std::string, std::uint32_t> &numbers) {
    NumberReader reader(bytes);
    while (!reader.is_at_end()) {
        const auto second = numbers.find(std::string(reader.take(hash_bytes)));
        const bool mirrored = reader.take(1) == "m";
        std::size_t size = 0;
        reader(size);
        const std::string check(reader.take(size));
        if (second != numbers.end()) checks_[{first, second->second, mirrored}] = check;
    }
}

std::optional<KeptCheck> KeptPairs::find(const CandidatePair &pair) const {
    const auto found = checks_.find(pair);
    if (found == checks_.end()) return std::nullopt;
    return found->second.empty() ? KeptCheck{} : as_check(found->second);
}

void KeptPairs::put(const CandidatePair &pair, const KeptCheck &check) {
    checks_[pair] = check.geometry.places == 0 ? "" : as_bytes(check);
    is_changed_ = true;
}

void KeptPairs::put_pixel_hash(std::uint32_t image, const std::string &hash) {
    pixels_[image] = hash;
    is_changed_ = true;
}

void KeptPairs::write() const {
    if (!is_changed_ || is_read_only(library_)) return;
    std::vector<ComparedImage> rows;
    for (std::size_t i = 0; i < hashes_.size(); ++i)
        rows.push_back({.image = hashes_[i], .pixels = pixels_[i], .pairs = {}});
    for (const auto &[pair, check] : checks_) {
        NumberWriter size;
        size(check.size());
        std::string &pairs = rows[pair.first].pairs;
        pairs += hashes_[pair.second];
        pairs += pair.mirrored ? 'm' : '-';
        (pairs += size.bytes) += check;
    }
    std::erase_if(rows,
                  [](const ComparedImage &row) { return row.pairs.empty() && row.pixels.empty(); });
    try {
        keep_compared(library_, rule_, rows, wait_seconds);
    } catch (const Error &error) {
        if (error.fault != Fault::output) throw;
    }
}

} // namespace bowhist
