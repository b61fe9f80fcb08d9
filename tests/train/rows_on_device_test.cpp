// Rows that stay on a device, are sent there in each run, or have no room: the host's words and
// sums.
#include "tests/support/descriptors.hpp"
#include "tests/support/levels.hpp"
#include "tests/support/listener.hpp"
#include "tests/support/parted_rows.hpp"
#include "tests/train/three_runs.hpp"

#include <bowhist/train/device_word_search.hpp>

#include <catch2/catch.hpp>

using namespace bowhist;
using namespace bowhist::testing;

TEST_CASE("train: rows that have no room on a device are sent there in each run") {
    if (leaves_sums_to_the_host()) return;
    Listener observer;
    const Descriptors descriptors = random_descriptors(20'000, 16, 3);
    const Vocabulary vocabulary = random_vocabulary(9, 16, 4);
    const Found expected = runs(on_host, descriptors, vocabulary);
    const auto device = limited_device([](DeviceLimits &limits) { limits.free_bytes = 1 << 20; });
    for (const std::size_t piece : {20'000, 4096, 700, 1}) {
        INFO("pieces of " << piece << " rows");
        const PartedRows rows(descriptors, piece);
        const auto search =
            make_word_search(rows, on_device("gpu2", device), vocabulary, observer, true);
        CHECK(search->on_device());
        CHECK(runs(*search, rows, vocabulary.size()) == expected);
    }
    CHECK(observer.warnings.empty());
    CHECK_THAT(observer.notes.at(0), Catch::Contains("20000 descriptors have no room"));
}

TEST_CASE("train: some of the rows that are sent stay where they have room") {
    if (leaves_sums_to_the_host()) return;
    const Descriptors descriptors = random_descriptors(20'000, 16, 3);
    const PartedRows rows(descriptors, 700);
    const Vocabulary vocabulary = random_vocabulary(9, 16, 4);
    const Found expected = runs(on_host, descriptors, vocabulary);
    const std::size_t part = 1500; // 14 of them, the last one shorter
    const std::size_t bytes = part * 16 * sizeof(float);
    for (const std::size_t kept : {0, 1, 2, 5, 13, 14, 100}) {
        INFO(kept << " parts stay");
        DeviceWordSearch search(rows, on_device("gpu2", shared_device()).prepare(vocabulary), part,
                                kept * bytes);
        CHECK(runs(search, rows, vocabulary.size()) == expected);
        search.replace(vocabulary);
        search.forget();
        CHECK(runs(search, rows, vocabulary.size()) == expected);
    }
}

TEST_CASE("train: rows pass through pinned memory in pieces, and ahead of the next run") {
    if (leaves_sums_to_the_host()) return;
    const Descriptors descriptors = random_descriptors(120'000, 16, 3);
    const RowsInMemory in_memory(descriptors);
    const PartedRows in_files(descriptors, 70'000);
    const Vocabulary vocabulary = random_vocabulary(9, 16, 4);
    const auto staged = std::make_shared<Device>(DeviceOptions{.staged = true});
    const Found expected = runs(on_host, descriptors, vocabulary);
    const std::size_t part = 40'000; // of two pieces, the second one shorter
    const auto runs_of = [&](const DescriptorRows &rows, std::size_t kept) {
        DeviceWordSearch search(rows, on_device("gpu2", staged).prepare(vocabulary), part,
                                kept * part * 16 * sizeof(float));
        return runs(search, rows, vocabulary.size());
    };
    CHECK(runs_of(in_memory, 0) == expected);
    CHECK(runs_of(in_files, 1) == expected);
}

TEST_CASE("train: rows that one thread at a time may read are not read between runs") {
    if (leaves_sums_to_the_host()) return;
    const Descriptors descriptors = random_descriptors(20'000, 16, 3);
    const PartedRows rows(descriptors, 700);
    const Vocabulary vocabulary = random_vocabulary(9, 16, 4);
    CentroidSums sums(rows, 9);
    DeviceWordSearch search(rows, on_device("gpu2", shared_device()).prepare(vocabulary), 1500, 0);
    for (int run = 0; run < 5; ++run) {
        const std::size_t before = rows.readings();
        search.run(sums);
        CHECK(rows.readings() == before + 1);
        CHECK(rows.readers() == 0);
        search.move(sums);
    }
}

TEST_CASE("train: rows are read for one run ahead, also where all of them stay") {
    if (leaves_sums_to_the_host()) return;
    const Descriptors descriptors = random_descriptors(20'000, 16, 3);
    const Vocabulary vocabulary = random_vocabulary(9, 16, 4);
    const Found expected = runs(on_host, descriptors, vocabulary);
    for (const std::size_t kept : {0, 5, 14}) { // of 14 parts
        INFO(kept << " parts stay");
        PartedRows rows(descriptors, 700);
        rows.let_any_thread_read();
        DeviceWordSearch search(rows, on_device("gpu2", shared_device()).prepare(vocabulary), 1500,
                                kept * 1500 * 16 * sizeof(float));
        CentroidSums sums(rows, 9); // reads them once, too
        for (std::size_t run = 1; run <= 5; ++run) {
            search.run(sums);
            CHECK(rows.readings() <= 1 + run + 1);
            search.move(sums);
        }
        search.replace(vocabulary);
        search.forget();
        CHECK(runs(search, rows, vocabulary.size()) == expected);
    }
}

TEST_CASE("train: rows that cannot be read end the run, and the next one begins anew") {
    if (leaves_sums_to_the_host()) return;
    const Descriptors descriptors = random_descriptors(20'000, 16, 3);
    PartedRows rows(descriptors, 700);
    const Vocabulary vocabulary = random_vocabulary(9, 16, 4);
    CentroidSums sums(rows, 9);
    const auto staged = std::make_shared<Device>(DeviceOptions{.staged = true});
    for (const std::size_t kept : {0, 3}) {
        DeviceWordSearch search(rows, on_device("gpu2", staged).prepare(vocabulary), 1500,
                                kept * 1500 * 16 * sizeof(float));
        for (const std::size_t last : {0, 5, 20}) {
            rows.fail_after(last);
            CHECK_THROWS_WITH(search.run(sums), "no more rows");
            rows.fail_after({});
            search.forget();
            CHECK(runs(search, rows, vocabulary.size()) == runs(on_host, descriptors, vocabulary));
            search.replace(vocabulary);
        }
    }
}

TEST_CASE("train: rows in files that have room on a device are read once") {
    if (leaves_sums_to_the_host()) return;
    Observer silent;
    const Descriptors descriptors = random_descriptors(5'000, 16, 3);
    const PartedRows rows(descriptors, 700);
    const Vocabulary vocabulary = random_vocabulary(9, 16, 4);
    const auto search =
        make_word_search(rows, on_device("gpu2", shared_device()), vocabulary, silent, true);
    CentroidSums sums(rows, 9);
    const std::size_t before = rows.readings();
    for (int run = 0; run < 3; ++run) search->run(sums);
    CHECK(rows.readings() == before);
    search->forget();
    CHECK(runs(*search, rows, vocabulary.size()) == runs(on_host, descriptors, vocabulary));
}

TEST_CASE("train: where a device has no room the host adds up, and a warning says so") {
    if (leaves_sums_to_the_host()) return;
    Listener observer;
    const Descriptors descriptors = random_descriptors(20'000, 16, 3);
    const RowsInMemory rows(descriptors);
    const Vocabulary vocabulary = random_vocabulary(9, 16, 4);
    const auto device = limited_device([](DeviceLimits &limits) { limits.free_bytes = 1 << 16; });
    const auto search =
        make_word_search(rows, on_device("gpu2", device), vocabulary, observer, true);
    CHECK_FALSE(search->on_device());
    CHECK_THAT(observer.warnings.at(0), Catch::Contains("no room for 20000 descriptors"));
    CHECK(runs(*search, rows, vocabulary.size()) == runs(on_host, descriptors, vocabulary));
}
