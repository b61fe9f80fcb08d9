#pragma once

#include <bowhist/core/projection.hpp>
#include <bowhist/learn/learn_model.hpp>
#include <bowhist/pipeline/word_stream.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace bowhist {

/// Images that a projection learns from, with their rows in whole numbers. The codes of them all
/// need no second reading.
class ImageRows {
  public:
    /// @param dimensions  of a row
    /// @param images      at most, which are given room
    ImageRows(std::size_t dimensions, std::size_t images) : rows_{dimensions, {}} {
        rows_.values.reserve(dimensions * images);
    }

    /// Adds the next image. @param encoded  its whole row
    void add(EncodedImage &&encoded);

    std::size_t images() const { return images_.size(); }
    /// The rows of the images that have descriptors.
    const WholeRows &rows() const { return rows_; }

    /// Adds each image with its code, zeros where it has no descriptors, in their order.
    /// @param projection  learned from rows()
    void add_codes(const Projection &projection, CodedImages &to) const;

  private:
    struct OneImage {
        std::string image;               ///< path bytes
        std::vector<std::uint8_t> shown; ///< words
        bool has_row;                    ///< in rows_
    };

    std::vector<OneImage> images_;
    WholeRows rows_;
};

/// Adds an image, its code and the words that it shows.
void add_code(CodedImages &to, EncodedImage &&encoded);

} // namespace bowhist
