#include <bowhist/duplicates/pages.hpp>

#include <catch2/catch.hpp>

namespace bowhist {
namespace {

/// Two pages of letters, whose thumbnails do not agree.
struct Pages {
    PageCheck check{.replaced = 0,
                    .letters = {.changed = 0.05, .usual = 0.03, .windows = 5000, .thin = 1},
                    .compared = 1240};
    PixelComparison thumbnails = [] {
        PixelComparison pixels;
        pixels.plain = pixels.even = 0.9;
        return pixels;
    }();
    Judgement judgement = [] {
        Judgement one;
        one.different = true;
        one.overlap = 1;
        return one;
    }();

    bool settle(const Judgement &of_page = {}) {
        return settle_page(check, thumbnails, of_page, judgement);
    }
};

TEST_CASE("pages: letters that agree make a copy, whatever thumbnails say") {
    Pages pages;
    CHECK(!pages.settle());
    CHECK(pages.judgement.copy);
    CHECK(!pages.judgement.different);
}

TEST_CASE("pages: changed letters make two pages") {
    Pages pages;
    pages.judgement = {.copy = true, .overlap = 1};
    pages.check.letters.changed = 0.5;
    CHECK(!pages.settle());
    CHECK(!pages.judgement.copy);
    CHECK(pages.judgement.different);
}

TEST_CASE("pages: letters in doubt leave a copy unproven") {
    Pages pages;
    pages.check.letters.changed = 0.25;
    CHECK(pages.settle());
    CHECK(pages.judgement.copy);
    pages.check.letters.changed = 0.1;
    CHECK(!pages.settle());
    pages.check.compared = 310; // a small one hides more
    CHECK(pages.settle());
    pages.check.compared = 620;
    pages.check.letters = {.changed = 0.05, .usual = 0.008, .windows = 5000, .thin = 1};
    CHECK(pages.settle()); // little, but much beside what is usual
    pages.check.letters.usual = 0.03;
    CHECK(!pages.settle());
}

TEST_CASE("pages: small print proves nothing") {
    Pages pages;
    pages.check.compared = 413;
    pages.check.letters.changed = pages.check.letters.usual = 0.001;
    CHECK(pages.settle());
    Pages drawing = pages, photograph = pages, colored = pages;
    drawing.check.letters.thin = 0.5; // thick lines
    CHECK(!drawing.settle());
    photograph.check.letters.windows = 500; // few thin things
    CHECK(!photograph.settle());
    colored.thumbnails.most_chroma = 60;
    CHECK(!colored.settle());
}

TEST_CASE("pages: few letters, a corner in common and collages decide nothing") {
    Pages few, corner, collage, thing;
    few.check.letters.windows = 40;
    few.settle();
    corner.judgement.overlap = 0.3; // a letterhead
    corner.settle();
    Judgement of_collage;
    of_collage.first.holds = true;
    collage.settle(of_collage);
    thing.thumbnails.agreement.differing = 5; // something is laid over one of them
    thing.settle();
    for (const Pages *pages : {&few, &corner, &collage, &thing}) {
        CHECK(!pages->judgement.copy);
        CHECK(pages->judgement.different);
    }
}

} // namespace
} // namespace bowhist
