#include <bowhist/core/error.hpp>
#include <bowhist/tables/formats/npy.hpp>
#include <bowhist/tables/formats/npz.hpp>
#include <bowhist/tables/histograms/histogram_formats.hpp>

#include <algorithm>
#include <cstring>

namespace bowhist {

namespace {

/// Bytes of a file's beginning, as if they were all of it.
class Beginning : public ByteSource {
  public:
    Beginning(const InputFile &file, std::string bytes)
        : ByteSource(file.name(), Fault::input), bytes_(std::move(bytes)) {}

    std::uint64_t remaining() const override { return bytes_.size() - position_; }
    void read(std::span<std::byte> into) override {
        if (into.size() > remaining()) fail("ends too early");
        if (!into.empty()) std::memcpy(into.data(), bytes_.data() + position_, into.size());
        position_ += into.size();
    }

  private:
    std::string bytes_;
    std::size_t position_ = 0;
};

/// Of a header that promises more than there is, what there is.
TableSize size_by(const NpyHeader &header, std::uint64_t bytes) {
    if (header.shape.size() != 2 || header.shape[1] == 0) return {};
    const std::uint64_t most = bytes / sizeof(float);
    const std::uint64_t rows = std::min(header.shape[0], most / header.shape[1]);
    const std::uint64_t values = rows * header.shape[1];
    return {rows, values, values * sizeof(float)};
}

bool is_of_number(char letter) {
    return (letter >= '0' && letter <= '9') || letter == '.' || letter == '+' || letter == '-';
}

} // namespace

TableSize size_of_text(InputFile &file) {
    constexpr std::size_t sample = 1 << 18;
    const std::string begin = file.peek(sample);
    if (begin.empty()) return {};
    std::uint64_t numbers = 0;
    std::uint64_t lines = 1;
    for (std::size_t i = 0; i < begin.size(); ++i) {
        if (begin[i] == '\n') ++lines;
        if (is_of_number(begin[i]) && (i == 0 || !is_of_number(begin[i - 1]))) ++numbers;
    }
    const double times = static_cast<double>(file.size()) / static_cast<double>(begin.size());
    const auto all = [&](std::uint64_t some) {
        return static_cast<std::uint64_t>(times * static_cast<double>(some));
    };
    // a vector that grows holds its values and a copy with as much room again
    return {all(lines), all(numbers), 3 * all(numbers) * sizeof(float)};
}

TableSize size_of_npy(InputFile &file) {
    constexpr std::size_t longest_header = 1 << 17;
    try {
        Beginning begin(file, file.peek(longest_header));
        return size_by(read_npy_header(begin), file.size());
    } catch (const Error &) {
        return {};
    }
}

TableSize size_of_npz(InputFile &file) {
    try {
        const ZipArchive archive = read_zip(file);
        ZipEntry histograms(*archive, file, "histograms.npy");
        const NpyHeader header = read_npy_header(histograms);
        return size_by(header, histograms.remaining());
    } catch (const Error &) {
        return {};
    }
}

} // namespace bowhist
