#include "tests/support/drawn_library.hpp"
#include "tests/support/listener.hpp"
#include "tests/support/shared_devices.hpp"

#include <bowhist/compare/similarity.hpp>
#include <bowhist/core/error.hpp>
#include <bowhist/library/segments/segment_update.hpp>
#include <bowhist/library/segments/segments.hpp>
#include <bowhist/search/indexed_images.hpp>

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <algorithm>

namespace bowhist {
namespace {

using testing::Drawn;
using testing::DrawnLibrary;
using testing::failing_device;
using testing::Listener;

constexpr std::size_t dimensions = DrawnLibrary::dimensions;

using Answers = std::vector<std::pair<std::string, std::int64_t>>;

/// Every image, scored the plain way.
Answers expected(const DrawnLibrary &library, const Drawn &query, const ScoreWeights &weights,
                 std::size_t most) {
    const WordMeasure measure(Normalization::hellinger, {});
    const auto words = counts_of(query.words);
    Answers all;
    for (const Drawn &image : library.images) {
        const auto others = counts_of(image.words);
        const auto product_of_words = static_cast<std::int64_t>(product(measure, words, others));
        std::int64_t dot = 0;
        for (std::size_t d = 0; d < dimensions; ++d) dot += query.code[d] * image.code[d];
        all.emplace_back(image.path,
                         weights.words * similarity(product_of_words, measure.squared_norm(words),
                                                    measure.squared_norm(others)) +
                             weights.codes * similarity(dot, squared_norm(query.code),
                                                        squared_norm(image.code)));
    }
    std::ranges::sort(all, [](const auto &a, const auto &b) {
        return a.second != b.second ? a.second > b.second : a.first < b.first;
    });
    all.resize(std::min(most, all.size()));
    return all;
}

void check_answers(const DrawnLibrary &library,
                   const std::vector<std::shared_ptr<Device>> &devices = {},
                   Observer &observer = silent_observer) {
    const Library opened(library.path);
    for (const auto &[words, codes] : {std::pair{true, false}, {false, true}, {true, true}}) {
        const ScoreWeights weights{words ? 7 : 0, codes ? 3 : 0};
        IndexedImages images(opened, {words, codes}, observer);
        if (!devices.empty()) images.use(devices, observer);
        for (const bool all_words : {false, true}) {
            if (all_words) images.keep_all_words();
            std::vector<ImageQuery> queries;
            std::vector<const Drawn *> drawn;
            for (std::size_t i = 0; i < library.images.size(); i += 1 + library.images.size() / 9) {
                drawn.push_back(&library.images[i]);
                queries.push_back(drawn.back()->query());
            }
            const auto answers = images.search(queries, weights, 12);
            for (std::size_t q = 0; q < queries.size(); ++q) {
                Answers found;
                for (const ScoredImage &image : answers[q])
                    if (found.size() < 12)
                        found.emplace_back(images.image(image.image).path, image.score);
                CHECK(found == expected(library, *drawn[q], weights, 12));
            }
        }
    }
}

} // namespace

TEST_CASE("index of search: answers are those of all rows, however it was made") {
    DrawnLibrary library;
    library.add(300);
    check_answers(library); // in no segment
    library.append();
    CHECK(library.number("SELECT count(*) FROM unindexed") == 0);
    check_answers(library);
    library.add(4500);
    check_answers(library);
    library.append();
    library.add(40);
    library.append();
    CHECK(library.number("SELECT count(*) FROM segments") == 3);
    check_answers(library);
    library.lose(3, false);
    check_answers(library);
    library.merge();
    CHECK(library.number("SELECT count(*) FROM segments") == 1);
    check_answers(library, {std::make_shared<Device>(DeviceOptions{})});
    library.add(40);
    library.append();
    library.merge(); // the large one stays
    CHECK(library.number("SELECT count(*) FROM segments") == 2);
    check_answers(library);
    CHECK(library.damages().empty());
}

TEST_CASE("index of search: devices that share the images find the same, also where one fails") {
    DrawnLibrary library;
    library.add(4500);
    library.append();
    library.add(300); // in no segment
    for (const std::size_t fails :
         {std::size_t{0}, std::size_t{1}, std::size_t{5}, std::size_t{30}}) {
        INFO("fails at launch " << fails << " of its work");
        Listener observer;
        const auto failing = failing_device(fails);
        check_answers(library, {failing_device(0), failing_device(0), failing}, observer);
        const bool failed = fails > 0 && failing->failed_at_launch(); // others may be quicker
        if (fails == 1) CHECK(failed);
        CHECK(observer.warnings.size() == (failed ? 1 : 0));
    }
}

TEST_CASE("index of search: what is deleted leaves it") {
    DrawnLibrary library;
    library.add(700);
    library.append();
    library.lose(2, true);
    check_answers(library);
    CHECK(library.damages().empty());
    const auto before = library.number("SELECT length(contents) FROM segments");
    library.merge(true);
    CHECK(library.number("SELECT length(contents) FROM segments") < before);
    check_answers(library);
    library.add(20); // the ids of deleted contents are not given again
    library.append();
    check_answers(library);
    CHECK(library.damages().empty());
    library.lose(1, true);
    library.merge(true);
    CHECK(library.number("SELECT count(*) FROM segments") == 0);
    CHECK(library.number("SELECT count(*) FROM postings") == 0);
}

TEST_CASE("index of search: what a killed merge left is removed") {
    DrawnLibrary library;
    library.add(500);
    library.append();
    library.run("INSERT INTO postings SELECT id + (3 << 32), checksum, postings FROM postings");
    check_answers(library);
    library.add(10);
    library.append();
    library.merge();
    CHECK(library.number("SELECT count(*) FROM postings WHERE id >= 1 << 34") == 0);
    check_answers(library);
}

TEST_CASE("index of search: a damaged one gives a line, and no answers") {
    const char *damages[] = {
        "DELETE FROM segments",
        "DELETE FROM postings WHERE id % 64 = 3",
        "DELETE FROM code_blocks",
        "UPDATE postings SET postings = zeroblob(length(postings))",
        "UPDATE code_blocks SET codes = zeroblob(length(codes))",
        "UPDATE segments SET contents = zeroblob(length(contents))",
        "UPDATE segments SET word_norms = x''",
        "UPDATE unindexed SET content = content + 1000",
        "UPDATE about SET value = x'37' WHERE name = 'indexed'",
    };
    for (const char *damage : damages) {
        DrawnLibrary library;
        library.add(200);
        library.append();
        library.add(5);
        library.run(damage);
        INFO(damage);
        Observer observer;
        const auto search = [&] {
            const Library opened(library.path);
            IndexedImages images(opened, {true, true}, observer);
            const std::vector<ImageQuery> queries = {{{{3, 1}}, std::vector<std::int8_t>(5, 1)}};
            images.search(queries, {}, 3);
        };
        CHECK_THROWS_WITH(search(), Catch::Contains("--reindex"));
        CHECK(!library.damages().empty());
        {
            DrawnLibrary::Writer writer(library.path);
            drop_segments(writer.catalogue);
        }
        library.append();
        check_answers(library);
        CHECK(library.damages().empty());
    }
}

TEST_CASE("index of search: postings that differ from the words are found") {
    DrawnLibrary library;
    library.add(50);
    library.append();
    library.run("UPDATE unindexed SET checksum = checksum"); // nothing
    CHECK(library.damages().empty());
    {
        DrawnLibrary::Writer writer(library.path);
        SegmentRows rows(*writer.database);
        const auto segments = rows.segments();
        auto postings = rows.postings(segments[0], 1)->decoded();
        postings.pop_back();
        const StoredPostings stored = encode_postings(postings, segments[0].size());
        writer.database->run("DELETE FROM postings WHERE id = (1 << 32) + 1");
        rows.put_postings(1, 1, stored.bytes);
    }
    CHECK(library.damages().size() == 1);
}

} // namespace bowhist
