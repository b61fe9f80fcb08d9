#pragma once

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

// Small image files drawn at random, most of them slightly wrong in the fields that hold a size.

/// One entry of a TIFF's directory.
struct TiffEntry {
    unsigned tag;
    unsigned type; ///< 1 BYTE, 3 SHORT, 4 LONG, 16 LONG8, ...
    std::uint64_t count;
    std::uint64_t value; ///< or the offset of the values
};

inline int bytes_of_tiff_type(unsigned type) {
    constexpr int bytes[] = {1, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4, 1, 1, 8, 8, 8};
    return bytes[type % 19];
}

/// A TIFF of those entries, whose pixels are all zero.
class TiffWriter {
  public:
    static constexpr std::uint64_t bits_at = 32; ///< four numbers of 16 bits
    static constexpr std::uint64_t pixels_at = 2048;
    static constexpr std::uint64_t pixel_bytes = 1 << 16;

    TiffWriter(bool is_little, bool is_big) : is_little_(is_little), is_big_(is_big) {}

    std::string write(const std::vector<TiffEntry> &entries, unsigned bits) {
        file_ = is_little_ ? "II" : "MM";
        put(is_big_ ? 43 : 42, 2);
        if (is_big_) put(8, 4); // offsets have 8 bytes, and then 0
        put(directory_at, is_big_ ? 8 : 4);
        file_.resize(bits_at);
        for (int i = 0; i < 4; ++i) put(bits, 2);
        file_.resize(directory_at);
        put(entries.size(), is_big_ ? 8 : 2);
        for (std::size_t i = 0; i < entries.size(); ++i) put(entries[i], values_at + 8 * i);
        put(0, is_big_ ? 8 : 4);
        file_.resize(pixels_at + pixel_bytes);
        for (std::size_t i = 0; i < entries.size(); ++i) {
            std::string value;
            value.swap(file_);
            put(entries[i].value,
                8 < bytes_of_tiff_type(entries[i].type) ? 8 : bytes_of_tiff_type(entries[i].type));
            value.swap(file_);
            file_.replace(values_at + 8 * i, value.size(), value);
        }
        return file_;
    }

  private:
    static constexpr std::uint64_t directory_at = 48;
    static constexpr std::uint64_t values_at = 1024;

    void put(std::uint64_t number, int bytes) {
        for (int i = 0; i < bytes; ++i)
            file_ += static_cast<char>(number >> 8 * (is_little_ ? i : bytes - 1 - i));
    }

    /// A value that is too long for its entry lies elsewhere.
    void put(const TiffEntry &entry, std::uint64_t elsewhere) {
        const int room = is_big_ ? 8 : 4;
        const int bytes = bytes_of_tiff_type(entry.type);
        put(entry.tag, 2);
        put(entry.type, 2);
        put(entry.count, room);
        const auto end = file_.size() + room;
        if (entry.count * bytes > static_cast<std::uint64_t>(room))
            put(entry.count > 1 ? entry.value : elsewhere, room);
        else
            put(entry.value, bytes);
        file_.resize(end);
    }

    bool is_little_;
    bool is_big_;
    std::string file_;
};

inline std::uint64_t one_of(std::mt19937 &random, std::initializer_list<std::uint64_t> choices) {
    return *(choices.begin() + random() % choices.size());
}

/// Changes one entry, doubles it, or changes places.
inline void spoil(std::vector<TiffEntry> &entries, std::mt19937 &random) {
    const auto at = random() % entries.size();
    TiffEntry &entry = entries[at];
    const auto number = one_of(random, {0, 1, 2, 3, 7, 8, 16, 20, 33, 40, 256, 300, 65535, 70000});
    switch (random() % 7) {
    case 0:
        entry.type = random() % 19;
        break;
    case 1:
        entry.type = static_cast<unsigned>(one_of(random, {1, 3, 4, 8, 9, 16, 17}));
        break;
    case 2:
        entry.count = random() % 4;
        break;
    case 3:
        entry.value = number;
        break;
    case 4:
        std::swap(entry, entries[random() % entries.size()]);
        break;
    default: {
        TiffEntry again = entry;
        again.value = number;
        entries.insert(entries.begin() + static_cast<long>(at + random() % 2), again);
    }
    }
}

inline std::string draw_tiff(std::mt19937 &random) {
    const bool is_little = random() % 2 == 0;
    const bool is_big = random() % 4 == 0;
    const bool is_tiled = random() % 3 == 0;
    const auto bits = static_cast<unsigned>(one_of(random, {1, 8, 8, 16, 32, 64}));
    const auto samples = one_of(random, {1, 1, 3, 4});
    const auto width = 1 + random() % 40;
    const auto height = 1 + random() % 40;
    const auto bits_value = samples == 1 ? bits : TiffWriter::bits_at;
    std::vector<TiffEntry> entries = {{256, 3, 1, width}, {257, 4, 1, height}};
    if (samples == 1 || !is_big) entries.push_back({258, 3, samples, bits_value});
    entries.push_back({259, 3, 1, 1});
    entries.push_back({262, 3, 1, samples == 1 ? random() % 2 : 2});
    if (!is_tiled) entries.push_back({273, 4, 1, TiffWriter::pixels_at});
    entries.push_back({277, 3, 1, samples});
    if (!is_tiled) entries.push_back({278, 3, 1, random() % 3 == 0 ? 300 : height});
    if (!is_tiled) entries.push_back({279, 4, 1, TiffWriter::pixel_bytes});
    if (is_tiled) {
        entries.push_back({322, 3, 1, 48});
        entries.push_back({323, 4, 1, 48});
        entries.push_back({324, 4, 1, TiffWriter::pixels_at});
        entries.push_back({325, 4, 1, 48 * 48 * samples * bits / 8});
    }
    if (bits >= 32) entries.push_back({339, 3, 1, 3}); // floats
    for (auto wrongs = random() % 4; wrongs > 0; --wrongs) spoil(entries, random);
    std::string file = TiffWriter(is_little, is_big).write(entries, bits);
    for (auto hits = random() % 8 == 0 ? 3 : 0; hits > 0; --hits)
        file[random() % 300] = static_cast<char>(random());
    return file;
}

inline std::string draw_pnm(std::mt19937 &random) {
    const auto gap = [&random] {
        std::string text;
        for (auto parts = 1 + random() % 3; parts > 0; --parts)
            text += std::vector<std::string>{" ", "\n",       "\r",   "\t",  "\v",
                                             "#", "# 9 #8\n", "#7\r", "#\n", "\n# 12 words",
                                             "x", "+",        "0"}[random() % 13];
        return text;
    };
    const auto number = [&random] { return std::to_string(1 + random() % 40); };
    const auto kind = static_cast<char>('1' + random() % 6);
    std::string file = std::string("P") + kind + (random() % 2 == 0 ? "\n" : " ");
    if (random() % 2 == 0) file += gap();
    file += number() + gap() + number();
    if (kind != '1' && kind != '4') file += gap() + (random() % 3 == 0 ? "65535" : "255");
    file += kind < '4' ? "\n" : std::string(1, "\n #"[random() % 3]);
    for (int i = 0; i < 1 << 14; ++i) file += "0 "; // pixels as text, and as bytes
    return file;
}
