#include <bowhist/library/segments/segments.hpp>

#include <catch2/catch.hpp>

#include <random>

namespace bowhist {

TEST_CASE("postings: What is encoded is decoded") {
    std::mt19937 random(1);
    for (const std::size_t images : {1, 63, 512, 513, 4096, 4097, 20000})
        for (const unsigned one_of : {1, 3, 50, 150, 4000})
            for (const unsigned most : {1, 3, 20, 255}) {
                std::vector<Posting> postings;
                for (std::uint32_t image = 0; image < images; ++image)
                    if (random() % one_of == 0)
                        postings.push_back(
                            {image, static_cast<std::uint32_t>(1 + random() % most)});
                const StoredPostings stored = encode_postings(postings, images);
                const auto view = PostingsView::of(stored.bytes, stored.levels, images);
                REQUIRE(view);
                CHECK(view->decoded() == postings);
                CHECK(!PostingsView::of(stored.bytes + "x", stored.levels, images));
                CHECK(!PostingsView::of(stored.bytes, 9, images));
            }
}

TEST_CASE("postings: What many images have becomes bitmaps") {
    std::vector<Posting> postings;
    for (std::uint32_t image = 0; image < 1000; ++image) postings.push_back({image, 2});
    CHECK(encode_postings(postings, 1000).levels == 2);
    CHECK(encode_postings(std::span(postings).first(5), 1000).levels == 0);
}

TEST_CASE("postings: An image beyond the last is damage") {
    const StoredPostings stored = encode_postings(std::vector<Posting>{{900, 200}}, 1000);
    CHECK(PostingsView::of(stored.bytes, stored.levels, 1000));
    CHECK(!PostingsView::of(stored.bytes, stored.levels, 900));
    const auto few = encode_postings(std::vector<Posting>{{900, 2}}, 1000);
    CHECK(PostingsView::of(few.bytes, few.levels, 901));
    CHECK(!PostingsView::of(few.bytes, few.levels, 900));
    std::vector<Posting> many;
    for (std::uint32_t image = 0; image < 901; ++image) many.push_back({image, 1});
    const auto bitmap = encode_postings(many, 1000);
    REQUIRE(bitmap.levels == 1);
    CHECK(PostingsView::of(bitmap.bytes, 1, 901));
    CHECK(!PostingsView::of(bitmap.bytes, 1, 900));
}

} // namespace bowhist
