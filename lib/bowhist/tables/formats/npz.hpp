#pragma once

#include <bowhist/io/atomic_file.hpp>
#include <bowhist/io/zip_archive.hpp>
#include <bowhist/tables/formats/float_matrix.hpp>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

// A .npz: a zip archive of .npy files, as numpy.savez writes it. Nothing is compressed, so that
// rows can be mapped; zip64 where 4 GiB do not suffice. numpy.load reads it without pickle. The
// archive's dates are fixed: the same values are the same bytes.

namespace bowhist {

/// Bytes that wait beside the destination until they are put into the archive.
struct Spool {
    explicit Spool(const std::filesystem::path &destination);

    TemporaryFile file;
    CheckedStream stream;
};

/// An archive that is put together from spools, each of which is one `.npy`, and appears whole or
/// not at all. @throws Error{Fault::output}
class NpzArchive {
  public:
    explicit NpzArchive(const std::filesystem::path &destination);

    /// The spool stays until commit(). It is closed here.
    void add(const char *entry, Spool &spool);
    /// An array of rows×columns float32, whose `bytes` lie row by row, by way of an empty spool.
    void add(const char *entry, Spool &spool, std::size_t rows, std::size_t columns,
             std::string_view bytes);
    void commit();

  private:
    [[noreturn]] void fail(const char *reason) const;

    std::filesystem::path destination_;
    TemporaryFile file_;
    ZipArchive archive_;
};

/// numpy's type of text of `letters` code points: "<U7".
std::string text_type(std::uint64_t letters);

/// The number in "<U7"; 0 for any other type.
std::uint64_t letters_in(std::string_view type);

/// A single text, as an `.npy`.
void write_text(CheckedStream &stream, std::string_view path_bytes);

bool has_entry(zip_t &archive, const char *entry);

/// "arr_0 ('<f4' of shape (40, 64)), labels (...)", for messages.
std::string entries_of(zip_t &archive, const InputFile &file);

/// Refuses an archive without the entry, naming those that it has. @throws Error{Fault::input}
void require_entry(zip_t &archive, const InputFile &file, const char *entry);

/// An entry that holds finite floats, row by row. @throws Error of the file's fault
FloatMatrix read_matrix(zip_t &archive, const InputFile &file, const char *name);

/// The text that the entry `meta` holds; nothing where it is missing, or no single text.
std::optional<std::string> read_meta(zip_t &archive, const InputFile &file);

} // namespace bowhist
