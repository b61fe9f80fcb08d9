#include <bowhist/library/segment_check.hpp>

#include <bowhist/library/segment_builder.hpp>
#include <bowhist/library/segments.hpp>
#include <bowhist/library/stored_words.hpp>

#include <fmt/format.h>
#include <xxhash.h>

#include <array>
#include <map>

namespace bowhist {
namespace {

std::uint64_t hash_of(std::uint32_t word, std::uint32_t count) {
    const std::array<std::uint32_t, 2> pair = {word, count};
    return XXH3_64bits(pair.data(), sizeof(pair));
}

/// Compares rows of descriptions with a segment, content by content.
class SegmentCheck {
  public:
    SegmentCheck(Database &database, SegmentRows &rows, const Segment &segment,
                 const Observer &observer)
        : rows_(rows), segment_(segment), observer_(observer),
          words_(database, "SELECT words FROM words WHERE content = ?1"),
          code_(database, "SELECT code FROM codes WHERE content = ?1") {}

    void check_words(std::size_t all, std::vector<std::string> &damages) {
        std::vector<std::uint64_t> sums(segment_.size());
        for (std::uint32_t word = 0; word < all; ++word) {
            observer_.stop_if_interrupted();
            const auto view = rows_.postings(segment_, word);
            if (!view) continue;
            for (const Posting &posting : view->decoded())
                sums[posting.image] += hash_of(word, posting.count);
        }
        for (std::size_t i = 0; i < segment_.size(); ++i)
            if (words_.with(segment_.content(i)).step()) {
                ImageWords expected = words_in(words_.bytes(0), all);
                if (expected.sum != sums[i] || expected.norm != segment_.word_norms[i])
                    damages.push_back(differs("words", segment_.content(i)));
            }
    }

    void check_codes(std::size_t dimensions, std::vector<std::string> &damages) {
        for (std::size_t first = 0; first < segment_.size(); first += code_block) {
            observer_.stop_if_interrupted();
            const std::string_view block = rows_.codes(segment_, first / code_block, dimensions);
            for (std::size_t i = first; i < std::min(first + code_block, segment_.size()); ++i) {
                if (!code_.with(segment_.content(i)).step()) continue;
                const std::string_view code = code_.bytes(0);
                if (code != code_in(block, i - first, dimensions) ||
                    squared_norm_of_code(code) != segment_.code_norms[i])
                    damages.push_back(differs("codes", segment_.content(i)));
            }
        }
    }

  private:
    struct ImageWords {
        std::uint64_t sum = 0; ///< of the hashes of words and their counts
        std::uint64_t norm = 0;
    };

    static ImageWords words_in(std::string_view bytes, std::size_t all) {
        ImageWords result;
        const auto words = read_words(bytes, all);
        if (!words) return result;
        for_each_count(*words, [&](std::uint32_t word, std::uint32_t count) {
            result.sum += hash_of(word, count);
            result.norm += squared_value(count);
        });
        return result;
    }

    static std::string differs(std::string_view table, RowId content) {
        return fmt::format("the index of search: content {} differs from its row of the table {}",
                           content, table);
    }

    SegmentRows &rows_;
    const Segment &segment_;
    const Observer &observer_;
    Statement words_, code_;
};

/// Every content that is described must be in one place.
void check_places(Database &database, SegmentRows &rows, const std::vector<Segment> &segments,
                  std::vector<std::string> &damages) {
    std::map<RowId, int> places;
    for (const Segment &segment : segments)
        for (std::size_t i = 0; i < segment.size(); ++i) ++places[segment.content(i)];
    for (const RowId content : rows.unindexed()) ++places[content];
    for (const auto &[content, count] : places)
        if (count > 1)
            damages.push_back(
                fmt::format("the index of search: content {} is there {} times", content, count));
    Statement described(database, "SELECT content FROM words UNION SELECT content FROM codes");
    while (described.step())
        if (!places.contains(described.number(0)))
            damages.push_back(
                fmt::format("the index of search: content {} is missing", described.number(0)));
}

} // namespace

void check_segments(Database &database, const Observer &observer,
                    std::vector<std::string> &damages) {
    SegmentRows rows(database);
    const ComparedSizes sizes = compared_sizes(database);
    const std::vector<Segment> segments = rows.segments();
    check_places(database, rows, segments, damages);
    for (const Segment &segment : segments) {
        SegmentCheck check(database, rows, segment, observer);
        if (sizes.words > 0) check.check_words(sizes.words, damages);
        if (sizes.dimensions > 0) check.check_codes(sizes.dimensions, damages);
    }
}

} // namespace bowhist
