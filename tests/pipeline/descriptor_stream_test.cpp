#include "tests/support/temporary_folder.hpp"

#include <bowhist/core/error.hpp>
#include <bowhist/pipeline/descriptor_stream.hpp>

#include <catch2/catch.hpp>
#include <tbb/parallel_for.h>
#include <tbb/task_group.h>

#include <atomic>
#include <chrono>
#include <fstream>
#include <thread>

using namespace bowhist;
using namespace std::chrono_literals;

namespace {

template <typename Condition>
bool wait_for(const Condition &condition, int milliseconds) {
    for (; milliseconds > 0 && !condition(); --milliseconds) std::this_thread::sleep_for(1ms);
    return condition();
}

/// Fails at an image that is wider than high, once the image before it is in the sink.
class Failing : public Extractor {
  public:
    explicit Failing(const std::atomic<bool> &is_in_sink) : is_in_sink_(is_in_sink) {}
    Descriptors extract(const Image &image) const override {
        if (image.width == image.height) return {64, std::vector<float>(64)};
        wait_for([&] { return is_in_sink_.load(); }, 10'000);
        throw Error(Fault::device, "no device");
    }

  private:
    const std::atomic<bool> &is_in_sink_;
};

} // namespace

TEST_CASE("descriptor stream: Where an image ends the run, loops of the sink end whole") {
    const TemporaryFolder folder;
    std::vector<Input> inputs;
    for (const char *size : {"8 8", "16 4"}) {
        const auto path = folder.path() / (std::string(size) + ".pgm");
        std::ofstream(path, std::ios::binary) << "P5\n" << size << "\n255\n" << std::string(64, 9);
        inputs.push_back({path, path.filename()});
    }
    std::atomic<bool> is_in_sink = false;
    std::atomic<int> taken = 0;
    const auto sink = [&](Described &&) {
        is_in_sink = true;
        wait_for([] { return tbb::is_current_task_group_canceling(); }, 300);
        tbb::parallel_for(0, 1000, [&](int) { ++taken; });
    };
    StreamOptions options;
    options.threads = 2;
    Observer silent;
    CHECK_THROWS_WITH(stream_descriptors(inputs, Failing(is_in_sink), options, silent, sink),
                      Catch::Contains("no device"));
    CHECK(is_in_sink);
    CHECK(taken == 1000);
}
