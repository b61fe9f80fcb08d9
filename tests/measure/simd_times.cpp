// What the screens of the level simd reach on this CPU, and the level as a whole (recheck, rule and
// counting included), beside the peaks that bind them: float32 FMA, and two 16-bit products a lane.
// With as many threads as an OpenCL device of this CPU has cores also the level gpu6 there, by
// OpenCL's events; set OMP_WAIT_POLICY=passive then, or waiting threads take its cores.
// One interleaved run; median and range of GFLOP/s (2·D·n·k operations), and the median share of
// the FMA peak of the same round.
//
//   simd_times [--threads N] [--rounds N] [--dimensions D] [--rows N]... [--words K]...
//
// One thread (the default) is timed by its own CPU time, so that a busy machine disturbs it less;
// more by the clock, on a quiet machine.
#include <bowhist/assign/host/simd/screen.hpp>
#include <bowhist/assign/level.hpp>
#include <bowhist/bench/measurement.hpp>
#include <bowhist/device/device.hpp>

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <memory>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

using namespace bowhist;

namespace {

struct Plan {
    int threads = 1;
    int rounds = 9;
    std::size_t dimensions = 64;
    std::vector<std::size_t> rows;
    std::vector<std::size_t> words;
};

Plan read_plan(int argc, char **argv) {
    Plan plan;
    for (int at = 1; at + 1 < argc; at += 2) {
        const std::string option = argv[at];
        const long value = std::atol(argv[at + 1]);
        if (value <= 0) throw std::invalid_argument(option + " wants a positive number");
        if (option == "--threads")
            plan.threads = static_cast<int>(value);
        else if (option == "--rounds")
            plan.rounds = static_cast<int>(value);
        else if (option == "--dimensions")
            plan.dimensions = static_cast<std::size_t>(value);
        else if (option == "--rows")
            plan.rows.push_back(static_cast<std::size_t>(value));
        else if (option == "--words")
            plan.words.push_back(static_cast<std::size_t>(value));
        else
            throw std::invalid_argument("there is no option " + option);
    }
    if (plan.rows.empty()) plan.rows = {65536};
    if (plan.words.empty()) plan.words = {8, 16, 64, 256, 1024};
    return plan;
}

/// Of work that brings its own threads; one thread is timed by its own CPU time.
double seconds(int threads, const std::function<void()> &work) {
    const auto now = [threads] {
        timespec time{};
        clock_gettime(threads == 1 ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC, &time);
        return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
    };
    const double start = now();
    work();
    return now() - start;
}

/// Of work that each thread does its share of.
double seconds_on_each(int threads, const std::function<void(int thread)> &work) {
    return seconds(threads, [&] {
        if (threads == 1) return work(0);
#pragma omp parallel num_threads(threads)
        work(omp_get_thread_num());
    });
}

/// An instruction, again and again in twelve chains that nothing can fold.
struct Peak {
    std::string name;
    void (*run)();
    double operations; ///< of one run()
};

constexpr int steps = 200'000;
constexpr int chains = 12;

#if defined(__x86_64__)

#define BOWHIST_CHAINS(function, isa, bytes, instruction)                                          \
    __attribute__((target(isa))) void function() {                                                 \
        using Vector = float __attribute__((vector_size(bytes)));                                  \
        Vector sum[chains] = {};                                                                   \
        const Vector factor = {};                                                                  \
        for (int step = 0; step < steps; ++step) {                                                 \
            _Pragma("GCC unroll 12") for (int chain = 0; chain < chains; ++chain) asm volatile(    \
                instruction " %1, %1, %0" : "+v"(sum[chain]) : "v"(factor));                       \
        }                                                                                          \
    }
BOWHIST_CHAINS(fma_avx2, "avx2,fma", 32, "vfmadd231ps")
BOWHIST_CHAINS(fma_avx512, "avx512f", 64, "vfmadd231ps")
BOWHIST_CHAINS(products_vnni, "avx512f", 64, "vpdpwssd")
BOWHIST_CHAINS(products_bf16, "avx512f", 64, "vdpbf16ps")

std::vector<Peak> peaks() {
    constexpr double once = static_cast<double>(steps) * chains;
    std::vector<Peak> all;
    if (__builtin_cpu_supports("avx512f"))
        all.push_back({"peak FMA, AVX-512", fma_avx512, once * 16 * 2});
    else if (__builtin_cpu_supports("fma"))
        all.push_back({"peak FMA, AVX2", fma_avx2, once * 8 * 2});
    else
        throw std::runtime_error("this CPU has no FMA to compare with");
    if (__builtin_cpu_supports("avx512vnni"))
        all.push_back({"peak vpdpwssd (int16)", products_vnni, once * 16 * 4});
    if (__builtin_cpu_supports("avx512bf16"))
        all.push_back({"peak vdpbf16ps (bf16)", products_bf16, once * 16 * 4});
    return all;
}

#else

std::vector<Peak> peaks() {
    throw std::runtime_error("the peaks are written for x86 only");
}

#endif

/// Rates of one thing, round by round, and the FMA peak's of the same rounds.
class Rates {
  public:
    void add(double rate, double peak) {
        rates_.push_back(rate);
        shares_.push_back(rate / peak);
    }

    void print(const std::string &name, const std::string &remark) {
        const Spread rates = spread_of(rates_);
        fmt::print("  {:24} {:7.1f} GFLOP/s ({:.1f} … {:.1f})  {:5.1f} % of the FMA peak{}\n", name,
                   rates.median / 1e9, rates.least / 1e9, rates.most / 1e9,
                   100 * spread_of(shares_).median, remark);
    }

