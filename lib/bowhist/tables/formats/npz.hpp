#pragma once

#include <bowhist/io/atomic_file.hpp>
#include <bowhist/io/zip_archive.hpp>
#include <bowhist/tables/formats/float_matrix.hpp>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// A .npz: a zip archive of .npy files, as numpy.savez writes it. Nothing is compressed, so that
// rows can be mapped; zip64 where 4 GiB do not suffice. numpy.load reads it without pickle. The
// archive's dates are fixed: the same values are the same bytes.

namespace bowhist {

/// A temporary file beside the destination: one `.npy` that is to go into the archive.
struct Spool {
    explicit Spool(const std::filesystem::path &destination);

    TemporaryFile file;
    CheckedStream stream;
};

/// An archive that appears whole or not at all.
///
/// Protocol: add*, then commit. @throws Error{Fault::output}
class NpzArchive {
  public:
    explicit NpzArchive(const std::filesystem::path &destination);

    /// Closes the spool, which must live until commit().
    void add(const char *entry, Spool &spool);
    /// Values of numpy's type `type`, in C order.
    void add_array(const char *entry, std::string_view type,
                   const std::vector<std::uint64_t> &shape, std::span<const std::byte> values);
    /// A table of float32, row by row.
    void add_rows(const char *entry, std::size_t columns, std::span<const float> values);
    void add_text(const char *entry, std::string_view path_bytes);
    void commit();

  private:
    [[noreturn]] void fail(const char *reason) const;

    std::filesystem::path destination_;
    TemporaryFile file_;
    std::deque<Spool> spools_; ///< of add_array and add_text
    ZipArchive archive_;
};

/// numpy's type of text of `letters` code points: "<U7".
std::string text_type(std::uint64_t letters);

/// The number in "<U7"; 0 for any other type.
std::uint64_t letters_in(std::string_view type);

bool has_entry(zip_t &archive, const char *entry);

/// "arr_0 ('<f4' of shape (40, 64)), labels (...)", for messages.
std::string entries_of(zip_t &archive, const InputFile &file);

/// Refuses an archive without the entry, naming those that it has. @throws Error{Fault::input}
void require_entry(zip_t &archive, const InputFile &file, const char *entry);

/// An entry that holds finite floats, row by row. @throws Error of the file's fault
FloatMatrix read_matrix(zip_t &archive, const InputFile &file, const char *name);

/// The text in the entry `meta`; empty where the entry is missing or holds anything else.
std::optional<std::string> read_meta(zip_t &archive, const InputFile &file);

} // namespace bowhist
