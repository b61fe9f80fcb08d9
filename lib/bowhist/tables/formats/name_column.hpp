#pragma once

#include <bowhist/tables/formats/npy.hpp>
#include <bowhist/tables/formats/npz.hpp>

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace bowhist {

/// The names of rows, for an entry of an `.npz`: '<U' as wide as the longest; bytes that are not
/// UTF-8 as Python's surrogateescape does it. They are spooled to a file, so that memory does not
/// grow with them, and laid out once the longest is known.
///
/// Protocol: add*, then lay_out.
class NameColumn {
  public:
    explicit NameColumn(const std::filesystem::path &destination) : names_(destination) {}

    void add(std::string_view path_bytes);
    void lay_out(Spool &entry);

  private:
    Spool names_; ///< of each: uint32 number of code points, then those
    std::uint64_t rows_ = 0;
    std::uint32_t longest_ = 1; ///< code points; numpy has no text of width 0
};

/// The header of such an entry, one name for each of `rows` rows. @throws Error of the source's
/// fault
NpyHeader read_names_header(ByteSource &source, std::uint64_t rows);
/// The names that follow it, as path bytes.
std::vector<std::string> read_names(ByteSource &source, const NpyHeader &header);

} // namespace bowhist
