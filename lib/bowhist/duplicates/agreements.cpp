#include <bowhist/duplicates/agreements.hpp>

#include <bowhist/duplicates/maps.hpp>
#include <bowhist/duplicates/scene_groups.hpp>

#include <algorithm>

namespace bowhist {
namespace {

Duplicate as_duplicate(const SearchedImages &searched, const Agreement &agreement,
                       std::uint32_t image, std::uint32_t with) {
    const bool of_first = image < with;
    Duplicate duplicate;
    duplicate.image = searched.images()[image];
    duplicate.kept = searched[image].kept > 0;
    duplicate.kinds = kinds_of(agreement.pair, agreement.judgement, of_first);
    if (!agreement.judgement.copy) {
        duplicate.kinds = {};
        duplicate.kinds.scene = true;
    }
    if (agreement.equal_pixels) {
        duplicate.kinds = {};
        duplicate.kinds.pixels = true;
        return duplicate;
    }
    duplicate.score = agreement.judgement.score;
    const SharedGeometry &geometry = agreement.pair.geometry;
    duplicate.agree = agreement.judgement.copy ? geometry.places : geometry.all_places;
    duplicate.overlap = agreement.judgement.overlap;
    const AffineMap &map = agreement.pair.pixels.map;
    duplicate.map = of_first ? map : inverse(map);
    return duplicate;
}

/// The other images of the same bytes.
void add_equals(const Content &content, std::size_t with, DuplicateGroup &group) {
    for (std::size_t i = 1; i < content.images.size(); ++i) {
        group.images.push_back(
            {.image = content.images[i], .kept = i < content.kept, .with = with});
        group.images.back().kinds.bytes = true;
    }
}

/// All but the best by their paths.
void put_in_order(DuplicateGroup &group) {
    std::vector<std::size_t> order(group.images.size()), place(group.images.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::sort(order.begin() + 1, order.end(), [&](std::size_t a, std::size_t b) {
        return group.images[a].image.path < group.images[b].image.path;
    });
    std::vector<Duplicate> images;
    for (std::size_t i = 0; i < order.size(); ++i) {
        place[order[i]] = i;
        images.push_back(std::move(group.images[order[i]]));
    }
    for (Duplicate &image : images) image.with = place[image.with];
    group.images = std::move(images);
}

DuplicateGroup group_of(const SearchedImages &searched, const Agreements &agreements,
                        const CopyGroup &found) {
    DuplicateGroup group;
    std::map<std::uint32_t, std::size_t> places{{found.best, 0}};
    group.images.push_back({.image = searched.images()[found.best], .kept = true});
    for (const auto &[image, with] : found.members) {
        places[image] = group.images.size();
        group.images.push_back(as_duplicate(searched, agreements.of(image, with), image, with));
        group.scene |= group.images.back().kinds.scene;
    }
    for (const auto &[image, with] : found.members)
        group.images[places[image]].with = places.at(with);
    if (!group.scene)
        for (const auto &[image, place] : places) add_equals(searched[image], place, group);
    put_in_order(group);
    return group;
}

} // namespace

void Agreements::add(Agreement &&agreement) {
    const CandidatePair &pair = agreement.pair.pair;
    numbers_[{pair.first, pair.second}] = all_.size();
    if (agreement.judgement.copy) {
        whole_[pair.first].add(agreement.judgement, true);
        whole_[pair.second].add(agreement.judgement, false);
    }
    all_.push_back(std::move(agreement));
}

const Agreement &Agreements::of(std::uint32_t one, std::uint32_t other) const {
    return all_[numbers_.at(std::minmax(one, other))];
}

std::vector<CopyEdge> Agreements::edges(bool copies) const {
    std::vector<CopyEdge> edges;
    for (const Agreement &agreement : all_)
        if (agreement.judgement.copy == copies)
            edges.push_back(
                {agreement.pair.pair.first, agreement.pair.pair.second, agreement.judgement.score});
    return edges;
}

std::uint32_t Agreements::best_of(std::span<const std::uint32_t> images) const {
    const auto less = [&](std::uint32_t a, std::uint32_t b) {
        if (is_kept_rather(a, b) || is_kept_rather(b, a)) return is_kept_rather(a, b);
        return is_better_image(a, b);
    };
    return *std::min_element(images.begin(), images.end(), less);
}

bool Agreements::is_kept_rather(std::uint32_t one, std::uint32_t other) const {
    return searched_[one].kept > 0 && searched_[other].kept == 0;
}

bool Agreements::is_better_image(std::uint32_t one, std::uint32_t other) const {
    return is_better(searched_.images()[one], whole_[one], searched_.images()[other], whole_[other],
                     searched_.preferences());
}

std::vector<DuplicateGroup> duplicate_groups(const SearchedImages &searched,
                                             const Agreements &agreements) {
    std::vector<DuplicateGroup> groups;
    std::vector<bool> best_alone(searched.size(), true); // no copy of another
    std::vector<bool> grouped(searched.size());
    const auto best = [&](std::span<const std::uint32_t> some) { return agreements.best_of(some); };
    for (const CopyGroup &found : copy_groups(searched.size(), agreements.edges(true), best)) {
        grouped[found.best] = true;
        for (const CopyGroup::Member &member : found.members) {
            grouped[member.image] = true;
            best_alone[member.image] = false;
        }
        groups.push_back(group_of(searched, agreements, found));
    }
    for (std::uint32_t i = 0; i < searched.size(); ++i) {
        const Content &content = searched[i];
        const bool counts = !searched.has_reference() || (content.is_ours && content.is_reference);
        if (!grouped[i] && content.images.size() > 1 && counts)
            groups.push_back(group_of(searched, agreements, {.best = i}));
    }
    std::vector<CopyEdge> scenes = agreements.edges(false);
    std::erase_if(scenes, [&](const CopyEdge &edge) {
        return !best_alone[edge.first] || !best_alone[edge.second];
    });
    const auto kept_rather = [&](auto a, auto b) { return agreements.is_kept_rather(a, b); };
    const auto better = [&](auto a, auto b) { return agreements.is_better_image(a, b); };
    for (const CopyGroup &found : scene_groups(searched.size(), scenes, kept_rather, better))
        groups.push_back(group_of(searched, agreements, found));
    return groups;
}

} // namespace bowhist
