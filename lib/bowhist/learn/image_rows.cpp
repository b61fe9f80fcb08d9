#include <bowhist/learn/image_rows.hpp>

#include <bowhist/encode/code.hpp>
#include <bowhist/encode/projection.hpp>
#include <bowhist/encode/vlad.hpp>

namespace bowhist {

void ImageRows::add(EncodedImage &&encoded) {
    images_.push_back({std::move(encoded.image), encoded.descriptors > 0});
    if (encoded.descriptors == 0) return;
    const std::vector<std::int16_t> row = whole_row(encoded.row);
    rows_.values.insert(rows_.values.end(), row.begin(), row.end());
}

void ImageRows::add_codes(const Projection &projection, CodedImages &to) const {
    std::size_t row = 0;
    for (const OneImage &image : images_) {
        std::vector<std::int8_t> code(projection.axes.size(), 0);
        if (image.has_row) code = code_of(project(projection, rows_.row(row++)));
        add_code(to, image.image, code);
    }
}

void add_code(CodedImages &to, std::string image, std::span<const std::int8_t> code) {
    to.images.push_back(std::move(image));
    to.codes.values.insert(to.codes.values.end(), code.begin(), code.end());
}

} // namespace bowhist