  private:
    std::vector<double> rates_;
    std::vector<double> shares_;
};

struct Data {
    Vocabulary vocabulary;
    std::vector<float> values;
    std::vector<const float *> rows;
    std::vector<std::int32_t> words;
};

Data normal_data(std::size_t n, std::size_t k, std::size_t dimensions) {
    std::mt19937 engine(1);
    std::normal_distribution<float> normal;
    Data data{{dimensions, std::vector<float>(k * dimensions)},
              std::vector<float>(n * dimensions),
              std::vector<const float *>(n),
              std::vector<std::int32_t>(n)};
    for (float &value : data.vocabulary.values) value = normal(engine);
    for (float &value : data.values) value = normal(engine);
    for (std::size_t row = 0; row < n; ++row)
        data.rows[row] = data.values.data() + row * dimensions;
    return data;
}

void search(const Screen &screen, Data &data, std::size_t thread, std::size_t threads) {
    constexpr std::size_t chunk = 768;
    const std::size_t n = data.rows.size();
    for (std::size_t first = thread * chunk; first < n; first += threads * chunk) {
        const std::size_t count = std::min(chunk, n - first);
        screen.search(std::span(data.rows).subspan(first, count),
                      std::span(data.words).subspan(first, count));
    }
}

std::string unproven(const Screen &screen, Data &data) {
    search(screen, data, 0, 1);
    const auto count = std::ranges::count(data.words, Screen::unproven);
    return fmt::format("  unproven {:.3f} %",
                       100.0 * static_cast<double>(count) / static_cast<double>(data.rows.size()));
}

/// A device that is this CPU, with so many cores; null where there is none.
std::shared_ptr<Device> cpu_device(int cores) {
    for (const DeviceInfo &info : devices())
        if (info.kind == DeviceKind::cpu && info.compute_units == static_cast<unsigned>(cores))
            return std::make_shared<Device>(DeviceOptions{.selector = std::to_string(info.number)});
    return nullptr;
}

/// The level gpu6, what it took and how fast that is beside the level simd.
class DeviceLevel {
  public:
    DeviceLevel(const std::shared_ptr<Device> &device, const Vocabulary &vocabulary)
        : assigner_(find_level("gpu6").prepare(device, vocabulary, {})) {}

    void run(const Batch &batch, double operations, double fma, double simd) {
        const double before = assigner_->report().device_seconds;
        assigner_->run(batch);
        const double rate = operations / (assigner_->report().device_seconds - before);
        rates_.add(rate, fma);
        beside_simd_.push_back(rate / simd);
    }

    void print() {
        const Spread share = spread_of(beside_simd_);
        rates_.print("level gpu6", fmt::format("  {:.3f} of simd ({:.3f} … {:.3f})", share.median,
                                               share.least, share.most));
    }

  private:
    std::unique_ptr<Assigner> assigner_;
    Rates rates_;
    std::vector<double> beside_simd_;
};

void measure(const Plan &plan, const std::shared_ptr<Device> &cpu, std::size_t n, std::size_t k) {
    Data data = normal_data(n, k, plan.dimensions);
    const double operations = 2.0 * static_cast<double>(n * k * plan.dimensions);
    const auto floats = make_float_screen(data.vocabulary);
    const auto integers = make_integer_screen(data.vocabulary);
    const auto level =
        find_level("simd").prepare(nullptr, data.vocabulary, {.threads = plan.threads});
    std::optional<DeviceLevel> on_device;
    if (cpu) on_device.emplace(cpu, data.vocabulary);
    const std::vector<Peak> all_peaks = peaks();
    std::vector<Rates> peak_rates(all_peaks.size());
    Rates float_rates;
    Rates integer_rates;
    Rates level_rates;
    const auto rate_of_screen = [&](const Screen &screen) {
        return operations / seconds_on_each(plan.threads, [&](int thread) {
                   search(screen, data, static_cast<std::size_t>(thread),
                          static_cast<std::size_t>(plan.threads));
               });
    };
    for (int round = 0; round < plan.rounds; ++round) {
        double fma = 0;
        for (std::size_t p = 0; p < all_peaks.size(); ++p) {
            const double rate = plan.threads * all_peaks[p].operations /
                                seconds_on_each(plan.threads, [&](int) { all_peaks[p].run(); });
            if (p == 0) fma = rate;
            peak_rates[p].add(rate, fma);
        }
        float_rates.add(rate_of_screen(*floats), fma);
        if (integers) integer_rates.add(rate_of_screen(*integers), fma);
        const double simd = operations / seconds(plan.threads, [&] {
                                level->run({data.values, {}, 1});
                            });
        level_rates.add(simd, fma);
        if (on_device) on_device->run({data.values, {}, 1}, operations, fma, simd);
    }
    fmt::print("n = {}, D = {}, k = {}, threads {}, rounds {}\n", n, plan.dimensions, k,
               plan.threads, plan.rounds);
    for (std::size_t p = 0; p < all_peaks.size(); ++p) peak_rates[p].print(all_peaks[p].name, "");
    float_rates.print("float32 screen", unproven(*floats, data));
    if (integers) integer_rates.print("integer screen", unproven(*integers, data));
    const AssignmentReport &report = level->report();
    level_rates.print("level simd", fmt::format("  by the rule {:.3f} %",
                                                100.0 * static_cast<double>(report.unproven) /
                                                    static_cast<double>(report.rows)));
    if (on_device) on_device->print();
}

} // namespace

int main(int argc, char **argv) try {
    const Plan plan = read_plan(argc, argv);
    const std::shared_ptr<Device> cpu = plan.threads > 1 ? cpu_device(plan.threads) : nullptr;
    for (const std::size_t n : plan.rows)
        for (const std::size_t k : plan.words) measure(plan, cpu, n, k);
} catch (const std::exception &error) {
    fmt::print(stderr, "simd_times: {}\n", error.what());
    return 1;
}
