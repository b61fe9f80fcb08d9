// A part of a run's results, made with --shard i/n: h.part
//
//     "bowhist part 1\n"   16 bytes, the last of them NUL
//     frames               a letter, uint64 size, then that many bytes
//       H                  first: the head, JSON, says which part of what this is
//       R                  a row each, in the order of the inputs (part_rows.cpp)
//       E                  last: the end, JSON, counts what became of the inputs
//     32 bytes             XXH3-128 of all before, in hexadecimal digits
//
// Rows are what the run would have written, before they have a format: no number is rounded.

#include <bowhist/tables/parts/part_file.hpp>

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

} // namespace bowhist
