// What a search costs: images are drawn from real histograms, so that words occur together as they
// do in pictures. search_times.py drives it beside other programs, in turn.
//
//   search_times --histograms h.npz [--images 1000000] [--by both] [--device gpu] [--write FOLDER]
//
// It makes the images and the index, prints what they take, then reads lines from standard input:
// `host N`, `lists N` or `device N` searches N queries and prints the seconds by the clock and
// those of the processors; `mutual 0` searches for all images among all; `answers N` prints what is
// found; `same` compares the ways. --write leaves images and queries in FOLDER as arrays of numpy
// (compressed rows, codes).
#include "tests/measure/drawn_images.hpp"
#include "tests/measure/image_files.hpp"
#include "tests/measure/posting_lists.hpp"
#include "tests/measure/run_measurement.hpp"

#include <bowhist/compare/device_image_search.hpp>
#include <bowhist/compare/image_search.hpp>
#include <bowhist/compare/mutual_search.hpp>
#include <bowhist/compare/similarity.hpp>
#include <bowhist/tables/histograms/histogram_reader.hpp>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <iostream>
#include <map>
#include <numeric>

namespace bowhist {
namespace {

double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

/// Of all threads.
double processor_seconds() {
    timespec time{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

struct Plan {
    std::string histograms;
    std::size_t images = 100'000;
    std::size_t top = 50; ///< results of a query
    double share = 1.5;
    std::string by = "words";
    bool lists = false;
    std::size_t listed = WordRows::all_windows;
    std::string device;
    std::string folder;

    bool words() const { return by != "codes"; }
    bool codes() const { return by != "words"; }
    ScoreWeights weights() const { return {words() ? 7 : 0, codes() ? 3 : 0}; }
};

class Measurement {
  public:
    explicit Measurement(const Plan &plan)
        : plan_(plan), source_(read_histograms(plan.histograms), plan.share), index_({{0}}),
          lists_(measure_, source_.words()) {
        make_images();
        make_queries();
        if (plan.words()) {
            searchable_.measure = &measure_;
            searchable_.words = &index_;
            searchable_.word_norms = word_norms_;
            searchable_.inverse_word_norms = &inverse_word_norms_;
            searchable_.excess_bounds = &excess_bounds_;
        }
        if (plan.codes()) {
            searchable_.codes = &codes_;
            searchable_.code_norms = code_norms_;
            searchable_.inverse_code_norms = &inverse_code_norms_;
        }
        if (plan.device.empty()) return;
        const double start = now();
        DeviceOptions options;
        options.selector = plan.device;
        device_ =
            std::make_unique<DeviceImageSearch>(std::make_shared<Device>(options), searchable_);
        fmt::print("upload {:.3f} s\n", now() - start);
    }

    void answer(const std::string &way, std::size_t count) const {
        const auto some = std::span(queries_).first(std::min(count, queries_.size()));
        const double start = now();
        const double used = processor_seconds();
        const auto answers = answers_of(way, some);
        fmt::print("{:.6f} {:.6f}\n", now() - start, processor_seconds() - used);
    }

    /// All images against each other, without what drawing them takes. With a number of batches,
    /// only these, and no image wants what is found: adding up alone. Prints milliseconds of
    /// processors for an image.
    void compare_mutually(std::size_t batches) const {
        std::vector<std::uint32_t> numbers(plan_.images);
        std::iota(numbers.rbegin(), numbers.rend(), 0U);
        BestOfEach best(plan_.images, plan_.top);
        for (std::uint32_t i = 0; batches > 0 && i < plan_.images; ++i)
            for (std::uint32_t place = 0; place < plan_.top; ++place)
                best.add(i, {place, full_similarity});
        MutualSearch search(searchable_, numbers, best, plan_.top);
        const std::size_t all = (plan_.images + queries_at_once - 1) / queries_at_once;
        const std::size_t count = batches == 0 ? all : batches;
        double used = 0;
        std::size_t compared = 0;
        for (std::size_t batch = 0; batch < count; ++batch) {
            const std::size_t first = (2 * batch + 1) * all / (2 * count) * queries_at_once;
            const auto some =
                std::span(numbers).subspan(first, std::min(queries_at_once, plan_.images - first));
            std::vector<ImageQuery> queries(some.size());
            tbb::parallel_for(std::size_t{0}, some.size(),
                              [&](std::size_t i) { queries[i] = drawn(first + i); });
            used -= processor_seconds();
            search.compare(queries, some);
            used += processor_seconds();
            compared += some.size();
        }
        fmt::print("{:.6f}\n", 1000 * used / double(compared));
    }

    /// On a line: queries apart by semicolons, their images with their scores, of 1.
    void print_answers(std::size_t count) const {
        const char *apart = "";
        for (const auto &answer :
             answers_of("host", std::span(queries_).first(std::min(count, queries_.size())))) {
            fmt::print("{}", apart);
            for (const ScoredImage &found : answer)
                fmt::print(" {}:{:.9f}", found.image,
                           double(found.score) / double(plan_.weights().full()));
            apart = ";";
        }
        fmt::print("\n");
    }

    void compare() const {
        const auto expected = answers_of("host", queries_);
        for (const char *way : {"lists", "device"}) {
            const bool has =
                way == std::string("lists") ? plan_.lists && !plan_.codes() : !!device_;
            if (has) fmt::print("{} {}\n", way, answers_of(way, queries_) == expected);
        }
    }

  private:
    std::vector<std::vector<ScoredImage>> answers_of(const std::string &way,
                                                     std::span<const ImageQuery> queries) const {
        const ScoreWeights weights = plan_.weights();
        if (way == "lists") return lists_.search(queries, word_norms_, plan_.top);
        if (way == "device") return device_->search(queries, weights, plan_.top);
        return search(searchable_, queries, weights, plan_.top);
    }

    void make_images() {
        LevelFrequencies frequencies(source_.words());
        const auto files = files_of("images");
        for (std::size_t i = 0; i < std::min<std::size_t>(plan_.images, 20'000); ++i)
            frequencies.add(source_.image(i));
        WordRows rows = frequencies.rows();
        rows.listed_windows = std::min(rows.listed_windows, plan_.listed);
        index_ = WordIndex(std::move(rows));
        std::size_t words = 0;
        double seconds = 0;
        for (std::size_t i = 0; i < plan_.images; ++i) {
            const ImageQuery image = drawn(i);
            if (files) files->add(measure_, image);
            if (plan_.codes()) {
                codes_.add(image.code);
                code_norms_.push_back(squared_norm(image.code));
            }
            if (!plan_.words()) continue;
            words += image.words.size();
            const double start = now();
            index_.add(image.words);
            seconds += now() - start;
            word_norms_.push_back(measure_.squared_norm(image.words));
            if (plan_.lists) lists_.add(image.words, static_cast<std::uint32_t>(i));
        }
        index_.finish();
        codes_.finish(WordIndex::window_images);
        inverse_word_norms_ = InverseNorms(word_norms_);
        if (plan_.words())
            excess_bounds_ = ExcessBounds(index_, measure_, inverse_word_norms_.values);
        inverse_code_norms_ = InverseNorms(code_norms_);
        fmt::print("{} images, {:.0f} words each, {:.0f} bytes each, {:.2f} us each to index\n",
                   plan_.images, double(words) / double(plan_.images),
                   double(index_.bytes()) / double(plan_.images),
                   1e6 * seconds / double(plan_.images));
        if (files) files->close();
    }

    /// None without --write.
    std::unique_ptr<ImageFiles> files_of(const char *name) const {
        if (plan_.folder.empty()) return nullptr;
        return std::make_unique<ImageFiles>(plan_.folder + "/" + name);
    }

    ImageQuery drawn(std::size_t number) const {
        ImageQuery image;
        if (plan_.words()) image.words = source_.image(number);
        if (plan_.codes()) image.code = code(number);
        return image;
    }

    void make_queries() {
        const auto files = files_of("queries");
        for (std::size_t q = 0; q < 100; ++q) {
            queries_.push_back(drawn(plan_.images + q));
            if (files) files->add(measure_, queries_.back());
        }
        if (files) files->close();
    }

    const Plan &plan_;
    Images source_;
    WordMeasure measure_{Normalization::hellinger, {}};
    WordIndex index_;
    CodeIndex codes_{128};
    PostingLists lists_;
    std::vector<std::uint32_t> word_norms_, code_norms_;
    InverseNorms inverse_word_norms_, inverse_code_norms_;
    ExcessBounds excess_bounds_;
    std::vector<ImageQuery> queries_;
    SearchableImages searchable_;
    std::unique_ptr<DeviceImageSearch> device_;
};

int measure(int count, char **arguments) {
    Plan plan;
    CLI::App app("What a search costs.");
    app.add_option("--histograms", plan.histograms)->required();
    app.add_option("--images", plan.images)->check(CLI::PositiveNumber);
    app.add_option("--top", plan.top)->check(CLI::PositiveNumber);
    app.add_option("--share", plan.share, "words drawn, of those of a real image")
        ->check(CLI::PositiveNumber);
    app.add_option("--by", plan.by)->check(CLI::IsMember({"words", "codes", "both"}));
    app.add_flag("--lists", plan.lists);
    app.add_option("--listed", plan.listed, "windows whose excess lies by word, at most");
    app.add_option("--device", plan.device);
    app.add_option("--write", plan.folder);
    CLI11_PARSE(app, count, arguments);
    const Measurement measurement(plan);
    std::cout << "ready" << std::endl;
    std::string way;
    while (std::cin >> way) {
        std::size_t queries = 0;
        if (way == "same")
            measurement.compare();
        else if (std::cin >> queries && way == "answers")
            measurement.print_answers(queries);
        else if (way == "mutual")
            measurement.compare_mutually(queries);
        else
            measurement.answer(way, queries);
        std::fflush(stdout);
    }
    return 0;
}

} // namespace
} // namespace bowhist

int main(int count, char **arguments) {
    return bowhist::run_measurement(bowhist::measure, count, arguments);
}
