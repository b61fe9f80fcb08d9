#include "bench/cases/cases.hpp"
#include "bench/device_case.hpp"

#include <bowhist/compare/device_image_search.hpp>
#include <bowhist/compare/search_choice.hpp>
#include <bowhist/compare/word_counts.hpp>
#include <bowhist/device/device.hpp>

#include <algorithm>
#include <random>

namespace bowhist {
namespace {

constexpr std::size_t queries = 100;
constexpr std::size_t top = 50;
constexpr std::size_t dimensions = 128;
constexpr std::size_t descriptors = 600; ///< of an image
constexpr std::string_view passes =
    "whole numbers: a bit or 16 of an image where the roof multiplies 32";

/// Words that some images have often and most never: an image draws from 64 topics, each a tenth
/// of the words, the first ones of it most.
std::vector<WordCount> draw_words(std::uint64_t seed, std::size_t k) {
    std::mt19937_64 random(seed);
    const auto below = [&](std::size_t end) { return static_cast<std::size_t>(random() % end); };
    const std::size_t topic_words = std::max<std::size_t>(1, k / 10);
    const std::size_t topics[] = {below(64), below(64)};
    std::vector<std::uint32_t> drawn;
    for (std::size_t i = 0; i < descriptors; ++i) {
        const std::size_t topic = topics[below(2)] * 7919;
        const std::size_t place = std::min(below(topic_words), below(topic_words));
        drawn.push_back(static_cast<std::uint32_t>((topic + place * 31) % k));
    }
    std::ranges::sort(drawn);
    return counts_of(drawn);
}

std::vector<std::int8_t> draw_code(std::uint64_t seed) {
    std::mt19937_64 random(seed);
    std::vector<std::int8_t> code(dimensions);
    for (auto &value : code) value = static_cast<std::int8_t>(int(random() % 255) - 127);
    return code;
}

/// Drawn images in the form that is searched, and queries that are no images.
class Problem {
  public:
    Problem(const Scene &scene, bool by_words, std::size_t images)
        : index_({{0}}), codes_(dimensions) {
        const std::uint64_t seed = scene.request.synthetic.seed << 32;
        if (by_words)
            draw_images_with_words(seed, scene, images);
        else
            draw_images_with_codes(seed, scene, images);
    }

    const SearchableImages &images() const { return searchable_; }
    const std::vector<ImageQuery> &asked() const { return asked_; }
    ScoreWeights weights() const {
        return searchable_.words != nullptr ? ScoreWeights{7, 0} : ScoreWeights{0, 3};
    }
    /// Each input once. A product is counted for each word that a query and an image share, or for
    /// each number of a code: a multiplication and an addition.
    Work work() const { return work_; }

  private:
    void draw_images_with_words(std::uint64_t seed, const Scene &scene, std::size_t images) {
        LevelFrequencies frequencies(scene.k);
        std::vector<double> having(scene.k);
        for (std::size_t i = 0; i < images; ++i) {
            scene.observer.stop_if_interrupted();
            const auto image = draw_words(seed + i, scene.k);
            frequencies.add(image);
            norms_.push_back(measure_.squared_norm(image));
            for (const WordCount &word : image) ++having[word.word];
        }
        index_ = WordIndex(frequencies.rows());
        for (std::size_t i = 0; i < images; ++i) index_.add(draw_words(seed + i, scene.k));
        index_.finish();
        inverse_norms_ = InverseNorms(norms_);
        excess_bounds_ = ExcessBounds(index_, measure_, inverse_norms_.values);
        for (std::size_t q = 0; q < queries; ++q) {
            asked_.push_back({draw_words(seed + images + q, scene.k), {}});
            for (const WordCount &word : asked_.back().words)
                work_.operations += 2 * having[word.word];
        }
        searchable_.measure = &measure_;
        searchable_.words = &index_;
        searchable_.word_norms = norms_;
        searchable_.inverse_word_norms = &inverse_norms_;
        searchable_.excess_bounds = &excess_bounds_;
        count_bytes(static_cast<double>(index_.bytes()));
    }

