#include <bowhist/search/geometry.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <random>

namespace bowhist {
namespace {

/// An image of drawn keypoints, and its view by a similarity: some keypoints move by chance, a
/// share has words of its own.
struct Views {
    std::vector<PlacedWord> first, second;

    Views(double ratio, int angle, double noise, double strange, std::size_t count = 200) {
        std::mt19937 random(4);
        std::uniform_real_distribution<double> place(0, 400);
        std::normal_distribution<double> wander(0, 1);
        const double turn = angle * 2 * M_PI / 256;
        for (std::size_t i = 0; i < count; ++i) {
            const auto word = static_cast<std::uint32_t>(random() % 2000);
            const PlacedWord from{word, float(place(random)), float(place(random)),
                                  static_cast<std::uint8_t>(100 + random() % 40),
                                  static_cast<std::uint8_t>(random())};
            PlacedWord to = from;
            to.x = float(ratio * (std::cos(turn) * from.x - std::sin(turn) * from.y) + 50 +
                         noise * wander(random));
            to.y = float(ratio * (std::sin(turn) * from.x + std::cos(turn) * from.y) - 30 +
                         noise * wander(random));
            to.angle = static_cast<std::uint8_t>(from.angle + angle);
            to.scale = static_cast<std::uint8_t>(from.scale + std::lround(24 * std::log2(ratio)));
            if (place(random) < 400 * strange)
                to.word = static_cast<std::uint32_t>(random() % 2000);
            first.push_back(from);
            second.push_back(to);
        }
        std::ranges::stable_sort(first, {}, &PlacedWord::word);
        std::ranges::stable_sort(second, {}, &PlacedWord::word);
    }
};

} // namespace

TEST_CASE("geometry: the map between two views is found among strange words") {
    for (const double ratio : {0.5, 1.0, 2.0})
        for (const int angle : {0, 7, 64, 200}) {
            const Views views(ratio, angle, 0.7, 0.6);
            const AffineAgreement agreement = find_agreement(views.first, views.second);
            INFO(ratio << " " << angle);
            CHECK(agreement.size() >= 60);
            CHECK(agreement.residual < 2);
            const double turn = angle * 2 * M_PI / 256;
            CHECK(agreement.map.a11 == Approx(ratio * std::cos(turn)).margin(0.02));
            CHECK(agreement.map.a12 == Approx(-ratio * std::sin(turn)).margin(0.02));
            CHECK(agreement.map.a21 == Approx(ratio * std::sin(turn)).margin(0.02));
            CHECK(agreement.map.a22 == Approx(ratio * std::cos(turn)).margin(0.02));
            CHECK(agreement.map.tx == Approx(50).margin(3));
            CHECK(agreement.map.ty == Approx(-30).margin(3));
        }
}

TEST_CASE("geometry: a stretched view keeps its pairs") {
    Views views(1, 0, 0.5, 0.3);
    for (PlacedWord &word : views.second) word.x *= 1.3F;
    const AffineAgreement agreement = find_agreement(views.first, views.second);
    CHECK(agreement.size() >= 100);
    CHECK(agreement.map.a11 == Approx(1.3).margin(0.02));
}

TEST_CASE("geometry: no keypoint is in two pairs") {
    const Views views(1, 0, 2, 0.2);
    auto agreement = find_agreement(views.first, views.second);
    const auto distinct = [&](auto member) {
        std::ranges::sort(agreement.pairs, {}, member);
        return std::ranges::adjacent_find(agreement.pairs, {}, member) == agreement.pairs.end();
    };
    CHECK(distinct(&WordPair::first));
    CHECK(distinct(&WordPair::second));
}

TEST_CASE("geometry: unrelated images agree hardly anywhere") {
    Views views(1, 0, 0, 0);
    std::mt19937 random(8);
    for (PlacedWord &word : views.second) {
        word.x = float(random() % 400);
        word.y = float(random() % 400);
        word.angle = static_cast<std::uint8_t>(random());
    }
    CHECK(find_agreement(views.first, views.second).size() < 8);
}

TEST_CASE("geometry: a mirrored view is another picture") {
    Views views(1, 0, 0, 0);
    for (PlacedWord &word : views.second) {
        word.x = 400 - word.x;
        word.angle = static_cast<std::uint8_t>(128 - word.angle);
    }
    CHECK(find_agreement(views.first, views.second).size() < 12);
}

TEST_CASE("geometry: few words, none, and words that are everywhere") {
    const Views views(1, 0, 0, 0);
    const std::vector<PlacedWord> none;
    CHECK(find_agreement(none, none).size() == 0);
    CHECK(find_agreement(views.first, none).size() == 0);
    CHECK(
        find_agreement(std::span(views.first).first(2), std::span(views.second).first(2)).size() ==
        0);
    std::vector<PlacedWord> same = views.first;
    for (PlacedWord &word : same) word.word = 3;
    CHECK(find_agreement(same, same).size() == 0);
}

TEST_CASE("geometry: keypoints at one spot are one place") {
    Views views(1, 0, 0, 0, 40);
    const AffineAgreement agreement = find_agreement(views.first, views.second);
    const std::size_t all = places(agreement, views.first, views.second, 5);
    CHECK(all > 30);
    for (PlacedWord &word : views.first) word.x = word.y = 100;
    CHECK(places(agreement, views.first, views.second, 5) == 1);
}

} // namespace bowhist
