#include <bowhist/core/error.hpp>
#include <bowhist/device/kernel_source.hpp>

#include <fmt/format.h>

#include <fstream>
#include <set>
#include <sstream>

namespace bowhist {
namespace {

std::string text_of(const std::string &file, const std::filesystem::path &kernel_dir) {
    if (!kernel_dir.empty()) {
        if (std::ifstream stream(kernel_dir / file, std::ios::binary); stream) {
            return {std::istreambuf_iterator<char>(stream), {}};
        }
    }
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

void append(const std::string &file, const std::filesystem::path &kernel_dir,
            std::set<std::string> &seen, std::string &source) {
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

} // namespace

std::string kernel_source(const std::string &file, const std::filesystem::path &kernel_dir) {
    std::string source;
    std::set<std::string> seen;
    append(file, kernel_dir, seen, source);
    return source;
}

void dump_kernels(const std::filesystem::path &folder) {
    std::error_code reason;
    std::filesystem::create_directories(folder, reason);
    for (const auto &[name, text] : embedded_kernels()) {
        std::ofstream stream(folder / name, std::ios::binary);
        stream << text << std::flush;
        if (!stream) {
            throw Error(Fault::output,
                        fmt::format("{}: cannot be written; choose a folder that can",
                                    (folder / name).string()));
        }
    }
}

} // namespace bowhist
