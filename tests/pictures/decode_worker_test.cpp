#include "tests/files/checks.hpp"
#include "tests/pictures/make_pictures.hpp"
#include "tests/support/listener.hpp"
#include "tests/support/temporary_folder.hpp"

#include <bowhist/core/error.hpp>
#include <bowhist/io/installed_helper.hpp>
#include <bowhist/pictures/picture.hpp>
#include <bowhist/pictures/worker/decode_workers.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <csignal>
#include <fstream>
#include <iterator>
#include <new>
#include <thread>
#include <vector>

#include <sys/resource.h>
#include <sys/wait.h>

using namespace bowhist;
using bowhist::testing::Listener;

namespace {

constexpr DecodeBounds ample = {1ULL << 30, 60'000};

ImageFile image_file(const std::string &bytes) {
    return {read_image_header(bytes).value(), bytes};
}

/// A server and a worker of it.
struct Served {
    DecodeServer server;
    DecodeWorker worker{server.start_worker()};
};

DecodedImage decode_in(DecodeWorker &worker, ImageFile file, const DecodeBounds &bounds = ample,
                       const Observer *observer = nullptr) {
    return worker.decode({file.header, file.bytes}, Color::grey, 0, bounds, observer);
}

DecodedImage decode_in(DecodeWorkers &workers, ImageFile file) {
    return workers.decode({file.header, file.bytes}, Color::grey, 0, ample, nullptr);
}

/// Those that any of its threads started.
std::vector<pid_t> children_of(pid_t process) {
    std::vector<pid_t> children;
    const std::string tasks = "/proc/" + std::to_string(process) + "/task";
    for (const auto &task : std::filesystem::directory_iterator(tasks)) {
        std::ifstream list(task.path() / "children");
        children.insert(children.end(), std::istream_iterator<pid_t>(list), {});
    }
    return children;
}

/// The workers that were started since it was made; read_image keeps its own.
class StartedWorkers {
  public:
    std::vector<pid_t> list() const {
        std::vector<pid_t> now = children_of(getpid());
        std::erase_if(now, [&](pid_t child) { return std::ranges::count(before_, child) > 0; });
        return now;
    }

  private:
    std::vector<pid_t> before_ = children_of(getpid());
};

pid_t only(const std::vector<pid_t> &processes) {
    REQUIRE(processes.size() == 1);
    return processes.front();
}

std::string png_of(const cv::Mat &image) {
    return encode(".png", image, {cv::IMWRITE_PNG_COMPRESSION, 1});
}

} // namespace

TEST_CASE("decode worker: Every kind has the pixels, or the reason, that it has without") {
    const TemporaryFolder folder;
    const cv::Mat photo = make_photo(300, 200);
    for (const std::string ending :
         {".jpg", ".png", ".webp", ".tiff", ".bmp", ".ppm", ".jp2", ".ras"}) {
        const std::string whole = encode(ending.c_str(), photo);
        for (const auto &bytes : {whole, whole.substr(0, whole.size() / 2), whole.substr(0, 40)})
            for (const int side : {0, 64}) {
                INFO(ending << " " << bytes.size() << " bytes, side " << side);
                const auto path = save(folder / ("x" + ending), bytes);
                const auto read = [&](Isolation isolation) {
                    try {
                        return read_image(path, {.max_side = side, .isolation = isolation});
                    } catch (const Error &error) {
                        const std::string_view why = error.what();
                        return Image{0, 0, {why.begin(), why.end()}};
                    }
                };
                const Image apart = read(Isolation::always);
                const Image here = read(Isolation::never);
                CHECK(apart.width == here.width);
                CHECK(apart.height == here.height);
                CHECK(apart.pixels == here.pixels);
            }
    }
}

TEST_CASE("decode worker: Damage that is kept is reported from there, too") {
    const TemporaryFolder folder;
    const auto jpeg = encode(".jpg", make_photo(300, 200));
    const auto path = save(folder / "x.jpg", jpeg.substr(0, jpeg.size() / 2));
    ImageRemarks here, apart;
    const auto a = read_image(path, {.keep_damaged = true, .isolation = Isolation::never}, &here);
    const auto b = read_image(path, {.keep_damaged = true, .isolation = Isolation::always}, &apart);
    CHECK(a.pixels == b.pixels);
    CHECK(here.damage == apart.damage);
    CHECK(!here.damage.empty());
}

TEST_CASE("decode worker: More work than allowed ends with a reason, and the next is decoded") {
    DecodeWorkers workers;
    auto slow = image_file(png_of(make_photo(8000, 4000)));
    CHECK_THROWS_WITH( // 32 million pixels in 0.1 s
        workers.decode({slow.header, slow.bytes}, Color::grey, 0, {1ULL << 30, 100}, nullptr),
        Catch::Contains("seconds of work to decode"));
    const cv::Mat photo = make_photo(30, 20);
    CHECK(decode_in(workers, image_file(png_of(photo))).image.width == 30);
}

TEST_CASE("decode worker: More memory than allowed is reported, and the next is decoded") {
    const auto large = image_file(png_of(make_photo(4000, 4000)));
    Served one;
    CHECK_THROWS_AS(decode_in(one.worker, large, {8 << 20, 60'000}), std::bad_alloc);
    DecodeWorker next(one.server.start_worker());
    CHECK(next.is_fresh());
    CHECK(decode_in(next, large).image.width == 4000);
    CHECK(!next.is_fresh());
}

TEST_CASE("decode worker: One that dies costs the picture that it died of") {
    const auto file = image_file(png_of(make_photo(30, 20)));
    const StartedWorkers started;
    DecodeWorkers workers;
    CHECK(decode_in(workers, file).image.width == 30);
    kill(only(children_of(only(started.list()))), SIGKILL); // as an earlier image might
    CHECK(decode_in(workers, file).image.width == 30);      // by another

    Served fresh;
    CHECK(decode_in(fresh.worker, file).image.width == 30);
    kill(only(children_of(started.list().back())), SIGKILL);
    CHECK_THROWS_AS(decode_in(fresh.worker, file), DecodeWorker::Died);
}

TEST_CASE("decode worker: Damage is a fault of the bytes only where nothing else was short") {
    std::string bytes = png_of(make_photo(300, 200));
    const StartedWorkers started;
    Served one;
    decode_in(one.worker, image_file(bytes)); // now it is there
    const pid_t worker = only(children_of(only(started.list())));
    bytes.replace(bytes.size() / 2, 64, 64, '\0');
    const auto cause = [&] {
        try {
            decode_in(one.worker, image_file(bytes));
        } catch (const Error &error) {
            return error.cause;
        }
        return Cause::unknown;
    };
    SECTION("Nothing is") {
        CHECK(cause() == Cause::damage);
    }
    SECTION("Memory is") {
        std::ifstream status("/proc/" + std::to_string(worker) + "/statm");
        rlim_t pages = 0;
        status >> pages;
        const rlim_t most = pages * static_cast<rlim_t>(sysconf(_SC_PAGESIZE)) + (64U << 20);
        const rlimit limit = {most, most};
        REQUIRE(prlimit(worker, RLIMIT_AS, &limit, nullptr) == 0);
        CHECK(cause() == Cause::memory);
    }
    SECTION("Open files are") {
        const rlimit limit = {4, 4};
        REQUIRE(prlimit(worker, RLIMIT_NOFILE, &limit, nullptr) == 0);
        CHECK_FALSE(is_of_bytes(cause()));
    }
}

TEST_CASE("decode worker: A server that is ended is started again") {
    const auto file = image_file(png_of(make_photo(30, 20)));
    const StartedWorkers started;
    DecodeWorkers workers;
    CHECK(decode_in(workers, file).image.width == 30);
    const pid_t server = only(started.list());
    kill(only(children_of(server)), SIGKILL);
    kill(server, SIGKILL);
    siginfo_t ended;
    waitid(P_PID, static_cast<id_t>(server), &ended, WEXITED | WNOWAIT); // and leave it as it is
    CHECK(decode_in(workers, file).image.width == 30);
}

TEST_CASE("decode worker: A decoder that waits for ever is ended") {
    const StartedWorkers started;
    const pid_t server = [&] {
        Served one;
        kill(only(started.list()), SIGSTOP);
        CHECK_THROWS_AS(
            decode_in(one.worker, image_file(png_of(make_photo(30, 20))), {1ULL << 30, 10}),
            DecodeWorker::Died);
        return only(started.list());
    }();
    CHECK(kill(server, 0) != 0);
}

TEST_CASE("decode worker: A caller that wants to stop does not wait for it") {
    const StartedWorkers started;
    Listener listener;
    listener.stop = true;
    auto file = image_file(png_of(make_photo(30, 20)));
    {
        DecodeWorkers workers;
        decode_in(workers, file);
        kill(only(children_of(only(started.list()))), SIGSTOP);
        checks::require_error(Fault::interrupted, "interrupted", {}, [&] {
            workers.decode({file.header, file.bytes}, Color::grey, 0, ample, &listener);
        });
    }
    CHECK(started.list().empty()); // nothing waits for the one that is stopped
}

TEST_CASE("decode worker: Threads have one each, and leave none behind") {
    const StartedWorkers started;
    const std::string png = png_of(make_photo(300, 200));
    const auto expected = [&] {
        Served one;
        return decode_in(one.worker, image_file(png)).image.samples;
    }();
    {
        DecodeWorkers workers;
        std::vector<int> same(8, 0);
        std::vector<std::thread> threads;
        for (int &mine : same)
            threads.emplace_back([&] {
                for (int i = 0; i < 20; ++i)
                    mine += decode_in(workers, image_file(png)).image.samples == expected;
            });
        for (auto &thread : threads) thread.join();
        CHECK(same == std::vector<int>(8, 20));
    }
    CHECK(started.list().empty());
}

TEST_CASE("decode worker: What a program forks has workers of its own") {
    const auto file = image_file(png_of(make_photo(30, 20)));
    const auto other = image_file(png_of(make_photo(50, 20)));
    DecodeWorkers workers;
    const auto expected = decode_in(workers, file).image.samples;
    const pid_t child = fork();
    if (child == 0) {
        bool is_right = true;
        for (int i = 0; i < 20; ++i)
            is_right = is_right && decode_in(workers, other).image.width == 50;
        workers.end();
        _exit(is_right ? 0 : 1);
    }
    for (int i = 0; i < 20; ++i) CHECK(decode_in(workers, file).image.samples == expected);
    int status = 1;
    waitpid(child, &status, 0);
    CHECK(status == 0);
    CHECK(decode_in(workers, file).image.samples == expected);
}

TEST_CASE("decode worker: What is not installed is named") {
    CHECK_THROWS_WITH(installed_helper("missing.so"),
                      Catch::Contains("libexec/bowhist/missing.so"));
}
