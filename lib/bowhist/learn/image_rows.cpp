#include <bowhist/learn/image_rows.hpp>

#include <bowhist/encode/code.hpp>
#include <bowhist/encode/projection.hpp>
#include <bowhist/encode/vlad.hpp>

namespace bowhist {

void ImageRows::add(EncodedImage &&encoded) {
    images_.push_back(
        {std::move(encoded.image), std::move(encoded.shown), encoded.descriptors > 0});
    if (encoded.descriptors == 0) return;
    const std::vector<std::int16_t> row = whole_row(encoded.row);
    rows_.values.insert(rows_.values.end(), row.begin(), row.end());
}

void ImageRows::add_codes(const Projection &projection, CodedImages &to) const {
    std::size_t row = 0;
    for (const OneImage &image : images_) {
        EncodedImage encoded{.image = image.image,
                             .code = std::vector<std::int8_t>(projection.axes.size(), 0),
                             .row = {},
                             .shown = image.shown};
        if (image.has_row) encoded.code = code_of(project(projection, rows_.row(row++)));
        add_code(to, std::move(encoded));
    }
}

void add_code(CodedImages &to, EncodedImage &&encoded) {
    to.images.push_back(std::move(encoded.image));
    to.shown.add(encoded.shown);
    to.codes.values.insert(to.codes.values.end(), encoded.code.begin(), encoded.code.end());
}

} // namespace bowhist
