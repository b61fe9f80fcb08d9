#include <bowhist/duplicates/agreements.hpp>

#include <algorithm>

namespace bowhist {
namespace {

/// Set upright by the camera.
bool is_upright_by_exif(const LibraryImage &image) {
    return image.orientation.value_or(0) > 0;
}

/// Whether one image has somewhat more color. Other hues leave as much, and faded ones little.
bool differ_in_saturation(const LibraryImage &one, const LibraryImage &other) {
    constexpr double faded = 0.5, equal = 0.85;
    const auto [less, more] = std::minmax({one.color.value_or(0), other.color.value_or(0)});
    return less >= faded * more && less <= equal * more;
}

} // namespace

void Agreements::add(Agreement &&agreement) {
    const auto [first, second, mirrored] = agreement.pair.pair;
    numbers_[{first, second}] = all_.size();
    if (agreement.is_copy()) {
        const NumberedImages &images = searched_.images();
        whole_[first].add(agreement.judgement, true, is_upright_by_exif(images[second]));
        whole_[second].add(agreement.judgement, false, is_upright_by_exif(images[first]));
    }
    all_.push_back(std::move(agreement));
}

const Agreement &Agreements::of(std::uint32_t one, std::uint32_t other) const {
    return all_[numbers_.at(std::minmax(one, other))];
}

Agreement &Agreements::of(std::uint32_t one, std::uint32_t other) {
    return all_[numbers_.at(std::minmax(one, other))];
}

std::vector<CopyEdge> Agreements::copies() const {
    std::vector<CopyEdge> edges;
    for (const Agreement &agreement : all_)
        if (agreement.is_copy())
            edges.push_back(
                {agreement.pair.pair.first, agreement.pair.pair.second, agreement.judgement.score});
    return edges;
}

std::vector<CopyEdge> Agreements::scenes() const {
    std::vector<CopyEdge> edges;
    for (const Agreement &agreement : all_)
        if (!agreement.judgement.copy && agreement.judgement.scene && !agreement.is_inlay())
            edges.push_back(
                {agreement.pair.pair.first, agreement.pair.pair.second, agreement.judgement.score});
    return edges;
}

std::uint32_t Agreements::best_of(std::span<const std::uint32_t> images) const {
    std::uint32_t best = images.front();
    for (const std::uint32_t image : images.subspan(1))
        if (is_kept_rather(image, best) ||
            (!is_kept_rather(best, image) && is_better_image(image, best)))
            best = image;
    return best;
}

bool Agreements::is_kept_rather(std::uint32_t one, std::uint32_t other) const {
    return searched_[one].keep_rank() < searched_[other].keep_rank();
}

/// @param other  the image that it is compared with
Contender Agreements::contender(std::uint32_t image, std::uint32_t other) const {
    Contender contender{.image = &searched_.images()[image],
                        .whole = whole_[image],
                        .quality = qualities_[image],
                        .has_companions = searched_.has_companions(image)};
    const bool has_same_pixels = agree(image, other) && !of(image, other).judgement.resampled;
    if (!has_same_pixels) {
        const ImageQuality &quality = qualities_[image];
        contender.quality = {.finest = quality.finest, .coarser = quality.coarser};
    }
    return contender;
}

/// Two images that agree are compared by what both show, others by all pixels.
Choice Agreements::choose(std::uint32_t one, std::uint32_t other) const {
    std::optional<double> scale;
    if (agree(one, other)) {
        const Judgement &judgement = of(one, other).judgement;
        if (judgement.equal && holds_more(one, other) != holds_more(other, one))
            return {holds_more(one, other), Preference::whole};
        scale = one < other ? judgement.scale : 1 / judgement.scale;
        // what stands in a screenshot or a frame was enlarged for it, as drawings do not show
        const Side &larger = judgement.side(*scale < 1 ? one < other : other < one);
        if (larger.surrounded) scale = 1;
    }
    return better_of(contender(one, other), contender(other, one), searched_.preferences(), scale);
}

/// The date of a file does not say which of two images has the true colors.
bool Agreements::is_beyond_doubt(const Choice &choice, const Agreement &agreement) const {
    if (!searched_.preferences_are_usual()) return true;
    if (choice.is_doubtful()) return false;
    const auto [first, second, mirrored] = agreement.pair.pair;
    return !choice.by_date_of_file || !agreement.judgement.other_colors ||
           differ_in_saturation(searched_.images()[first], searched_.images()[second]);
}

bool Agreements::is_better_image(std::uint32_t one, std::uint32_t other) const {
    return choose(one, other).first;
}

bool Agreements::stands_for(std::uint32_t one, std::uint32_t other) const {
    const Agreement &agreement = of(one, other);
    const Judgement &judgement = agreement.judgement;
    if (agreement.equal_pixels) return true;
    if (holds_more(other, one)) return false;
    // over a ground, other transparency may look the same
    if (judgement.equal && (held_[one] & held_[other] & holds_alpha) != 0) return false;
    if (agreement.hides) return false;
    const double scale = one < other ? judgement.scale : 1 / judgement.scale;
    if (!judgement.side(one < other).shows_all ||
        !shows_no_less(contender(one, other).quality, contender(other, one).quality, scale,
                       judgement.side(other < one).surrounded))
        return false;
    if (is_kept_rather(one, other) || judgement.equal) return true;
    const Choice choice = choose(one, other);
    return choice.first && is_beyond_doubt(choice, agreement);
}

} // namespace bowhist
