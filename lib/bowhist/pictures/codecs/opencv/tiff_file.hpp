#pragma once

#include <bowhist/core/error.hpp>
#include <bowhist/pictures/header/picture_header.hpp>

#include <tiffio.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

namespace bowhist {

/// The error for a file that libtiff does not read. `reason` may be empty.
Error unreadable_tiff(std::string_view reason = {});

struct CloseTiff {
    void operator()(TIFF *tiff) const { TIFFClose(tiff); }
};

/// A TIFF in memory, open at one of its directories. The bytes must outlive the object.
class TiffFile {
  public:
    /// @throws Error{Fault::input} without a path
    TiffFile(std::string_view bytes, std::uint64_t directory);
    TiffFile(const TiffFile &) = delete;
    TiffFile &operator=(const TiffFile &) = delete;

    TIFF *get() const { return tiff_.get(); }

    /// The value of a tag, its default where TIFF has one.
    template <typename Value>
    std::optional<Value> find(std::uint32_t tag) const {
        Value value{};
        if (TIFFGetFieldDefaulted(tiff_.get(), tag, &value) != 1) return std::nullopt;
        return value;
    }
    template <typename Value>
    Value get(std::uint32_t tag, Value otherwise) const {
        return find<Value>(tag).value_or(otherwise);
    }
    /// The value of a tag that the file has.
    template <typename Value>
    std::optional<Value> said(std::uint32_t tag) const {
        Value value{};
        if (TIFFGetField(tiff_.get(), tag, &value) != 1) return std::nullopt;
        return value;
    }

    struct Source; ///< of libtiff's calls

  private:
    std::shared_ptr<Source> source_;
    std::unique_ptr<TIFF, CloseTiff> tiff_;
};

} // namespace bowhist
