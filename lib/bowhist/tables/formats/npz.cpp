#include <bowhist/tables/formats/npz.hpp>

#include <bowhist/core/as_number.hpp>
#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/io/surrogate_escape.hpp>
#include <bowhist/tables/formats/npy.hpp>

#include <fmt/format.h>
#include <limits>
#include <nlohmann/json.hpp>

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

std::string NpzFile::entries() const {
    constexpr zip_int64_t most = 5;
    const zip_int64_t count = zip_get_num_entries(archive_.get(), 0);
    std::string list;
    for (zip_int64_t i = 0; i < std::min(count, most); ++i) {
        const char *name =
            zip_get_name(archive_.get(), static_cast<zip_uint64_t>(i), ZIP_FL_ENC_RAW);
        list += list.empty() ? "" : ", ";
        list += name ? description_of(*archive_, file_, name) : "an entry without a name";
    }
    if (count > most) list += fmt::format(" and {} more", count - most);
    return list.empty() ? "nothing" : list;
}

ZipEntry NpzFile::entry(const char *name) const {
    if (has(name)) return {*archive_, file_, name};
    const std::string_view array(name, std::string_view(name).rfind(".npy"));
    file_.fail("the entry {} is not in the archive, which holds {}; save what it is under that "
               "name: numpy.savez('x.npz', {}=...)",
               name, entries(), array);
}

FloatMatrix NpzFile::matrix(const char *name) const {
    ZipEntry values = entry(name);
    FloatMatrix rows = read_npy_matrix(values);
    values.require_end();
    require_finite(values, rows);
    return rows;
}

nlohmann::json NpzFile::meta() const {
    if (!has("meta.npy")) return {};
    ZipEntry meta = entry("meta.npy");
    const NpyHeader header = read_npy_header(meta);
    const std::uint64_t letters = letters_in(header.type);
    if (letters == 0 || !header.shape.empty() || letters > meta.remaining() / sizeof(char32_t))
        return {};
    const auto text = read_values<char32_t>(meta, letters);
    meta.require_end();
    const std::string bytes = encode_path(std::u32string_view(text.data(), text.size()));
    return nlohmann::json::parse(protect_escapes(bytes), nullptr, false);
}

} // namespace bowhist
