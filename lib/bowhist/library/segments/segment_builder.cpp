#include <bowhist/library/segments/segment_builder.hpp>

#include <bowhist/core/error.hpp>
#include <bowhist/core/large_memory.hpp>
#include <bowhist/core/root_in_eighths.hpp>
#include <bowhist/core/round_up.hpp>

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <array>
#include <limits>

namespace bowhist {
namespace {

constexpr std::size_t words_together = 256; ///< that threads encode before they are written
constexpr std::size_t first_images = 256;   ///< by which room for all is made

using SquaredValues = std::array<std::uint64_t, most_count + 1>;

SquaredValues squared_values() {
    SquaredValues all{};
    for (std::uint32_t i = 0; i <= most_count; ++i)
        all[i] = std::uint64_t{root_in_eighths(i)} * root_in_eighths(i);
    return all;
}

const SquaredValues values = squared_values();

} // namespace

void CodeBlocks::add(std::string_view code) {
    const std::size_t group_bytes = code_group_bytes(dimensions_);
    const std::size_t place = images_++ % code_group;
    if (place == 0) bytes_.resize(bytes_.size() + group_bytes);
    char *const group = bytes_.data() + bytes_.size() - group_bytes;
    for (std::size_t i = 0; i < code.size(); ++i)
        group[(i / 2 * code_group + place) * 2 + i % 2] = code[i];
}

std::string CodeBlocks::take() {
    images_ = 0;
    return std::exchange(bytes_, {});
}

std::string code_in(std::string_view block, std::size_t image, std::size_t dimensions) {
    const char *const group = block.data() + image / code_group * code_group_bytes(dimensions);
    std::string code(dimensions, '\0');
    for (std::size_t i = 0; i < dimensions; ++i)
        code[i] = group[(i / 2 * code_group + image % code_group) * 2 + i % 2];
    return code;
}

std::uint64_t squared_value(std::uint32_t count) {
    return values[count];
}

std::uint32_t squared_norm_of_code(std::string_view code) {
    std::uint32_t sum = 0;
    for (const char value : code) {
        const auto number = static_cast<std::int8_t>(value);
        sum += static_cast<std::uint32_t>(number * number);
    }
    return sum;
}

SegmentBuilder::SegmentBuilder(std::size_t words, std::size_t dimensions, std::size_t images)
    : words_(words), dimensions_(dimensions), images_(images), starts_(words + 1) {
    codes_.reserve(images * dimensions);
}

/// For as many words an image as the first ones have, and a little more.
void SegmentBuilder::make_room() {
    const std::size_t wanted = words_of_images_.size() * images_ / contents_.size() * 17 / 16;
    words_of_images_.reserve(wanted);
    counts_.reserve(wanted);
}

void SegmentBuilder::add(RowId content, std::span<const std::uint32_t> words,
                         std::string_view code) {
    if (contents_.size() == first_images) make_room();
    contents_.push_back(content);
    if (words_ > 0) {
        std::uint64_t norm = 0;
        for_each_count(words, [&](std::uint32_t word, std::uint32_t count) {
            ++starts_[word];
            norm += squared_value(count);
            words_of_images_.push_back(word);
            counts_.push_back(static_cast<std::uint8_t>(count));
        });
        if (norm > std::numeric_limits<std::uint32_t>::max())
            throw Error(Fault::input,
                        "an image has too many words to search; describe it by fewer");
        segment_.word_norms.push_back(static_cast<std::uint32_t>(norm));
        ends_.push_back(words_of_images_.size());
    }
    if (dimensions_ == 0) return;
    segment_.code_norms.push_back(squared_norm_of_code(code));
    codes_.append(code);
}

void SegmentBuilder::write(SegmentRows &rows, std::int64_t id) {
    segment_.id = id;
    segment_.first = std::ranges::min(contents_);
    for (const RowId content : contents_)
        segment_.contents.push_back(static_cast<std::uint32_t>(content - segment_.first));
    if (words_ > 0) write_words(rows, id);
    if (dimensions_ > 0) write_codes(rows, id);
    rows.put(segment_);
}

void SegmentBuilder::write_words(SegmentRows &rows, std::int64_t id) {
    std::size_t sum = 0;
    for (std::size_t &start : starts_) sum += std::exchange(start, sum);
    LargeMemory<Posting> postings(sum);
    std::vector<std::size_t> next(starts_);
    std::size_t entry = 0;
    for (std::uint32_t image = 0; image < ends_.size(); ++image)
        for (; entry < ends_[image]; ++entry)
            postings.get()[next[words_of_images_[entry]]++] = {image, counts_[entry]};
    segment_.levels.assign(words_, '\0');
    for (std::size_t first = 0; first < words_; first += words_together) {
        std::vector<StoredPostings> stored(std::min(words_together, words_ - first));
        tbb::this_task_arena::isolate([&] { // see Ingest: no thread takes up another image here
            tbb::parallel_for(std::size_t{0}, stored.size(), [&](std::size_t i) {
                const std::size_t start = starts_[first + i];
                const std::size_t end = starts_[first + i + 1];
                if (start < end)
                    stored[i] = encode_postings(std::span(postings.get() + start, end - start),
                                                contents_.size());
            });
        });
        for (std::size_t i = 0; i < stored.size(); ++i) {
            if (stored[i].bytes.empty()) continue;
            const auto word = static_cast<std::uint32_t>(first + i);
            segment_.set_bitmaps(word, stored[i].levels);
            rows.put_postings(id, word, stored[i].bytes);
        }
    }
}

void SegmentBuilder::write_codes(SegmentRows &rows, std::int64_t id) const {
    CodeBlocks blocks(dimensions_);
    std::size_t block = 0;
    for (std::size_t i = 0; i < contents_.size(); ++i) {
        blocks.add(std::string_view(codes_).substr(i * dimensions_, dimensions_));
        if (blocks.is_full() || i + 1 == contents_.size())
            rows.put_codes(id, block++, blocks.take());
    }
}

} // namespace bowhist
