// A part of a run's results, made with --shard i/n: h.part
//
//     "bowhist part 1\n"   16 bytes, the last of them NUL
//     frames               a letter, uint64 size, then that many bytes
//       H                  first: the head, JSON, says which part of what this is
//       R                  a row each, in the order of the inputs (part_file.cpp)
//       E                  last: the end, JSON, counts what became of the inputs
//     32 bytes             XXH3-128 of all before, in hexadecimal digits
//
// Rows are what the run would have written, before they have a format: no number is rounded.

#include <bowhist/tables/parts/part_file.hpp>

#include <bowhist/tables/formats/sidecar_json.hpp>

#include <algorithm>
#include <array>
#include <cstring>

namespace bowhist {
namespace {

constexpr std::string_view mark("bowhist part 1\n\0", 16);
constexpr std::string_view any_version = "bowhist part ";
constexpr std::size_t digits = 32;

} // namespace

PartWriter::PartWriter(const std::filesystem::path &path, std::string_view head) : file_(path) {
    write(mark);
    frame('H', head);
}

void PartWriter::write(std::string_view bytes) {
    hash_.add(bytes);
    file_.write(bytes);
}

void PartWriter::frame(char kind, std::string_view bytes) {
    write({&kind, 1});
    write(bytes_of(std::array{std::uint64_t{bytes.size()}}));
    write(bytes);
}

void PartWriter::add(std::string_view row) {
    frame('R', row);
}

void PartWriter::finish(std::string_view end) {
    frame('E', end);
    file_.write(hash_.digits());
    file_.commit();
}

PartReader::PartReader(const std::filesystem::path &path) : file_(path, Fault::input) {
    std::array<char, mark.size()> found{};
    if (file_.size() < mark.size()) refuse();
    read(found.data(), found.size());
    const std::string_view start(found.data(), found.size());
    if (start.starts_with(any_version) && start != mark)
        file_.fail("is a part of another version of bowhist; make all parts and merge them with "
                   "one");
    if (start != mark) refuse();
    if (frame(head_) != 'H') refuse();
}

void PartReader::refuse() const {
    file_.fail("is no part of a run; give files that --shard made");
}

void PartReader::read(char *into, std::size_t size) {
    file_.read(std::as_writable_bytes(std::span(into, size)));
    hash_.add({into, size});
}

char PartReader::frame(std::string &bytes) {
    std::array<char, 1 + sizeof(std::uint64_t)> start{};
    std::uint64_t size = 0;
    if (file_.remaining() < start.size() + digits)
        file_.fail("ends too early; make this part again");
    read(start.data(), start.size());
    std::memcpy(&size, start.data() + 1, sizeof size);
    if (size > file_.remaining() - digits) file_.fail("ends too early; make this part again");
    bytes.resize(size);
    read(bytes.data(), bytes.size());
    return start[0];
}

bool PartReader::next(std::string &row) {
    const char kind = frame(row);
    if (kind == 'R') return true;
    const std::string expected = hash_.digits();
    std::string found(digits, '\0');
    file_.read(std::as_writable_bytes(std::span(found)));
    if (kind != 'E' || found != expected || file_.remaining() > 0)
        file_.fail("is damaged; make this part again");
    end_ = std::move(row);
    return false;
}

bool is_part(const std::filesystem::path &path) {
    try {
        return InputFile(path, Fault::input).peek(mark.size()) == mark;
    } catch (const Error &) {
        return false;
    }
}

// The rows of a part (part_file.cpp). Numbers are little-endian; those of histograms and other rows
// begin with uint32 size and the bytes of the image's path.
//
//     histograms   uint32 descriptors; then of each word that occurs its distance from the one
//                  before, from 0 on, and its count: both in 7 bits a byte, the lowest first, the
//                  high bit set in all but the last byte
//     rows         uint32 descriptors; then int8 of codes, else float32
//     descriptors  uint32 size and the bytes of a sidecar, JSON; uint32 D, then float32 n·D
//     words        int32, of any number of descriptors
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
