// Archives of histograms, as numpy writes them and damaged.
#include "tests/files/histograms.hpp"
#include "tests/files/zip.hpp"
#include "tests/support/temporary_folder.hpp"

#include <bowhist/tables/formats/npy.hpp>
#include <bowhist/tables/histograms/histogram_reader.hpp>

using namespace bowhist;
using checks::zip;

namespace {

void refuse(const std::filesystem::path &path, const std::vector<std::string> &parts) {
    checks::require_error(Fault::input, path.string(), parts, [&] { read_histograms(path); });
}

} // namespace

TEST_CASE("files: .npz archives as numpy writes them, and damaged ones") {
    const TemporaryFolder folder;
    const auto path = folder / "h.npz";
    const std::string rows = npy_header("<f4", {2, 3}) + checks::bytes_of_all(checks::numbered(6));
    const std::string names = npy_header("<U2", {2}) + checks::bytes(U'a', U'b', U'c', U'\0');
    const auto no = [&](const std::string &histograms, const std::string &images,
                        const std::vector<std::string> &parts) {
        checks::write_bytes(path, zip({{"histograms.npy", histograms}, {"images.npy", images}}));
        refuse(path, parts);
    };
    checks::write_bytes(path, zip({{"images.npy", names}, {"more", ""}, {"histograms.npy", rows}}));
    const HistogramTable table = read_histograms(path);
    CHECK(table.images == std::vector<std::string>{"ab", "c"});
    CHECK(table.values == checks::numbered(6));
    no(rows.substr(0, 150), names, {"entry histograms.npy", "24 bytes, but 22 follow"});
    no(npy_header("<f8", {2, 3}) + std::string(48, 'x'), names, {"'<f4'", "found '<f8'"});
    no(npy_header("<f4", {2, 3}) + std::string(24, '\xff'), names, {"row 0", "NaN"});
    no(rows, npy_header("<U2", {1}) + std::string(8, '\0'),
       {"entry images.npy", "2 names", "found 1"});
    no(rows, npy_header("<U0", {2}), {"entry images.npy", "'<U0'"});
    no(rows, npy_header("|S2", {2}) + "abcd", {"'<U' and its width", "'|S2'"});
    no(rows, npy_header("<U99999999999", {2}), {"'<U99999999999'"});
    no("", names, {"too short"});
    checks::write_bytes(path, zip({{"histograms.npy", rows}}));
    refuse(path,
           {"entry images.npy", "is not in the archive", "histograms ('<f4' of shape (2, 3))"});
    checks::write_bytes(path, zip({{"arr_0.npy", rows}, {"notes", "text"}}));
    refuse(path, {"holds arr_0 ('<f4' of shape (2, 3)), notes;", "histograms=..."});
    checks::write_bytes(path, zip({{"histograms.npy", rows}}, 4000000000));
    refuse(path, {"entry histograms.npy", "promises 4000000152 bytes out of 152"});
    checks::write_bytes(path,
                        zip({{"histograms.npy", rows}, {"images.npy", names}}).substr(0, 300));
    refuse(path, {"zip archive"});
    checks::write_bytes(path, "no archive");
    refuse(path, {"zip archive"});
}

TEST_CASE("files: what is no table that .npy may hold is refused, and codes are named") {
    const TemporaryFolder folder;
    const auto path = folder / "h.npy";
    for (const char *type : {"|i1", "|u1"}) { // a list of codes, and numbers without a sign
        const auto shape =
            type[1] == 'i' ? std::vector<std::uint64_t>{2} : std::vector<std::uint64_t>{1, 2};
        checks::write_bytes(path, npy_header(type, shape) + "ab");
        refuse(path, {"'<u4'", "'<f4'", "codes ('|i1')", type});
    }
}

TEST_CASE("files: int8 of .npy are codes where a number is below 0, else counts") {
    const TemporaryFolder folder;
    const auto path = folder / "h.npy";
    for (const auto &[byte, content] :
         {std::pair{'\xFF', HistogramContent::codes}, {'\x7F', HistogramContent::counts}}) {
        checks::write_bytes(path, npy_header("|i1", {2, 2}) + "\x7F\x02" + byte + '\x05');
        CHECK(read_histograms(path).content == content);
    }
}

TEST_CASE("files: codes whose products do not fit 32 bits are refused") {
    const TemporaryFolder folder;
    const auto path = folder / "h.npz";
    const auto write = [&](std::size_t columns, char value) {
        std::string rows(2 * columns, '\0'); // the first is zeros
        std::fill(rows.begin() + static_cast<std::ptrdiff_t>(columns), rows.end(), value);
        checks::write_bytes(
            path, zip({{"rows.npy", npy_header("|i1", {2, columns}) + rows},
                       {"images.npy", npy_header("<U1", {2}) + checks::bytes(U'a', U'b')}}));
    };
    write(140'000, 127); // their product is above 2^31
    refuse(path, {"row 1", "140000 numbers", "above 32000", "--reduce"});
    write(140'000, 85);
    CHECK(read_histograms(path).words == 140'000);
    write(140'000, 86);
    refuse(path, {"row 1"});
}

TEST_CASE("files: a changed byte in an .npz is noticed") {
    const TemporaryFolder folder;
    histograms::write(folder / "h.npz", {64, Normalization::none, "f", "akaze"},
                      histograms::rows(5, 64));
    std::string bytes = checks::read_bytes(folder / "h.npz");
    bytes[400] = static_cast<char>(bytes[400] ^ 1);
    checks::write_bytes(folder / "h.npz", bytes);
    refuse(folder / "h.npz", {"entry histograms.npy", "is damaged"});
}
