#include <bowhist/group/agreement.hpp>

#include <catch2/catch.hpp>

#include <cmath>
#include <random>

using namespace bowhist;

namespace {

using Groups = std::vector<std::int32_t>;
using Labels = std::vector<std::string>;

/// Of all pairs: together in both, in the groups, in the labels (Hubert and Arabie 1985).
double ari_by_pairs(const Groups &groups, const Labels &labels) {
    double both = 0, in_groups = 0, in_labels = 0, all = 0;
    for (std::size_t i = 0; i < groups.size(); ++i)
        for (std::size_t j = 0; j < i; ++j) {
            all += 1;
            in_groups += groups[i] == groups[j] ? 1 : 0;
            in_labels += labels[i] == labels[j] ? 1 : 0;
            both += groups[i] == groups[j] && labels[i] == labels[j] ? 1 : 0;
        }
    const double expected = in_groups * in_labels / all;
    return (both - expected) / ((in_groups + in_labels) / 2 - expected);
}

} // namespace

TEST_CASE("agreement: equal divisions agree, whatever their names") {
    const Agreement same = agreement(Groups{1, 1, 0, 0, -1}, Labels{"b", "b", "a", "a", "c"});
    CHECK(same.purity == 1);
    CHECK(same.nmi == Approx(1).epsilon(1e-15));
    CHECK(same.ari == 1);
    CHECK(same.groups == Groups{-1, 0, 1});
    CHECK(same.labels == Labels{"a", "b", "c"});
    CHECK(same.counts == std::vector<std::vector<LabelCount>>{{{2, 1}}, {{0, 2}}, {{1, 2}}});
    const Agreement one = agreement(Groups{0, 0}, Labels{"a", "a"});
    CHECK(one.nmi == 1);
    CHECK(one.ari == 1);
}

TEST_CASE("agreement: figures of a small table, by hand") {
    // 3 a and 1 b in group 0, 1 a and 3 b in group 1
    const Agreement table =
        agreement(Groups{0, 0, 0, 0, 1, 1, 1, 1}, Labels{"a", "a", "a", "b", "b", "b", "b", "a"});
    CHECK(table.purity == 0.75);
    CHECK(table.nmi == Approx(1 + 0.75 * std::log2(0.75) + 0.25 * std::log2(0.25)).epsilon(1e-14));
    CHECK(table.ari == Approx((6.0 - 144.0 / 28) / (12 - 144.0 / 28)).epsilon(1e-14));
    const Agreement unrelated = agreement(Groups{0, 0, 1, 1}, Labels{"a", "b", "a", "b"});
    CHECK(unrelated.nmi == Approx(0).margin(1e-15));
    CHECK(unrelated.ari == -0.5);
}

TEST_CASE("agreement: random divisions against the definitions") {
    std::mt19937 engine(3);
    Groups groups;
    Labels labels;
    for (int i = 0; i < 200; ++i) {
        groups.push_back(static_cast<std::int32_t>(engine() % 7) - 1);
        labels.push_back(std::string(1 + engine() % 5, 'x'));
    }
    const Agreement table = agreement(groups, labels);
    CHECK(table.ari == Approx(ari_by_pairs(groups, labels)).epsilon(1e-12));
    double groups_entropy = 0, labels_entropy = 0, joint = 0;
    const auto add = [](double &sum, double count) {
        if (count > 0) sum -= count / 200 * std::log(count / 200);
    };
    for (const auto &row : table.counts) {
        double all = 0;
        for (const LabelCount &one : row) {
            add(joint, static_cast<double>(one.images));
            all += static_cast<double>(one.images);
        }
        add(groups_entropy, all);
    }
    for (std::size_t j = 0; j < table.labels.size(); ++j) {
        double all = 0;
        for (const auto &row : table.counts)
            for (const LabelCount &one : row)
                if (one.label == j) all += static_cast<double>(one.images);
        add(labels_entropy, all);
    }
    const double mutual = groups_entropy + labels_entropy - joint;
    CHECK(table.nmi == Approx(2 * mutual / (groups_entropy + labels_entropy)).epsilon(1e-10));
}

TEST_CASE("agreement: images without a label are left out") {
    const Agreement table = agreement(Groups{0, 1, 2, 0}, Labels{"a", "", "", "b"});
    CHECK(table.images == 2);
    CHECK(table.groups == Groups{0});
    CHECK(table.purity == 0.5);
    CHECK(agreement(Groups{0}, Labels{""}).images == 0);
}

TEST_CASE("agreement: as many groups and labels as images take no table of all pairs") {
    constexpr std::int32_t images = 200'000; // whose table would have 320 GB
    Groups groups;
    Labels labels;
    for (std::int32_t i = 0; i < images; ++i) {
        groups.push_back(i / 2);
        labels.push_back(std::to_string(i));
    }
    const Agreement table = agreement(groups, labels);
    CHECK(table.purity == 0.5);
    CHECK(table.ari == 0);
}
