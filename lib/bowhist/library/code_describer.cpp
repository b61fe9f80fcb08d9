#include <bowhist/library/code_describer.hpp>

#include <bowhist/assign/host/host_assigner.hpp>
#include <bowhist/encode/code.hpp>
#include <bowhist/encode/preparation.hpp>
#include <bowhist/encode/projection.hpp>

#include <algorithm>

namespace bowhist {

CodeDescriber::CodeDescriber(const VladModel &model, const DescribeOptions &options,
                             Observer &observer)
    : model_(model), recorded_(descriptors_of(model, "code")),
      source_(recorded_, options, observer), encoder_(model.words, model.exponent),
      level_(level_for(options, model.words, 8000, observer)),
      assigner_(level_.prepare(model.words)) {
    source_.set_prepare([&model](Described &described) {
        described.descriptors = bowhist::prepare(model.preparation, described.descriptors,
                                                 described.width, described.height);
    });
}

void CodeDescriber::describe(std::span<const ExtractedImage> images,
                             std::vector<ContentRow> &rows) {
    const std::size_t dimensions = model_.words.dimensions;
    Rows &all = rows_;
    all.clear();
    for (const ExtractedImage &image : images) all.add(image.code.values, dimensions);
    const auto words = assigner_->run({all.values, {}, 1}).words;
    for_all(images.size(), [&](std::size_t i) {
        const auto values =
            std::span(all.values).subspan(all.first(i) * dimensions, all.count(i) * dimensions);
        write(images[i], values, std::span(words).subspan(all.first(i), all.count(i)), rows[i]);
    });
}

void CodeDescriber::describe_alone(const ExtractedImage &image, ContentRow &row) const {
    write(image, image.code.values, assigner_->on_host()->words(image.code.values), row);
}

void CodeDescriber::write(const ExtractedImage &image, std::span<const float> values,
                          std::span<const std::int32_t> words, ContentRow &row) const {
    row.code.emplace(model_.row_size(), '\0');
    row.descriptors = image.found;
    if (words.empty()) return;
    const auto code =
        bowhist::code_of(project(model_.projection, whole_row(encoder_.encode(values, words))));
    std::ranges::transform(code, row.code->begin(),
                           [](std::int8_t value) { return static_cast<char>(value); });
}

} // namespace bowhist
