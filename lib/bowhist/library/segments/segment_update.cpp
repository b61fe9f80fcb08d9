#include <bowhist/library/segments/segment_update.hpp>

#include <bowhist/core/observer.hpp>
#include <bowhist/library/description_rows.hpp>
#include <bowhist/library/file/row_sum.hpp>
#include <bowhist/library/file/transaction.hpp>
#include <bowhist/library/segments/segment_builder.hpp>
#include <bowhist/library/segments/segments.hpp>

#include <tbb/parallel_for.h>

#include <algorithm>
#include <span>

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

/// Makes one segment of several, and deletes them. Images that the library no longer has are left
/// out. It is several transactions: the rows of a run that was ended among them belong to no
/// segment, and are erased by the next one.
/// @param segments  neighbors, the last of all among them
void merge_into_one(Database &database, SegmentRows &rows, std::span<const Segment> segments,
                    Observer &observer) {
    Merging(database, rows, segments, observer).run();
}

/// Appends a segment of contents by their rows. Part of the caller's transaction.
class Appending {
  public:
    Appending(Catalogue &catalogue, SegmentRows &rows)
        : rows_(rows), sizes_(compared_sizes(catalogue.database())), descriptions_(catalogue),
          done_(catalogue.database(), "DELETE FROM unindexed WHERE content BETWEEN ?1 AND ?2") {}

    /// @param contents  neighbors among those that are in no segment, rising
    void append(std::span<const RowId> contents, std::int64_t id, const Observer &observer) {
        SegmentBuilder builder(sizes_.words, sizes_.dimensions, contents.size());
        for (const RowId content : contents) {
            observer.stop_if_interrupted();
            std::vector<std::uint32_t> words;
            std::vector<std::int8_t> code;
            if (sizes_.words > 0) words = descriptions_.words_alone(content);
            if (sizes_.dimensions > 0) code = descriptions_.code(content).values;
            builder.add(content, words, {reinterpret_cast<const char *>(code.data()), code.size()});
        }
        done_.with(contents.front(), contents.back()).run();
        builder.write(rows_, id);
    }

  private:
    SegmentRows &rows_;
    ComparedSizes sizes_;
    DescriptionRows descriptions_;
    Statement done_;
};

std::int64_t next_id(Database &database) {
    return database.number("SELECT max(id) FROM segments") + 1;
}

void erase_leftovers(Database &database, SegmentRows &rows, const Observer &observer) {
    Transaction transaction(database);
    while (rows.erase_some_leftovers()) {
        observer.stop_if_interrupted();
        transaction.renew();
    }
    transaction.commit();
}

/// How many segments stay as they are.
std::size_t staying(std::span<const Segment> segments) {
    std::size_t behind = 0;
    std::size_t stay = segments.size();
    for (std::size_t i = segments.size(); i-- > 0; behind += segments[i].size())
        if (segments[i].size() < 2 * behind && segments[i].size() + behind <= most_segment_images)
            stay = i;
    return stay;
}

/// How many of the first segments lack few of their images by now.
std::size_t without_holes(Database &database, std::span<const Segment> segments) {
    Statement has(database, "SELECT 1 FROM contents WHERE id = ?1");
    for (std::size_t s = 0; s < segments.size(); ++s) {
        std::size_t lost = 0;
        for (std::size_t i = 0; i < segments[s].size(); ++i)
            lost += has.with(segments[s].content(i)).step() ? 0 : 1;
        if (lost > segments[s].size() / 4) return s;
    }
    return segments.size();
}

} // namespace

void append_segments(Catalogue &catalogue, std::size_t least, const Observer &observer) {
    Database &database = catalogue.database();
    least = std::max<std::size_t>(least, 1);
    if (static_cast<std::size_t>(database.number("SELECT count(*) FROM unindexed")) < least) return;
    SegmentRows rows(database);
    erase_leftovers(database, rows, observer);
    const std::vector<RowId> contents = rows.unindexed();
    for (std::size_t first = 0; contents.size() - first >= least; first += segment_images) {
        Transaction transaction(database);
        const std::size_t count = std::min(segment_images, contents.size() - first);
        Appending(catalogue, rows)
            .append(std::span(contents).subspan(first, count), next_id(database), observer);
        transaction.commit();
        if (count < segment_images) break;
    }
}

void merge_segments(Catalogue &catalogue, bool has_lost, Observer &observer) {
    Database &database = catalogue.database();
    SegmentRows rows(database);
    erase_leftovers(database, rows, observer);
    const std::vector<Segment> segments = rows.segments();
    std::size_t stay = staying(segments);
    if (has_lost) stay = std::min(stay, without_holes(database, segments));
    if (stay == segments.size()) return;
    merge_into_one(database, rows, std::span(segments).subspan(stay), observer);
    erase_leftovers(database, rows, observer);
}

void drop_segments(Catalogue &catalogue) {
    Database &database = catalogue.database();
    database.run("DELETE FROM segments; DELETE FROM unindexed;");
    catalogue.set_about("indexed", "0");
    Statement described(database, "SELECT content FROM words UNION SELECT content FROM codes");
    Statement insert(database, "INSERT INTO unindexed VALUES(?1, ?2)");
    while (described.step()) {
        const RowId content = described.number(0);
        insert.with(content, RowSum::of(content)).run();
    }
}

} // namespace bowhist
