// The rows of a part (part_file.cpp). Numbers are little-endian; those of histograms and other rows
// begin with uint32 size and the bytes of the image's path.
//
//     histograms   uint32 descriptors; then of each word that occurs its distance from the one
//                  before, from 0 on, and its count: both in 7 bits a byte, the lowest first, the
//                  high bit set in all but the last byte
//     rows         uint32 descriptors; then int8 of codes, else float32
//     descriptors  uint32 size and the bytes of a sidecar, JSON; uint32 D, then float32 n·D
//     words        int32, of any number of descriptors

#include <bowhist/tables/parts/part_rows.hpp>

#include <bowhist/tables/formats/sidecar_json.hpp>

#include <algorithm>
#include <array>
#include <cstring>

namespace bowhist {
namespace {

void append_number32(std::string &bytes, std::uint32_t number) {
    bytes += bytes_of(std::array{number});
}

void append_text(std::string &bytes, std::string_view text) {
    append_number32(bytes, static_cast<std::uint32_t>(text.size()));
    bytes += text;
}

void append_short(std::string &bytes, std::uint64_t number) {
    for (; number >= 0x80; number >>= 7U) bytes += static_cast<char>(number | 0x80U);
    bytes += static_cast<char>(number);
}

/// Takes a row apart.
class RowBytes {
  public:
    RowBytes(std::string_view bytes, const InputFile &file) : bytes_(bytes), file_(file) {}

    bool is_empty() const { return bytes_.empty(); }
    std::string_view take(std::size_t size) {
        if (size > bytes_.size()) fail();
        const std::string_view taken = bytes_.substr(0, size);
        bytes_.remove_prefix(size);
        return taken;
    }
    std::uint32_t number32() {
        std::uint32_t number = 0;
        std::memcpy(&number, take(sizeof number).data(), sizeof number);
        return number;
    }
    std::string text() { return std::string(take(number32())); }
    std::uint64_t short_number() {
        std::uint64_t number = 0;
        for (unsigned shift = 0; shift < 64; shift += 7) {
            const auto byte = static_cast<unsigned char>(take(1).front());
            number |= static_cast<std::uint64_t>(byte & 0x7FU) << shift;
            if (byte < 0x80) return number;
        }
        fail();
    }
    /// All that remains.
    template <typename Number>
    std::vector<Number> numbers() {
        if (bytes_.size() % sizeof(Number) != 0) fail();
        std::vector<Number> all(bytes_.size() / sizeof(Number));
        if (!all.empty()) std::memcpy(all.data(), bytes_.data(), bytes_.size());
        bytes_ = {};
        return all;
    }
    [[noreturn]] void fail() const {
        file_.fail("holds a row that is damaged; make this part again");
    }

  private:
    std::string_view bytes_;
    const InputFile &file_;
};

class HistogramsIntoPart : public HistogramWriter {
  public:
    explicit HistogramsIntoPart(PartWriter &part) : part_(part) {}

    void write(const Histogram &row) override {
        line_.clear();
        append_text(line_, row.image);
        append_number32(line_, row.descriptors);
        std::size_t next = 0;
        for (std::size_t word = 0; word < row.counts.size(); ++word) {
            if (row.counts[word] == 0) continue;
            append_short(line_, word - next);
            append_short(line_, row.counts[word]);
            next = word + 1;
        }
        part_.add(line_);
    }
    void finish() override {}

  private:
    PartWriter &part_;
    std::string line_;
};

class RowsIntoPart : public RowWriter {
  public:
    RowsIntoPart(PartWriter &part, const RowFileInfo &info) : part_(part), info_(info) {}

    void write(const RowOfImage &row) override {
        line_.clear();
        append_text(line_, row.image);
        append_number32(line_, row.descriptors);
        with_numbers(row, info_, [&](auto values) { line_ += bytes_of(values); });
        part_.add(line_);
    }
    void finish() override {}

  private:
    PartWriter &part_;
    RowFileInfo info_;
    std::string line_;
};

} // namespace

std::unique_ptr<HistogramWriter> histograms_into(PartWriter &part) {
    return std::make_unique<HistogramsIntoPart>(part);
}

std::unique_ptr<RowWriter> rows_into(PartWriter &part, const RowFileInfo &info) {
    return std::make_unique<RowsIntoPart>(part, info);
}

std::string part_row(const Descriptors &descriptors, const DescriptorSidecar &image) {
    std::string row;
    append_text(row, text_of(as_json(image), -1));
    append_number32(row, static_cast<std::uint32_t>(descriptors.dimensions));
    row += bytes_of(descriptors.values);
    return row;
}

Histogram histogram_in(std::string_view row, std::size_t words, const InputFile &file) {
    RowBytes bytes(row, file);
    Histogram histogram{bytes.text(), bytes.number32(), std::vector<std::uint32_t>(words)};
    for (std::uint64_t next = 0; !bytes.is_empty(); ++next) {
        const std::uint64_t gap = bytes.short_number();
        if (gap >= words - std::min<std::uint64_t>(next, words)) bytes.fail();
        next += gap;
        histogram.counts[next] = static_cast<std::uint32_t>(bytes.short_number());
    }
    return histogram;
}

StoredRow row_in(std::string_view row, const RowFileInfo &info, const InputFile &file) {
    RowBytes bytes(row, file);
    StoredRow stored{.image = bytes.text(), .descriptors = bytes.number32(), .code = {}, .row = {}};
    if (info.codes)
        stored.code = bytes.numbers<std::int8_t>();
    else
        stored.row = bytes.numbers<float>();
    if (stored.code.size() + stored.row.size() != info.size) bytes.fail();
    return stored;
}

StoredDescriptors descriptors_in(std::string_view row, const InputFile &file) {
    RowBytes bytes(row, file);
    const auto sidecar = parse_object(file, bytes.text());
    StoredDescriptors stored{{bytes.number32(), {}}, descriptor_sidecar_in(Section(file, sidecar))};
    stored.descriptors.values = bytes.numbers<float>();
    const std::size_t dimensions = std::max<std::size_t>(1, stored.descriptors.dimensions);
    if (stored.descriptors.values.size() != stored.descriptors.size() * dimensions) bytes.fail();
    return stored;
}

std::vector<std::int32_t> words_in(std::string_view row, const InputFile &file) {
    return RowBytes(row, file).numbers<std::int32_t>();
}

} // namespace bowhist
