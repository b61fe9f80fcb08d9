#pragma once

#include <bowhist/core/error.hpp>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Little helpers of the tests of files/.
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

/// 0.25, 1.25, ... : each value tells its place, and floats hold them exactly.
inline std::vector<float> numbered(std::size_t count) {
    std::vector<float> values(count);
    for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<float>(i) + 0.25F;
    return values;
}

} // namespace checks