    void draw_images_with_codes(std::uint64_t seed, const Scene &scene, std::size_t images) {
        for (std::size_t i = 0; i < images; ++i) {
            scene.observer.stop_if_interrupted();
            const auto code = draw_code(seed + i);
            codes_.add(code);
            norms_.push_back(squared_norm(code));
        }
        codes_.finish(WordIndex::window_images);
        inverse_norms_ = InverseNorms(norms_);
        for (std::size_t q = 0; q < queries; ++q)
            asked_.push_back({{}, draw_code(seed + images + q)});
        work_.operations = 2.0 * dimensions * queries * static_cast<double>(images);
        searchable_.codes = &codes_;
        searchable_.code_norms = norms_;
        searchable_.inverse_code_norms = &inverse_norms_;
        count_bytes(dimensions * static_cast<double>(images));
    }

    void count_bytes(double of_index) {
        work_.bytes_read = of_index + sizeof(float) * static_cast<double>(norms_.size());
        work_.bytes_written = static_cast<double>(queries * top * sizeof(ScoredImage));
    }

    WordMeasure measure_{Normalization::hellinger, {}};
    WordIndex index_;
    CodeIndex codes_;
    std::vector<std::uint32_t> norms_;
    InverseNorms inverse_norms_;
    ExcessBounds excess_bounds_;
    std::vector<ImageQuery> asked_;
    SearchableImages searchable_;
    Work work_;
};

/// Results as numbers in a row: each query's first `top` images and scores.
std::vector<std::uint32_t> numbers_of(const std::vector<std::vector<ScoredImage>> &answers) {
    std::vector<std::uint32_t> numbers;
    for (const auto &found : answers)
        for (std::size_t i = 0; i < top; ++i) {
            const ScoredImage none{~0U, 0};
            const ScoredImage &image = i < found.size() ? found[i] : none;
            numbers.push_back(image.image);
            numbers.push_back(static_cast<std::uint32_t>(image.score));
        }
    return numbers;
}

Case level_case(const Scene &scene, const std::shared_ptr<Problem> &problem,
                const SearchLevel &level,
                const std::shared_ptr<std::vector<std::uint32_t>> &expected) {
    const SearchableImages &images = problem->images();
    Subject subject{.level = std::string(level.id),
                    .place = level.on_device ? Place::device : Place::host,
                    .n = images.size(),
                    .k = images.words != nullptr ? scene.k : 0,
                    .d = images.words != nullptr ? 0 : dimensions};
    const auto output = std::make_shared<HostOutput<std::uint32_t>>(2 * top, expected);
    const Case row{.subject = subject, .work = problem->work(), .passes_roof = passes};
    if (!level.on_device)
        return host_case(
            row,
            [=] {
                output->found = numbers_of(search(problem->images(), problem->asked(),
                                                  problem->weights(), top, level.way));
            },
            output);
    if (!scene.device) return not_here(subject, no_device);
    return prepared(subject, [&] {
        const auto there = std::make_shared<DeviceImageSearch>(scene.device, images);
        return device_case(
            row, scene.device,
            [=, keep = problem] {
                output->found = numbers_of(there->search(keep->asked(), keep->weights(), top));
            },
            output);
    });
}

std::vector<Case> cases_by(const Scene &scene, bool words) {
    constexpr std::size_t usual_images = std::size_t{1} << 15; // the plain ways take long
    const std::size_t images = scene.request.n > 0 ? scene.request.n : usual_images;
    const auto problem = std::make_shared<Problem>(scene, words, images);
    const auto expected = std::make_shared<std::vector<std::uint32_t>>(
        numbers_of(search(problem->images(), problem->asked(), problem->weights(), top,
                          find_search_level("openmp").way)));
    std::vector<Case> cases;
    for (const SearchLevel &level : search_levels())
        if (scene.request.wants(level.id, true))
            cases.push_back(level_case(scene, problem, level, expected));
    return cases;
}

} // namespace

std::vector<Case> search_word_cases(const Scene &scene) {
    return cases_by(scene, true);
}

std::vector<Case> search_code_cases(const Scene &scene) {
    return cases_by(scene, false);
}

} // namespace bowhist
