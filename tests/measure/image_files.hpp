// Images of a measurement as arrays of numpy, for other programs.
#pragma once

#include <bowhist/compare/image_search.hpp>

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <fstream>
#include <span>
#include <string>
#include <vector>

namespace bowhist {

/// An array of numpy, written as it grows: those of 10⁶ images take gigabytes.
template <typename T>
class ArrayFile {
  public:
    ArrayFile(const std::string &path, const char *type)
        : type_(type), file_(path, std::ios::binary) {
        write_header();
    }
    void add(std::span<const T> values) {
        file_.write(reinterpret_cast<const char *>(values.data()),
                    static_cast<std::streamsize>(values.size_bytes()));
        count_ += values.size();
    }
    void close() {
        file_.seekp(0);
        write_header();
        file_.close();
    }

  private:
    void write_header() {
        std::string header = fmt::format(
            "{{'descr': '{}', 'fortran_order': False, 'shape': ({},), }}", type_, count_);
        header.resize(128 - 11, ' ');
        file_ << "\x93NUMPY" << '\1' << '\0' << char(128 - 10) << '\0' << header << '\n';
    }

    std::string type_;
    std::ofstream file_;
    std::size_t count_ = 0;
};

/// Images in order: their words in compressed rows, as scipy reads them, and their codes.
class ImageFiles {
  public:
    explicit ImageFiles(const std::string &stem)
        : starts_(stem + "_starts.npy", "<i8"), columns_(stem + "_columns.npy", "<i4"),
          values_(stem + "_values.npy", "<f4"), codes_(stem + "_codes.npy", "|i1") {
        starts_.add(std::span(&end_, 1));
    }

    void add(const WordMeasure &measure, const ImageQuery &image) {
        const double norm = std::sqrt(double(measure.squared_norm(image.words)));
        std::vector<std::int32_t> columns;
        std::vector<float> values;
        for (const auto &[word, count] : image.words) {
            columns.push_back(static_cast<std::int32_t>(word));
            values.push_back(static_cast<float>(measure.value(count) / norm));
        }
        end_ += static_cast<std::int64_t>(columns.size());
        starts_.add(std::span(&end_, 1));
        columns_.add(columns);
        values_.add(values);
        codes_.add(image.code);
    }
    void close() {
        starts_.close();
        columns_.close();
        values_.close();
        codes_.close();
    }

  private:
    std::int64_t end_ = 0;
    ArrayFile<std::int64_t> starts_;
    ArrayFile<std::int32_t> columns_;
    ArrayFile<float> values_;
    ArrayFile<std::int8_t> codes_;
};

} // namespace bowhist
