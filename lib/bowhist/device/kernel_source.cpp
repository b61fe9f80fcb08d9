#include <bowhist/device/kernel_source.hpp>

#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/core/round_up.hpp>
#include <bowhist/device/buffer.hpp>
#include <bowhist/io/atomic_file.hpp>
#include <bowhist/io/input_file.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <sstream>
#include <utility>
#include <vector>

namespace bowhist {

Bundle::~Bundle() {
    const cl_event sent = sent_();
    if (sent != nullptr) clWaitForEvents(1, &sent); // a destructor cannot report errors
}

void Bundle::send(Device &device) {
    const std::vector<Part> parts = std::exchange(parts_, {});
    if (parts.empty()) return;
    if (sent_() != nullptr) checked(device.info(), [&] { std::exchange(sent_, {}).wait(); });
    const std::size_t alignment = device.alignment();
    std::vector<std::size_t> firsts;
    all_.clear();
    for (const Part &part : parts) {
        firsts.push_back(all_.size());
        all_.insert(all_.end(), part.values.begin(), part.values.end());
        all_.resize(round_up(all_.size() + 1, alignment)); // OpenCL knows no empty buffers
    }
    reserve(device, memory_, all_.size());
    sent_ = device.upload_later<std::byte>(memory_, all_);
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const std::size_t bytes = std::max<std::size_t>(parts[i].values.size(), 1);
        *parts[i].there = device.part(memory_.memory, firsts[i], bytes);
    }
}

namespace {

namespace fs = std::filesystem;

/// All of a file.
std::string read_file(const fs::path &path, Fault fault) {
    std::error_code unknown; // opening it then reports the error
    if (fs::is_directory(path, unknown))
        throw Error(fault, printable(path) + ": is no regular file; replace it or remove it");
    return InputFile(path, fault).read_text();
}

/// Whether there is something of that name, be it a link that leads nowhere.
bool is_there(const fs::path &path) {
    std::error_code error; // what cannot be examined may be there; reading it reports the error
    return fs::symlink_status(path, error).type() != fs::file_type::not_found;
}

/// A file of the user's. A header is the library's as well: kernels of another one would misread
/// what it passes.
std::string user_text(const fs::path &path) {
    std::string text = read_file(path, Fault::device);
    const auto ours = embedded_kernels().find(path.filename().string());
    if (path.extension() == ".h" && ours != embedded_kernels().end() && text != ours->second)
        throw Error(Fault::device, printable(path) +
                                       ": differs from the one that this bowhist was "
                                       "built with; remove it, and edit .cl files only");
    return text;
}

std::string text_of(const std::string &file, const fs::path &kernel_dir) {
    if (!kernel_dir.empty() && is_there(kernel_dir / file)) return user_text(kernel_dir / file);
    const auto embedded = embedded_kernels().find(file);
    if (embedded == embedded_kernels().end()) {
        throw Error(Fault::device, fmt::format("{}: there is no such kernel file; `bowhist kernels "
                                               "--dump DIR` writes those there are",
                                               file));
    }
    return std::string(embedded->second);
}

/// The file that a line includes, or nothing.
std::string included_file(const std::string &line) {
    constexpr std::string_view directive = "#include \"";
    if (!line.starts_with(directive)) return {};
    return line.substr(directive.size(), line.find('"', directive.size()) - directive.size());
}

void append(const std::string &file, const fs::path &kernel_dir, std::set<std::string> &seen,
            std::string &source) {
    if (!seen.insert(file).second) return;
    source += fmt::format("#line 1 \"{}\"\n", file);
    std::istringstream lines(text_of(file, kernel_dir));
    int number = 0;
    for (std::string line; std::getline(lines, line);) {
        ++number;
        const std::string included = included_file(line);
        if (included.empty()) {
            source += line + '\n';
        } else {
            append(included, kernel_dir, seen, source);
            source += fmt::format("#line {} \"{}\"\n", number + 1, file);
        }
    }
}

/// Whether the file is to be written; false when it is there already, as it would be.
bool is_missing(const fs::path &path, std::string_view text) {
    if (!is_there(path)) return true;
    if (read_file(path, Fault::output) != text)
        throw Error(Fault::output,
                    printable(path) + ": exists and differs; choose another folder, or remove it");
    return false;
}

} // namespace

std::string kernel_source(const std::string &file, const std::filesystem::path &kernel_dir) {
    std::string source;
    std::set<std::string> seen;
    append(file, kernel_dir, seen, source);
    return source;
}

void check_kernel_dir(const std::filesystem::path &kernel_dir) {
    const auto stands_in = [&](const auto &kernel) { return is_there(kernel_dir / kernel.first); };
    if (kernel_dir.empty() || std::ranges::any_of(embedded_kernels(), stands_in)) return;
    throw Error(Fault::usage, fmt::format("{0}: holds none of bowhist's kernel files; write them "
                                          "there with `bowhist kernels --dump {0}`",
                                          kernel_dir));
}

void dump_kernels(const std::filesystem::path &folder) {
    std::error_code error;
    fs::create_directories(folder, error);
    if (error)
        throw Error(Fault::output, fmt::format("{}: cannot be made: {}; choose another folder",
                                               folder, error.message()));
    std::vector<std::string> missing;
    for (const auto &[name, text] : embedded_kernels()) {
        if (is_missing(folder / name, text)) missing.push_back(name);
    }
    for (const std::string &name : missing) {
        AtomicFile file(folder / name);
        file.write(embedded_kernels().at(name));
        file.commit();
    }
}

} // namespace bowhist
