#pragma once

#include <bowhist/core/error.hpp>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Helpers of the tests of files/.
namespace checks {

inline void write_bytes(const std::filesystem::path &path, std::string_view bytes) {
    std::ofstream file(path, std::ios::binary);
    file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    if (!file.flush()) throw std::runtime_error("cannot write " + path.string());
}

inline std::string read_bytes(const std::filesystem::path &path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) throw std::runtime_error("cannot read " + path.string());
    return {std::istreambuf_iterator<char>(file), {}};
}

inline std::set<std::string> names_in(const std::filesystem::path &folder) {
    std::set<std::string> names;
    for (const auto &entry : std::filesystem::directory_iterator(folder))
        names.insert(entry.path().filename().string());
    return names;
}

/// The bytes of plain values, end to end.
template <typename... Values>
std::string bytes(const Values &...values) {
    std::string all;
    (all.append(reinterpret_cast<const char *>(&values), sizeof(values)), ...);
    return all;
}

inline std::string bytes_of_all(const std::vector<float> &values) {
    return {reinterpret_cast<const char *>(values.data()), values.size() * sizeof(float)};
}

/// The message of the Error that `call` throws: of this fault, one line, beginning with `name`
/// and containing each of `parts`.
template <typename Call>
void require_error(bowhist::Fault fault, const std::string &name,
                   const std::vector<std::string> &parts, const Call &call) {
    try {
        call();
    } catch (const bowhist::Error &error) {
        const std::string message = error.what();
        INFO(message);
        CHECK(error.fault == fault);
        CHECK(message.starts_with(name));
        CHECK(message.find('\n') == std::string::npos);
        for (const std::string &part : parts) {
            INFO("expected in it: " << part);
            CHECK(message.find(part) != std::string::npos);
        }
        return;
    }
    FAIL("expected an Error about " << name);
}

/// Requires that `read` refuses a content of the file, in a message that begins with its path.
template <typename Read>
struct Refuse {
    bowhist::Fault fault;
    std::filesystem::path path;
    Read read;

    void operator()(const std::string &content, const std::vector<std::string> &parts) const {
        write_bytes(path, content);
        require_error(fault, path.string(), parts, [&] { read(path); });
    }
};

/// Requires that `read` takes or refuses damaged copies of `good`: many of them each.
template <typename Read>
void require_harmless_damage(bowhist::Fault fault, const std::filesystem::path &path,
                             const std::string &good, const Read &read) {
    std::mt19937 random(5);
    int refused = 0;
    for (int i = 0; i < 1000; ++i) {
        std::string bad = good;
        for (auto changes = random() % 3; changes > 0; --changes)
            bad[random() % bad.size()] = static_cast<char>(random());
        if (random() % 3 == 0) bad.resize(random() % bad.size());
        write_bytes(path, bad);
        try {
            read(path);
        } catch (const bowhist::Error &error) {
            REQUIRE(error.fault == fault);
            ++refused;
        }
    }
    INFO(path);
    CHECK(refused > 200);
    CHECK(refused < 1000);
}

/// 0.25, 1.25, ... : each value shows its place, and floats hold them exactly.
inline std::vector<float> numbered(std::size_t count) {
    std::vector<float> values(count);
    for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<float>(i) + 0.25F;
    return values;
}

} // namespace checks
