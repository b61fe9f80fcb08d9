#pragma once

#include <bowhist/core/printable.hpp>
#include <bowhist/io/atomic_file.hpp>
#include <bowhist/io/zip_archive.hpp>
#include <bowhist/tables/formats/float_matrix.hpp>

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <filesystem>
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
    explicit Spool(const std::filesystem::path &destination)
        : file(destination), stream(file.path(), printable(destination)) {}

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

/// An archive that is read; the file must outlive it. @throws Error{Fault::input}
class NpzFile {
  public:
    explicit NpzFile(const InputFile &file) : file_(file), archive_(read_zip(file)) {}

    bool has(const char *entry) const { return zip_name_locate(archive_.get(), entry, 0) >= 0; }
    /// "arr_0 ('<f4' of shape (40, 64)), labels (...)", for messages.
    std::string entries() const;
    /// The entry of that name. The error for a missing one names those that are there.
    ZipEntry entry(const char *name) const;
    /// An entry that holds finite floats, row by row.
    FloatMatrix matrix(const char *name) const;
    /// The JSON in the entry `meta`; no object where the entry is missing or holds anything else.
    nlohmann::json meta() const;

  private:
    const InputFile &file_;
    ZipArchive archive_;
};

} // namespace bowhist
