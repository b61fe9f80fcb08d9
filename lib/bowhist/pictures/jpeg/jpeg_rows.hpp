#pragma once

#include <bowhist/pictures/area_average.hpp>
#include <bowhist/pictures/jpeg/jpeg_errors.hpp>
#include <bowhist/pictures/raster.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace bowhist {

/// A JPEG's rows, decoded by libjpeg-turbo one after another, as they are stored in the file.
/// Protocol: start or start_with_chroma, then next for each row, then finish, then damage. One
/// thread at a time.
/// @throws as JpegErrors::guard, from every function that is not const
class JpegRows {
  public:
    /// Reads the header. `bytes` must outlive the object.
    explicit JpegRows(std::string_view bytes);
    ~JpegRows() { jpeg_destroy_decompress(&decoder_); }
    JpegRows(const JpegRows &) = delete;
    JpegRows &operator=(const JpegRows &) = delete;

    PixelSize full_size() const;

    /// Begins to decode, `by` (1, 2, 4 or 8) times smaller; sides are rounded up.
    void start(Color color, int by);
    /// The same, with rows of luma and chroma: Y, Cb, Cr. The luma is what start() makes of grey;
    /// the chroma is for small views. REQUIRES: has_luma()
    void start_with_chroma(int by);
    bool has_luma() const; ///< of every pixel, beside chroma
    PixelSize size() const; ///< of what start() began

    /// The next row, valid until the next call.
    const std::uint8_t *next();

    /// Reads what follows the last row.
    void finish();

    /// The first sign that the file is not as it was written; empty without one. Without an end of
    /// image, rows may have been decoded from what follows an image that was cut off.
    std::string damage() const;

  private:
    void start_decoder(int by);
    JpegRows();
    bool ends_in_coded_data() const;

    std::string_view bytes_;
    JpegErrors errors_;
    jpeg_decompress_struct decoder_ = {};
    Color color_ = Color::grey;
    std::vector<std::uint8_t> row_;
};

} // namespace bowhist
