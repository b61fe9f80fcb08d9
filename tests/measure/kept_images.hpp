// Drawn images, kept in a file: drawing 10⁶ takes minutes.
#pragma once

#include "tests/measure/drawn_images.hpp"

#include <tbb/parallel_for.h>

#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

namespace bowhist {

/// The first images of a source. Each time two of them are drawn again to see whether the file
/// holds the images of this source; if not, it is written again.
class KeptImages {
  public:
    KeptImages(const Images &source, std::size_t count, const std::string &path) {
        if (read(path) && images_.size() == count && unpacked(images_[0]) == source.image(0) &&
            unpacked(images_[count - 1]) == source.image(count - 1))
            return;
        images_.assign(count, {});
        tbb::parallel_for(std::size_t{0}, count,
                          [&](std::size_t i) { images_[i] = packed(source.image(i)); });
        write(path);
    }

    std::size_t size() const { return images_.size(); }
    std::vector<WordCount> image(std::size_t number) const { return unpacked(images_[number]); }

  private:
    using Packed = std::vector<std::uint32_t>; ///< 24 bits of a word, 8 of its count

    static Packed packed(const std::vector<WordCount> &image) {
        Packed values;
        for (const auto &[word, count] : image)
            values.push_back(word << 8U | std::min(count, std::uint32_t{255}));
        return values;
    }
    static std::vector<WordCount> unpacked(const Packed &values) {
        std::vector<WordCount> image;
        for (const std::uint32_t value : values) image.push_back({value >> 8U, value & 255U});
        return image;
    }

    bool read(const std::string &path) {
        std::ifstream file(path, std::ios::binary);
        for (std::uint32_t size = 0; file.read(reinterpret_cast<char *>(&size), sizeof(size));) {
            Packed &image = images_.emplace_back(size);
            file.read(reinterpret_cast<char *>(image.data()), 4 * std::streamsize{size});
            if (!file) return false;
        }
        return !images_.empty();
    }
    void write(const std::string &path) const {
        std::ofstream file(path, std::ios::binary);
        for (const Packed &image : images_) {
            const auto size = static_cast<std::uint32_t>(image.size());
            file.write(reinterpret_cast<const char *>(&size), sizeof(size));
            file.write(reinterpret_cast<const char *>(image.data()), 4 * std::streamsize{size});
        }
    }

    std::vector<Packed> images_;
};

} // namespace bowhist
