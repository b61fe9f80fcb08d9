#include <bowhist/library/segment_update.hpp>

#include <bowhist/library/description_rows.hpp>
#include <bowhist/library/row_sum.hpp>
#include <bowhist/library/segment_builder.hpp>
#include <bowhist/library/segment_merger.hpp>
#include <bowhist/library/segments.hpp>
#include <bowhist/library/transaction.hpp>

#include <algorithm>

namespace bowhist {
namespace {

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
            builder.add(content, words,
                        {reinterpret_cast<const char *>(code.data()), code.size()});
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
