#include <bowhist/tables/histograms/histogram_reader.hpp>
#include <bowhist/tables/histograms/histogram_writer.hpp>

#include "tests/files/checks.hpp"
#include "tests/files/histograms.hpp"
#include "tests/support/temporary_folder.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace bowhist;

namespace {

const std::vector<std::string> endings = {".csv", ".npy",  ".npz",  ".jsonl",
                                          ".svm", ".fbin", ".fvecs"};

/// The bytes of a file with this ending that holds one row.
std::string written(const std::string &ending, Normalization normalization, const Histogram &row) {
    const TemporaryFolder folder;
    const HistogramFileInfo info{row.counts.size(), normalization, "f", "akaze"};
    histograms::write(folder / ("h" + ending), info, {row});
    return checks::read_bytes(folder / ("h" + ending));
}

/// Runs `call` in a child whose standard output is `path`; returns the child's exit status.
template <typename Call>
int with_standard_output(const std::filesystem::path &path, Call call) {
    const pid_t child = ::fork();
    if (child == 0) {
        const int descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT, 0600);
        ::dup2(descriptor, STDOUT_FILENO);
        int status = 0;
        try {
            call();
        } catch (const Error &error) {
            status = error.fault == Fault::output ? 3 : 4;
        }
        ::_exit(status);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

} // namespace

TEST_CASE("files: the text formats, to the letter") {
    const Histogram row{"a,\"b\n%.jpg", 3, {2, 0, 1}};
    CHECK(written(".csv", Normalization::none, row) ==
          "image,descriptors,w0,w1,w2\n\"a,\"\"b\n%.jpg\",3,2,0,1\n");
    CHECK(written(".CSV", Normalization::l1, {"a", 4, {2, 0, 1, 1}}) ==
          "image,descriptors,w0,w1,w2,w3\na,4,0.5,0,0.25,0.25\n");
    CHECK(written(".jsonl", Normalization::none, row) ==
          "{\"image\":\"a,\\\"b\\n%.jpg\",\"descriptors\":3,\"histogram\":[2,0,1]}\n");
    CHECK(written(".jsonl", Normalization::none, {"", 0, {}}) ==
          "{\"image\":\"\",\"descriptors\":0,\"histogram\":[]}\n");
    CHECK(written(".svm", Normalization::none, row) == "0 1:2 3:1 # a,\"b%0A%25.jpg\n");
    CHECK(written(".svm", Normalization::l1, {"\r", 3, {0, 1, 2}}) ==
          "0 2:0.33333334 3:0.6666667 # %0D\n");
    CHECK(written(".svm", Normalization::l1, {"none", 0, {0, 0}}) == "0 # none\n");
}

TEST_CASE("files: the binary formats without names, to the byte") {
    const auto row = checks::bytes(2.0F, 0.0F, 1.0F);
    const auto shares = checks::bytes(0.5F, 0.0F, 0.25F, 0.25F);
    using U = std::uint32_t;
    CHECK(written(".fbin", Normalization::none, {"a", 3, {2, 0, 1}}) ==
          checks::bytes(U{1}, U{3}) + row);
    CHECK(written(".fvecs", Normalization::none, {"a", 3, {2, 0, 1}}) == checks::bytes(U{3}) + row);
    CHECK(written(".fvecs", Normalization::l1, {"a", 4, {2, 0, 1, 1}}) ==
          checks::bytes(U{4}) + shares);
}

TEST_CASE("files: an .npz does not record when it was written") {
    const std::string archive = written(".npz", Normalization::none, {"a", 1, {1}});
    const std::uint16_t midnight = 0;
    const std::uint16_t first_of_january_1980 = 0x21;
    CHECK(archive.substr(10, 4) == checks::bytes(midnight, first_of_january_1980));
}

TEST_CASE("files: histograms appear with finish and not before") {
    for (const std::string &ending : endings) {
        const TemporaryFolder folder;
        const std::string name = "h" + ending;
        checks::write_bytes(folder / name, "old");
        const HistogramFileInfo info{3, Normalization::none, "f", "akaze"};
        {
            const auto given_up = open_histograms(folder / name, info);
            given_up->write({"a", 1, {1, 0, 0}});
        }
        CHECK(checks::read_bytes(folder / name) == "old");
        CHECK(checks::names_in(folder.path()) == std::set<std::string>{name});

        std::set<std::string> written; // the same bytes each time
        for (int time = 0; time < 2; ++time) {
            auto writer = open_histograms(folder / name, info);
            writer->write({"a", 1, {1, 0, 0}});
            const std::string before = checks::read_bytes(folder / name);
            CHECK((before == "old" || time == 1));
            writer->finish();
            CHECK(checks::read_bytes(folder / name) != "old");
            written.insert(checks::read_bytes(folder / name));
            writer.reset();
            CHECK(checks::names_in(folder.path()) == std::set<std::string>{name});
        }
        CHECK(written.size() == 1);
    }
}

TEST_CASE("files: a row of another width is refused") {
    for (const std::string &ending : endings) {
        const TemporaryFolder folder;
        const auto path = folder / ("h" + ending);
        const auto writer = open_histograms(path, {3, Normalization::none, "f", "akaze"});
        checks::require_error(Fault::output, path.string(), {"3 words", "found 2", "a.jpg"}, [&] {
            writer->write({"a.jpg", 2, {1, 1}});
        });
    }
}

TEST_CASE("files: histograms that cannot be written are refused before any work is done") {
    const TemporaryFolder folder;
    checks::require_error(Fault::usage, "h.txt",
                          {".csv, .npy, .npz, .jsonl, .svm, .fbin or .fvecs", "'.txt'"},
                          [] { open_histograms("h.txt", {}); });
    for (const std::string &ending : endings) {
        const auto path = folder / ("no/h" + ending);
        checks::require_error(Fault::output, path.string(), {"No such file or directory"},
                              [&] { open_histograms(path, {}); });
        std::filesystem::create_directory(folder / ("d" + ending));
        checks::require_error(Fault::output, (folder / ("d" + ending)).string(), {"is a directory"},
                              [&] { open_histograms(folder / ("d" + ending), {}); });
    }
    std::filesystem::create_symlink("/dev/null", folder / "null.npz");
    checks::require_error(Fault::output, (folder / "null.npz").string(), {"no regular file"},
                          [&] { open_histograms(folder / "null.npz", {}); });
}

TEST_CASE("files: a full device is reported, in each format that can meet one") {
    for (const std::string ending : {".csv", ".npy", ".jsonl", ".svm", ".fbin", ".fvecs"}) {
        const TemporaryFolder folder;
        const auto path = folder / ("full" + ending);
        std::filesystem::create_symlink("/dev/full", path);
        for (const std::size_t rows : {1, 3000}) {
            checks::require_error(Fault::output, path.string(), {"No space left"}, [&] {
                histograms::write(path, {9, Normalization::none, "f", "akaze"},
                                  histograms::rows(rows, 9));
            });
        }
    }
}

TEST_CASE("files: without a path, CSV goes to standard output") {
    const TemporaryFolder folder;
    const HistogramFileInfo info{9, Normalization::none, "f", "akaze"};
    const auto rows = histograms::rows(20, 9);
    histograms::write(folder / "h.csv", info, rows);
    const auto print = [&] { histograms::write("", info, rows); };
    CHECK(with_standard_output(folder / "out", print) == 0);
    CHECK(checks::read_bytes(folder / "out") == checks::read_bytes(folder / "h.csv"));
    CHECK(with_standard_output("/dev/full", print) == 3);
    const auto print_one = [&] { histograms::write("", info, {rows[0]}); };
    CHECK(with_standard_output("/dev/full", print_one) == 3);
    CHECK(with_standard_output("/dev/null", [&] {
              ::close(STDOUT_FILENO);
              print_one();
          }) == 3);
}
