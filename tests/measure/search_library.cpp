// Makes a library of drawn images through the library's own classes, without pictures.
//
//   search_library LIBRARY MODELS IMAGES [MORE...] --histograms h.npz
//
// MODELS is a library whose models the new one takes. LIBRARY may hold drawn images already: the
// next ones follow. Each number of IMAGES is a run of its own: its rows are written, then its index
// is brought up to date. Prints the seconds of both. An image's path is drawn/NUMBER.jpg.
#include "tests/measure/drawn_images.hpp"
#include "tests/measure/run_measurement.hpp"

#include <bowhist/library/catalogue.hpp>
#include <bowhist/library/file/library_file.hpp>
#include <bowhist/library/segments/segment_update.hpp>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <chrono>
#include <ctime>
#include <malloc.h>

#include <utility>

namespace bowhist {
namespace {

/// Seconds, and those of all processors, since the last call.
std::string lap() {
    using Clock = std::chrono::steady_clock;
    static Clock::time_point last = Clock::now();
    static std::clock_t processors = std::clock();
    const auto before = std::exchange(last, Clock::now());
    const auto cpu_before = std::exchange(processors, std::clock());
    return fmt::format("{:.3f} s (CPU {:.3f})",
                       std::chrono::duration<double>(last - before).count(),
                       double(processors - cpu_before) / CLOCKS_PER_SEC);
}

std::string words_of(const Images &images, std::uint64_t number) {
    std::string bytes;
    for (const auto &[word, count] : images.image(number))
        for (std::uint32_t i = 0; i < count; ++i) {
            bytes += static_cast<char>(word & 255);
            bytes += static_cast<char>(word >> 8);
        }
    return bytes;
}

class DrawnLibrary {
  public:
    DrawnLibrary(const std::filesystem::path &path, const std::filesystem::path &models,
                 const Images &images)
        : images_(images), lock_(path, 0), database_(open_to_write(path)), catalogue_(*database_) {
        next_ = static_cast<std::uint64_t>(database_->number("SELECT count(*) FROM contents"));
        if (next_ > 0) return;
        database_->run("BEGIN IMMEDIATE");
        const auto from = open_to_read(models);
        for (const StoredModel &model : Catalogue(*from).models()) catalogue_.put(model);
        catalogue_.set_about("holds", "words code");
        database_->run("COMMIT");
    }

    void add(std::uint64_t count) {
        lap();
        const RowId root = catalogue_.put_root({.path = "drawn"}).id;
        const RowId folder = catalogue_.folder(root, "");
        for (std::uint64_t end = next_ + count; next_ < end;) {
            database_->run("BEGIN IMMEDIATE");
            for (const std::uint64_t last = std::min(end, next_ + 20'000); next_ < last; ++next_)
                add_image(folder, next_);
            database_->run("COMMIT");
        }
        fmt::print("{} images: rows {}", count, lap());
        append_segments(catalogue_, 1, observer_);
        fmt::print(", appended {}", lap());
        merge_segments(catalogue_, false, observer_);
        fmt::print(", merged {}", lap());
        database_->run("PRAGMA incremental_vacuum");
        fmt::print(", vacuum {}", lap());
        database_->run("PRAGMA wal_checkpoint(TRUNCATE)");
        fmt::print(", checkpoint {}; {} segments\n", lap(),
                   database_->number("SELECT count(*) FROM segments"));
    }

  private:
    void add_image(RowId folder, std::uint64_t number) {
        ContentRow content{.hash = fmt::format("{:016x}", number), .width = 640, .height = 480};
        content.words = words_of(images_, number);
        const auto values = code(number);
        content.code.emplace(values.begin(), values.end());
        content.descriptors = 1000;
        FileRow file{.folder = folder, .name = fmt::format("{:08}.jpg", number), .run = 1};
        file.file = static_cast<std::int64_t>(number);
        file.content = catalogue_.put(content);
        catalogue_.insert(file);
    }

    const Images &images_;
    WriterLock lock_;
    std::unique_ptr<Database> database_;
    Catalogue catalogue_;
    Observer observer_;
    std::uint64_t next_ = 0;
};

int measure(int count, char **arguments) {
    std::string histograms;
    std::vector<std::string> operands;
    CLI::App app("Makes a library of drawn images.");
    app.add_option("--histograms", histograms)->required();
    app.add_option("operands", operands)->required();
    CLI11_PARSE(app, count, arguments);
    mallopt(M_MMAP_THRESHOLD, 1 << 30); // as the program does, see app/command/run.cpp
    mallopt(M_TRIM_THRESHOLD, 1 << 30);
    const Images images(read_histograms(histograms));
    for (std::size_t i = 2; i < operands.size(); ++i)
        DrawnLibrary(operands.at(0), operands.at(1), images).add(std::stoull(operands[i]));
    return 0;
}

} // namespace
} // namespace bowhist

int main(int count, char **arguments) {
    return bowhist::run_measurement(bowhist::measure, count, arguments);
}
