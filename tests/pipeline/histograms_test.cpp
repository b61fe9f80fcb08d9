// The pipeline with a scripted extractor's stand-in: descriptor files, a counting assigner, rows
// kept.
#include "tests/files/checks.hpp"
#include "tests/support/descriptors.hpp"
#include "tests/support/kept_rows.hpp"
#include "tests/support/listener.hpp"
#include "tests/support/temporary_folder.hpp"

#include <bowhist/assign/choose/choice.hpp>
#include <bowhist/core/error.hpp>
#include <bowhist/pipeline/histogram_stream.hpp>
#include <bowhist/tables/descriptors/descriptor_file.hpp>

#include <catch2/catch.hpp>

#include <fmt/format.h>

#include <numeric>

using namespace bowhist;
using namespace bowhist::testing;

namespace {

class NoImages : public Extractor {
  public:
    Descriptors extract(const Image & /*image*/) const override { return {}; }
};

/// Counts how often it is asked, and with how many rows.
class CountingAssigner : public Assigner {
  public:
    explicit CountingAssigner(std::unique_ptr<Assigner> inner) : inner_(std::move(inner)) {}
    Assignment run(const Batch &batch) override {
        rows.push_back(batch.bag.size());
        return inner_->run(batch);
    }
    void replace(const Vocabulary &vocabulary) override { inner_->replace(vocabulary); }
    std::vector<std::size_t> rows;

  private:
    std::unique_ptr<Assigner> inner_;
};

struct Run {
    TemporaryFolder folder;
    std::vector<Input> inputs;
    KeepRows writer;
    Listener observer;
    Vocabulary vocabulary = random_vocabulary(20, 8, 1);
    CountingAssigner assigner{choose_level({.level = "serial"}, 8, 20).prepare(vocabulary)};

    void add(const std::string &name, std::size_t n, std::size_t dimensions = 8) {
        const auto path = folder / name;
        if (n > 0)
            write_descriptors(
                path, random_descriptors(n, dimensions, 1 + static_cast<unsigned>(inputs.size())));
        else
            write_descriptors(path, Descriptors{dimensions, {}});
        inputs.push_back({path, name});
    }
    StreamCounts go(std::size_t batch, int threads = 2, bool strict = false,
                    StreamCounts *so_far = nullptr, const std::function<bool()> &enough = {}) {
        HistogramOptions options;
        options.stream.so_far = so_far;
        options.stream.enough = enough;
        options.stream.threads = threads;
        options.stream.dimensions = 8;
        options.stream.strict = strict;
        options.words = 20;
        options.batch = batch;
        return stream_histograms(inputs, NoImages(), assigner, writer, options, observer);
    }
};

} // namespace

TEST_CASE("pipeline: 64 pictures are one call of the assigner") {
    Run run;
    for (int i = 0; i < 64; ++i)
        run.add(fmt::format("{}.npy", i), 10 + static_cast<std::size_t>(i));
    const StreamCounts counts = run.go(std::size_t{1} << 18);
    CHECK(counts.read == 64);
    CHECK(counts.skipped == 0);
    CHECK(run.assigner.rows == std::vector<std::size_t>{64 * 10 + 63 * 32});
    REQUIRE(run.writer.rows.size() == 64);
    for (std::size_t i = 0; i < 64; ++i) {
        const Histogram &row = run.writer.rows[i];
        CHECK(row.image == run.inputs[i].path.native());
        CHECK(row.descriptors == 10 + i);
        CHECK(std::accumulate(row.counts.begin(), row.counts.end(), 0U) == 10 + i);
    }
}

TEST_CASE("pipeline: batches and threads change neither rows nor their order") {
    Run whole;
    Run parts;
    for (Run *run : {&whole, &parts})
        for (int i = 0; i < 30; ++i)
            run->add(fmt::format("{}.fbin", i), static_cast<std::size_t>(i * 7 % 11));
    whole.go(100'000, 1);
    parts.go(16, 2);
    CHECK(whole.assigner.rows.size() == 1);
    CHECK(parts.assigner.rows.size() > 5);
    REQUIRE(whole.writer.rows.size() == parts.writer.rows.size());
    for (std::size_t i = 0; i < 30; ++i)
        CHECK(whole.writer.rows[i].counts == parts.writer.rows[i].counts);
}

TEST_CASE("pipeline: what one call leaves, having done enough, the next one does") {
    Run whole;
    Run parts;
    for (Run *run : {&whole, &parts}) {
        for (int i = 0; i < 30; ++i)
            run->add(fmt::format("{}.fbin", i), static_cast<std::size_t>(i * 7 % 11));
        run->inputs[4].path = run->folder / "missing.npy";
    }
    const StreamCounts expected = whole.go(16);
    int asked = 0;
    const StreamCounts first = parts.go(16, 2, false, nullptr, [&] { return ++asked > 12; });
    CHECK(first.read == 11);
    CHECK(first.skipped == 1);
    CHECK(parts.writer.rows.size() == 11);
    StreamCounts so_far = first;
    const StreamCounts all = parts.go(16, 2, false, &so_far);
    CHECK(all.read == expected.read);
    CHECK(all.skipped == expected.skipped);
    CHECK(all.few == expected.few);
    CHECK(all.none == expected.none);
    REQUIRE(parts.writer.rows.size() == whole.writer.rows.size());
    for (std::size_t i = 0; i < whole.writer.rows.size(); ++i)
        CHECK(whole.writer.rows[i].counts == parts.writer.rows[i].counts);
}

TEST_CASE("pipeline: what cannot be used is left out and reported, in order") {
    Run run;
    run.add("a.npy", 3);
    run.inputs.push_back({run.folder / "missing.npy", "missing.npy"});
    run.add("wide.npy", 3, 16);
    run.add("b.npy", 4);
    run.add("none.npy", 0);
    const StreamCounts counts = run.go(1000);
    CHECK(counts.read == 3);
    CHECK(counts.skipped == 2);
    CHECK(counts.few == 0); // files of descriptors are as they are
    REQUIRE(run.observer.reasons.size() == 2);
    CHECK_THAT(run.observer.reasons[0], Catch::Contains("missing.npy"));
    CHECK_THAT(run.observer.reasons[1], Catch::Contains("16") && Catch::Contains("8"));
    REQUIRE(run.writer.rows.size() == 3);
    CHECK(run.writer.rows[2].counts == std::vector<std::uint32_t>(20, 0));
    CHECK_THROWS_AS(run.go(1000, 2, true), Error);
}

TEST_CASE("pipeline: an interruption ends it as such") {
    Run run;
    run.add("a.npy", 3);
    run.observer.stop = true;
    checks::require_error(Fault::interrupted, "interrupted", {}, [&] { run.go(1000); });
}
