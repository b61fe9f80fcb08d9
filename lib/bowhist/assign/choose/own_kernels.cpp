#include <bowhist/assign/choose/own_kernels.hpp>

#include <bowhist/assign/rule.hpp>
#include <bowhist/core/descriptors.hpp>
#include <bowhist/core/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <span>
#include <vector>

namespace bowhist {
namespace {

/// Rows of the sample: a tenth of a second of the rule, but at least a full group.
std::size_t sample_rows(const Vocabulary &vocabulary) {
    constexpr std::size_t operations = std::size_t{1} << 26;
    return std::clamp<std::size_t>(operations / vocabulary.values.size(), 64, 4096);
}

using Row = std::span<const float>;

/// A point on the line through two words: 0 is the first word, 0.5 lies exactly between them.
std::vector<float> on_line(Row one, Row other, float part) {
    std::vector<float> row;
    for (std::size_t i = 0; i < one.size(); ++i) row.push_back(one[i] + part * (other[i] - one[i]));
    return row;
}

/// Each coordinate of either word; one of them is moved until both words are nearly as far from the
/// row. A dimension that is left out, or added up wrongly, then changes the nearer word.
std::vector<float> mixed(Row one, Row other, std::mt19937 &random) {
    std::vector<float> row;
    std::size_t widest = 0;
    double lead = 0; // of the first word's squared distance
    for (std::size_t i = 0; i < one.size(); ++i) {
        const bool of_one = random() % 2 == 0;
        row.push_back(of_one ? one[i] : other[i]);
        const double apart = double{other[i]} - one[i];
        lead += of_one ? -apart * apart : apart * apart;
        if (std::abs(apart) > std::abs(other[widest] - one[widest])) widest = i;
    }
    const double apart = double{other[widest]} - one[widest];
    if (apart != 0) row[widest] -= static_cast<float>(lead * 0.999 / (2 * apart));
    return row;
}

Descriptors draw_sample(const Vocabulary &vocabulary) {
    constexpr float parts[] = {0, 0.5F, 0.499999F, 1e-6F, 7};
    std::mt19937 random(1);
    Descriptors sample{vocabulary.dimensions, {}};
    for (std::size_t i = 0; i < sample_rows(vocabulary); ++i) {
        const Row one = vocabulary.row(i < vocabulary.size() ? i : random() % vocabulary.size());
        const Row other = vocabulary.row(random() % vocabulary.size());
        const auto row = i % 2 == 0 ? on_line(one, other, parts[i / 2 % std::size(parts)])
                                    : mixed(one, other, random);
        sample.values.insert(sample.values.end(), row.begin(), row.end());
    }
    return sample;
}

} // namespace

void require_words_of_the_rule(Assigner &assigner, const Vocabulary &vocabulary) {
    const Descriptors sample = draw_sample(vocabulary);
    const auto words = assigner.run({sample.values, {}, 1}).words;
    std::size_t wrong = 0;
    for (std::size_t row = 0; row < words.size(); ++row)
        wrong += words[row] != nearest(sample.row(row), vocabulary) ? 1 : 0;
    if (wrong > 0)
        throw Error(Fault::device,
                    fmt::format("{} of {} words of a sample are not those of the rule: a kernel in "
                                "--kernel-dir is broken; repair it",
                                wrong, words.size()));
}

} // namespace bowhist
