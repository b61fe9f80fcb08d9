#include <bowhist/library/segment_merger.hpp>

#include <bowhist/library/segment_builder.hpp>
#include <bowhist/library/transaction.hpp>

#include <tbb/parallel_for.h>

#include <algorithm>

namespace bowhist {
namespace {

class Merging {
  public:
    Merging(Database &database, SegmentRows &rows, std::span<const Segment> segments,
            Observer &observer)
        : database_(database), rows_(rows), segments_(segments), observer_(observer),
          sizes_(compared_sizes(database)) {
        merged_.id = segments.back().id + 1;
        number_images();
    }

    void run() {
        Transaction transaction(database_);
        if (images_ > 0) write_words(transaction);
        if (images_ > 0 && sizes_.dimensions > 0) write_codes(transaction);
        if (images_ > 0) rows_.put(merged_);
        for (const Segment &segment : segments_) rows_.erase(segment.id);
        rows_.release();
        transaction.commit();
    }

  private:
    static constexpr std::uint32_t left_out = UINT32_MAX;
    static constexpr std::size_t words_together = 64;
    static constexpr std::size_t bytes_together = std::size_t{64} << 20; ///< of a transaction

    /// Numbers the images that the library still has.
    void number_images() {
        std::vector<RowId> contents;
        Statement has(database_, "SELECT 1 FROM contents WHERE id = ?1 AND skipped IS NULL");
        for (const Segment &segment : segments_) {
            auto &numbers = numbers_.emplace_back();
            for (std::size_t i = 0; i < segment.size(); ++i) {
                const bool stays = has.with(segment.content(i)).step();
                numbers.push_back(stays ? static_cast<std::uint32_t>(images_++) : left_out);
                if (!stays) continue;
                contents.push_back(segment.content(i));
                if (!segment.word_norms.empty())
                    merged_.word_norms.push_back(segment.word_norms[i]);
                if (!segment.code_norms.empty())
                    merged_.code_norms.push_back(segment.code_norms[i]);
            }
        }
        if (contents.empty()) return;
        merged_.first = std::ranges::min(contents);
        for (const RowId content : contents)
            merged_.contents.push_back(static_cast<std::uint32_t>(content - merged_.first));
    }

    /// A word's rows of each segment, copied.
    using Rows = std::vector<StoredPostings>;

    void write_words(Transaction &transaction) {
        merged_.levels.assign(sizes_.words, '\0');
        for (std::size_t first = 0; first < sizes_.words; first += words_together) {
            observer_.stop_if_interrupted();
            const std::size_t count = std::min(words_together, sizes_.words - first);
            std::vector<Rows> rows(count);
            for (std::size_t i = 0; i < count; ++i)
                rows[i] = read(static_cast<std::uint32_t>(first + i));
            std::vector<StoredPostings> stored(count);
            tbb::parallel_for(std::size_t{0}, count,
                              [&](std::size_t i) { stored[i] = merged(rows[i]); });
            for (std::size_t i = 0; i < count; ++i)
                if (!stored[i].bytes.empty())
                    put(static_cast<std::uint32_t>(first + i), stored[i], transaction);
            observer_.progress("words of the index merged", first + count, sizes_.words);
        }
    }

    Rows read(std::uint32_t word) {
        Rows rows;
        for (const Segment &segment : segments_) {
            StoredPostings &stored = rows.emplace_back();
            const auto view = rows_.postings(segment, word);
            if (view) stored = {view->levels(), std::string(view->bytes())};
        }
        return rows;
    }

    StoredPostings merged(const Rows &rows) const {
        std::vector<Posting> postings;
        for (std::size_t s = 0; s < segments_.size(); ++s) {
            const StoredPostings &stored = rows[s];
            if (stored.bytes.empty()) continue;
            const auto view = PostingsView::of(stored.bytes, stored.levels, segments_[s].size());
            for (const Posting &posting : view->decoded())
                if (const std::uint32_t number = numbers_[s][posting.image]; number != left_out)
                    postings.push_back({number, posting.count});
        }
        if (postings.empty()) return {};
        return encode_postings(postings, images_);
    }

    void put(std::uint32_t word, const StoredPostings &stored, Transaction &transaction) {
        merged_.set_bitmaps(word, stored.levels);
        rows_.put_postings(merged_.id, word, stored.bytes);
        commit_if_large(stored.bytes.size(), transaction);
    }

    /// A large transaction would double the file beside it.
    void commit_if_large(std::size_t more, Transaction &transaction) {
        bytes_ += more;
        if (bytes_ < bytes_together) return;
        bytes_ = 0;
        rows_.release();
        transaction.renew();
    }

    void write_codes(Transaction &transaction) {
        CodeBlocks blocks(sizes_.dimensions);
        std::size_t written = 0;
        std::size_t images = 0;
        for (std::size_t s = 0; s < segments_.size(); ++s)
            for (std::size_t first = 0; first < segments_[s].size(); first += code_block) {
                observer_.stop_if_interrupted();
                const std::string codes(
                    rows_.codes(segments_[s], first / code_block, sizes_.dimensions));
                const std::size_t end = std::min(code_block, segments_[s].size() - first);
                for (std::size_t i = 0; i < end; ++i) {
                    if (numbers_[s][first + i] == left_out) continue;
                    blocks.add(code_in(codes, i, sizes_.dimensions));
                    if (++images < images_ && !blocks.is_full()) continue;
                    const std::string bytes = blocks.take();
                    rows_.put_codes(merged_.id, written++, bytes);
                    commit_if_large(bytes.size(), transaction);
                }
            }
    }

    Database &database_;
    SegmentRows &rows_;
    std::span<const Segment> segments_;
    Observer &observer_;
    ComparedSizes sizes_;
    std::size_t images_ = 0;
    std::vector<std::vector<std::uint32_t>> numbers_; ///< of each segment's images in the new one
    Segment merged_;
    std::size_t bytes_ = 0;
};

} // namespace

void merge_into_one(Database &database, SegmentRows &rows, std::span<const Segment> segments,
                    Observer &observer) {
    Merging(database, rows, segments, observer).run();
}

} // namespace bowhist
