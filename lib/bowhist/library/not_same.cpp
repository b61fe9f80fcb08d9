#include <bowhist/library/not_same.hpp>

#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/library/catalogue.hpp>
#include <bowhist/library/file/library_file.hpp>

#include <fmt/format.h>

#include <charconv>
#include <functional>

namespace bowhist {
namespace {

constexpr const char *name = "not same"; ///< 32 bytes a pair: two hashes
constexpr std::size_t hash_bytes = 16;

NotSame read(Catalogue &catalogue) {
    const std::string bytes = catalogue.about(name).value_or("");
    if (bytes.size() % (2 * hash_bytes) != 0)
        throw Error(Fault::input, fmt::format("{}: what is not the same is damaged",
                                              catalogue.database().path()));
    NotSame pairs;
    for (std::size_t at = 0; at < bytes.size(); at += 2 * hash_bytes)
        pairs.emplace(bytes.substr(at, hash_bytes), bytes.substr(at + hash_bytes, hash_bytes));
    return pairs;
}

void change(const std::filesystem::path &library, double wait_seconds,
            const std::function<void(NotSame &)> &make) {
    const WriterLock lock(library, wait_seconds);
    const auto database = open_to_write(library);
    Catalogue catalogue(*database);
    database->run("BEGIN IMMEDIATE");
    NotSame pairs = read(catalogue);
    make(pairs);
    std::string bytes;
    for (const auto &[first, second] : pairs) (bytes += first) += second;
    catalogue.set_about(name, bytes);
    database->run("COMMIT");
    fold_log(*database);
}

} // namespace

NotSame read_not_same(const std::filesystem::path &library) {
    const auto database = open_to_read(library);
    Catalogue catalogue(*database);
    return read(catalogue);
}

void remember_not_same(const std::filesystem::path &library, const NotSame &more,
                       double wait_seconds) {
    change(library, wait_seconds, [&](NotSame &pairs) { pairs.insert(more.begin(), more.end()); });
}

void forget_not_same(const std::filesystem::path &library, const NotSame &pairs,
                     double wait_seconds) {
    change(library, wait_seconds, [&](NotSame &known) {
        for (const DifferentPair &pair : pairs) known.erase(pair);
    });
}

std::string text_of_hash(std::string_view hash) {
    std::string text;
    for (const char byte : hash) text += fmt::format("{:02x}", static_cast<unsigned char>(byte));
    return text;
}

std::string hash_of_text(std::string_view text) {
    if (text.size() != 2 * hash_bytes) return {};
    std::string hash;
    for (std::size_t at = 0; at < text.size(); at += 2) {
        unsigned char byte = 0;
        const char *end = text.data() + at + 2;
        if (std::from_chars(text.data() + at, end, byte, 16).ptr != end) return {};
        hash += static_cast<char>(byte);
    }
    return hash;
}

} // namespace bowhist
