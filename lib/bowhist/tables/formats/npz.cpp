#include <bowhist/tables/formats/npz.hpp>

#include <bowhist/core/as_number.hpp>
#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/io/surrogate_escape.hpp>
#include <bowhist/tables/formats/npy.hpp>

#include <fmt/format.h>
#include <limits>

namespace bowhist {

namespace {

/// "arr_0 ('<f4' of shape (40, 64))"
std::string description_of(zip_t &archive, const InputFile &file, const std::string &name) {
    constexpr std::string_view ending = ".npy";
    const std::string shown =
        excerpt(name.ends_with(ending) ? name.substr(0, name.size() - ending.size()) : name);
    try {
        ZipEntry entry(archive, file, name);
        return fmt::format("{} ({})", shown, description(read_npy_header(entry)));
    } catch (const Error &) {
        return shown; // it is no array
    }
}

} // namespace

Spool::Spool(const std::filesystem::path &destination)
    : file(destination), stream(file.path(), printable(destination)) {}

NpzArchive::NpzArchive(const std::filesystem::path &destination)
    : destination_(destination), file_(destination),
      archive_(create_zip(file_.path(), printable(destination))) {}

void NpzArchive::add(const char *entry, Spool &spool) {
    spool.stream.close();
    zip_source_t *source = zip_source_file(archive_.get(), spool.file.path().c_str(), 0, -1);
    const zip_int64_t index = source ? zip_file_add(archive_.get(), entry, source, 0) : -1;
    if (index < 0) {
        zip_source_free(source); // the archive owns it only once it was added
        fail(zip_strerror(archive_.get()));
    }
    const auto place = static_cast<zip_uint64_t>(index);
    constexpr zip_uint16_t first_of_january_1980 = 1U << 5U | 1U;
    if (zip_set_file_compression(archive_.get(), place, ZIP_CM_STORE, 0) != 0 ||
        zip_file_set_dostime(archive_.get(), place, 0, first_of_january_1980, 0) != 0)
        fail(zip_strerror(archive_.get()));
}

void NpzArchive::add_array(const char *entry, std::string_view type,
                           const std::vector<std::uint64_t> &shape,
                           std::span<const std::byte> values) {
    Spool &spool = spools_.emplace_back(destination_);
    spool.stream.write(npy_header(type, shape));
    spool.stream.write({reinterpret_cast<const char *>(values.data()), values.size()});
    add(entry, spool);
}

void NpzArchive::add_rows(const char *entry, std::size_t columns, std::span<const float> values) {
    const std::size_t rows = columns == 0 ? 0 : values.size() / columns;
    add_array(entry, "<f4", {rows, columns}, std::as_bytes(values));
}

void NpzArchive::add_text(const char *entry, std::string_view path_bytes) {
    Spool &spool = spools_.emplace_back(destination_);
    const std::u32string text = decode_path(path_bytes);
    spool.stream.write(npy_header(text_type(text.size()), {}));
    spool.stream.write(bytes_of(text));
    add(entry, spool);
}

void NpzArchive::commit() {
    if (zip_close(archive_.get()) != 0) fail(zip_strerror(archive_.get()));
    (void)archive_.release(); // zip_close took it
    file_.replace_destination();
}

void NpzArchive::fail(const char *reason) const {
    throw Error(Fault::output, fmt::format("{}: cannot be written: {}", destination_, reason));
}

std::string text_type(std::uint64_t letters) {
    return fmt::format("<U{}", letters);
}

std::uint64_t letters_in(std::string_view type) {
    constexpr std::uint64_t most = std::numeric_limits<std::int32_t>::max();
    if (!type.starts_with("<U")) return 0;
    const auto letters = as_number<std::uint64_t>(type.substr(2)).value_or(0);
    return letters <= most ? letters : 0;
}

bool has_entry(zip_t &archive, const char *entry) {
    return zip_name_locate(&archive, entry, 0) >= 0;
}

std::string entries_of(zip_t &archive, const InputFile &file) {
    constexpr zip_int64_t most = 5;
    const zip_int64_t entries = zip_get_num_entries(&archive, 0);
    std::string list;
    for (zip_int64_t i = 0; i < std::min(entries, most); ++i) {
        const char *name = zip_get_name(&archive, static_cast<zip_uint64_t>(i), ZIP_FL_ENC_RAW);
        list += list.empty() ? "" : ", ";
        list += name ? description_of(archive, file, name) : "an entry without a name";
    }
    if (entries > most) list += fmt::format(" and {} more", entries - most);
    return list.empty() ? "nothing" : list;
}

void require_entry(zip_t &archive, const InputFile &file, const char *entry) {
    if (has_entry(archive, entry)) return;
    const std::string_view name(entry, std::string_view(entry).rfind(".npy"));
    file.fail(fmt::format("the entry {} is not in the archive, which holds {}; save what it is "
                          "under that name: numpy.savez('x.npz', {}=...)",
                          entry, entries_of(archive, file), name));
}

FloatMatrix read_matrix(zip_t &archive, const InputFile &file, const char *name) {
    require_entry(archive, file, name);
    ZipEntry entry(archive, file, name);
    FloatMatrix rows = read_npy_matrix(entry);
    entry.require_end();
    require_finite(entry, rows);
    return rows;
}

std::optional<std::string> read_meta(zip_t &archive, const InputFile &file) {
    if (!has_entry(archive, "meta.npy")) return std::nullopt;
    ZipEntry entry(archive, file, "meta.npy");
    const NpyHeader header = read_npy_header(entry);
    const std::uint64_t letters = letters_in(header.type);
    if (letters == 0 || !header.shape.empty() || letters > entry.remaining() / sizeof(char32_t))
        return std::nullopt;
    const auto text = read_values<char32_t>(entry, letters);
    entry.require_end();
    return encode_path(std::u32string_view(text.data(), text.size()));
}

} // namespace bowhist
