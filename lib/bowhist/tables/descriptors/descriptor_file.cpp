#include <bowhist/tables/descriptors/descriptor_file.hpp>

#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/io/atomic_file.hpp>
#include <bowhist/io/ending.hpp>
#include <bowhist/io/foreign_file.hpp>
#include <bowhist/tables/descriptors/descriptor_npz.hpp>
#include <bowhist/tables/formats/float_matrix.hpp>
#include <bowhist/tables/formats/npy.hpp>
#include <bowhist/tables/formats/sidecar_json.hpp>

#include <array>
#include <cstdint>
#include <fmt/format.h>
#include <limits>

namespace bowhist {

namespace {

/// One way to keep descriptors, by the ending of the file's name. Most are a vocabulary's formats,
/// too; float_matrix.cpp describes them.
struct Format {
    std::string_view ending;
    SavedDescriptors (*read)(InputFile &);
    void (*write)(const std::filesystem::path &, const Descriptors &,
                  const std::optional<DescriptorSidecar> &);
};

template <auto read_matrix>
SavedDescriptors read_rows(InputFile &file) {
    FloatMatrix rows = read_matrix(file);
    require_finite(file, rows);
    return {{rows.columns, std::move(rows.values)}};
}

template <auto write_rows>
void write_with_sidecar(const std::filesystem::path &path, const Descriptors &descriptors,
                        const std::optional<DescriptorSidecar> &sidecar) {
    AtomicFile file(path);
    std::optional<AtomicFile> beside;
    if (sidecar) {
        const auto sidecar_file = sidecar_path(path);
        beside.emplace(sidecar_file).write(sidecar_text(sidecar_file, *sidecar));
    }
    write_rows(file, descriptors);
    file.close(); // a full disk leaves both as they were
    if (beside) beside->close();
    file.commit();
    if (beside) beside->commit();
}

void write_npy(AtomicFile &file, const Descriptors &descriptors) {
    file.write(npy_header("<f4", {descriptors.size(), descriptors.dimensions}));
    file.write(bytes_of(descriptors.values));
}

void write_fvecs(AtomicFile &file, const Descriptors &descriptors) {
    const std::array dimensions{static_cast<std::int32_t>(descriptors.dimensions)};
    for (std::size_t row = 0; row < descriptors.size(); ++row) {
        file.write(bytes_of(dimensions));
        file.write(bytes_of(descriptors.row(row)));
    }
}

void write_fbin(AtomicFile &file, const Descriptors &descriptors) {
    file.write(fbin_header(descriptors.size(), descriptors.dimensions));
    file.write(bytes_of(descriptors.values));
}

constexpr std::array formats{
    Format{".npy", read_rows<read_npy_matrix>, write_with_sidecar<write_npy>},
    Format{".npz", read_npz_descriptors, write_npz_descriptors},
    Format{".fvecs", read_rows<read_fvecs_matrix>, write_with_sidecar<write_fvecs>},
    Format{".fbin", read_rows<read_fbin_matrix>, write_with_sidecar<write_fbin>}};

const Format &required_format(const std::filesystem::path &path, Fault fault) {
    if (const Format *format = row_by_ending(formats, path)) return *format;
    throw Error(fault, fmt::format("{}: expected a name that ends with .npy, .npz, .fvecs or "
                                   ".fbin for descriptors, found '{}'",
                                   path, excerpt(path.extension().native())));
}

SavedDescriptors read_by_ending(const std::filesystem::path &path) {
    InputFile file(path, Fault::input);
    return read_or_recognize(file, Expected::descriptors, required_format(path, Fault::input).read);
}

} // namespace

bool is_descriptor_file(const std::filesystem::path &path) {
    return row_by_ending(formats, path) != nullptr;
}

bool holds_descriptors(const std::filesystem::path &path) {
    return ending_of(path) == ".npz" ? may_be_descriptor_npz(path) : is_descriptor_file(path);
}

SavedDescriptors load_descriptors(const std::filesystem::path &path) {
    SavedDescriptors saved = read_by_ending(path);
    if (!saved.sidecar) saved.sidecar = read_descriptor_sidecar(path);
    return saved;
}

Descriptors read_descriptors(const std::filesystem::path &path) {
    return read_by_ending(path).descriptors;
}

void write_descriptors(const std::filesystem::path &path, const Descriptors &descriptors,
                       const std::optional<DescriptorSidecar> &sidecar) {
    const Format &format = required_format(path, Fault::usage);
    constexpr std::size_t most = std::numeric_limits<std::int32_t>::max();
    if (descriptors.size() > most || descriptors.dimensions > most)
        throw Error(Fault::output,
                    fmt::format("{}: cannot hold {} descriptors of {} floats; it takes {} of each",
                                path, descriptors.size(), descriptors.dimensions, most));
    format.write(path, descriptors, sidecar);
}

} // namespace bowhist
