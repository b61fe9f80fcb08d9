#include <bowhist/duplicates/duplicate_groups.hpp>

#include <bowhist/duplicates/pixels/maps.hpp>
#include <bowhist/duplicates/scene_groups.hpp>

#include <algorithm>
#include <map>
#include <set>

namespace bowhist {
namespace {

Duplicate as_duplicate(const SearchedImages &searched, const Agreement &agreement,
                       std::uint32_t image, std::uint32_t with) {
    const bool of_first = image < with;
    Duplicate duplicate;
    duplicate.image = searched.images()[image];
    duplicate.kept = searched[image].kept > 0;
    duplicate.compared = static_cast<int>(agreement.pair.pixels.compared);
    duplicate.kinds = kinds_of(agreement.pair, agreement.judgement, of_first);
    if (!agreement.judgement.copy) {
        duplicate.kinds = {};
        duplicate.kinds.scene = true;
    }
    if (agreement.equal_pixels) {
        duplicate.kinds = {};
        duplicate.kinds.pixels = true;
        duplicate.compared = std::min(duplicate.image.width, duplicate.image.height);
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

} // namespace

CopyDivision::CopyDivision(const SearchedImages &searched, const Agreements &agreements)
    : searched_(searched), agreements_(agreements), copies_of_(searched.size()),
      best_of_(searched.size()) {
    const std::vector<CopyEdge> copies = agreements.copies();
    for (const CopyEdge &edge : copies) {
        copies_of_[edge.first].push_back(edge.second);
        copies_of_[edge.second].push_back(edge.first);
    }
    groups_ = copy_groups(
        searched.size(), copies,
        {.best_of = [&](std::span<const std::uint32_t> some) { return agreements.best_of(some); },
         .stands_for = [&](auto one, auto other) { return agreements.stands_for(one, other); }});
    for (const CopyGroup &group : groups_) {
        best_of_[group.best] = group.best;
        for (const CopyGroup::Member &member : group.members) best_of_[member.image] = group.best;
    }
}

/// Images outside its group that a member agrees with, and that are no copies.
std::vector<std::uint32_t> CopyDivision::rivals_of(const CopyGroup::Member &member,
                                                   std::uint32_t best) const {
    std::vector<std::uint32_t> rivals;
    for (const std::uint32_t other : copies_of_[member.image])
        if (other != best && best_of_[other].value_or(other) == other) rivals.push_back(other);
    std::ranges::sort(rivals);
    return rivals;
}

std::vector<Agreements::Pair>
CopyDivision::open_questions(const std::function<bool(Agreements::Pair)> &is_compared) const {
    std::set<Agreements::Pair> open;
    for (const CopyGroup &group : groups_)
        for (const CopyGroup::Member &member : group.members)
            for (const std::uint32_t rival : rivals_of(member, group.best))
                if (const Agreements::Pair pair = std::minmax(rival, group.best);
                    !is_compared(pair))
                    open.insert(pair);
    return {open.begin(), open.end()};
}

void CopyDivision::stand_apart(std::uint32_t image, std::initializer_list<std::uint32_t> with) {
    best_of_[image].reset();
    std::vector<std::uint32_t> &all = ambiguous_[image];
    all.insert(all.end(), with);
}

/// Two members may differ in what is laid over the best one alone.
void CopyDivision::settle_members(CopyGroup &group, const Follows &follows) {
    const auto is_overlaid = [&](std::uint32_t image) {
        return agreements_.of(image, group.best).judgement.overlaid;
    };
    std::set<std::uint32_t> leaving;
    for (std::size_t i = 0; i < group.members.size(); ++i)
        for (std::size_t j = i + 1; j < group.members.size(); ++j) {
            const std::uint32_t one = group.members[i].image, other = group.members[j].image;
            if (!agreements_.differ(one, other) || is_overlaid(one) || is_overlaid(other)) continue;
            const auto followed = follows(group.best, one, other);
            if (followed != one) leaving.insert(one);
            if (followed != other) leaving.insert(other);
        }
    for (const std::uint32_t image : leaving) stand_apart(image, {group.best});
    std::erase_if(group.members,
                  [&](const CopyGroup::Member &member) { return leaving.contains(member.image); });
}

void CopyDivision::settle(const Follows &follows) {
    std::vector<CopyGroup::Member> given; // to other groups
    for (CopyGroup &group : groups_) {
        settle_members(group, follows);
        std::set<std::uint32_t> leaving;
        for (const CopyGroup::Member &member : group.members) {
            std::uint32_t best = group.best;
            for (const std::uint32_t rival : rivals_of(member, group.best)) {
                if (!agreements_.differ(best, rival)) continue;
                const auto followed = follows(member.image, best, rival);
                if (!followed) {
                    stand_apart(member.image, {best, rival});
                    leaving.insert(member.image);
                    break;
                }
                best = *followed;
            }
            if (best == group.best || leaving.contains(member.image)) continue;
            leaving.insert(member.image);
            given.push_back({member.image, best, agreements_.stands_for(best, member.image)});
        }
        std::erase_if(group.members, [&](const CopyGroup::Member &member) {
            return leaving.contains(member.image);
        });
    }
    for (const CopyGroup::Member &member : given) {
        auto group = std::ranges::find(groups_, member.with, &CopyGroup::best);
        if (group == groups_.end()) group = groups_.insert(group, {.best = member.with});
        best_of_[member.with] = best_of_[member.image] = member.with;
        group->members.push_back(member);
    }
    for (CopyGroup &group : groups_) {
        std::ranges::sort(group.members, {}, &CopyGroup::Member::image);
        if (group.members.empty()) best_of_[group.best].reset();
    }
    std::erase_if(groups_, [](const CopyGroup &group) { return group.members.empty(); });
}

std::vector<Agreements::Pair> CopyDivision::moves() const {
    std::vector<Agreements::Pair> moves;
    for (const CopyGroup &group : groups_)
        for (const CopyGroup::Member &member : group.members)
            if (member.goes) moves.emplace_back(member.image, member.with);
    return moves;
}

DuplicateGroup CopyDivision::group_of(const CopyGroup &found) const {
    DuplicateGroup group;
    std::map<std::uint32_t, std::size_t> places{{found.best, 0}};
    group.images.push_back({.image = searched_.images()[found.best], .kept = true});
    for (const auto &[image, with, goes] : found.members) {
        places[image] = group.images.size();
        group.images.push_back(as_duplicate(searched_, agreements_.of(image, with), image, with));
        group.images.back().kept |= !goes;
        group.scene |= group.images.back().kinds.scene;
    }
    for (const auto &[image, with, goes] : found.members)
        group.images[places[image]].with = places.at(with);
    if (!group.scene)
        for (const auto &[image, place] : places) add_equals(searched_[image], place, group);
    put_in_order(group);
    return group;
}

/// The images in no group, and why.
std::map<std::uint32_t, CopyDivision::Apart> CopyDivision::apart() const {
    std::map<std::uint32_t, Apart> apart;
    for (const auto &[image, with] : ambiguous_) {
        apart[image].with = with;
        apart[image].kinds.ambiguous = true;
    }
    const auto add = [&](std::uint32_t image, std::uint32_t with, bool Kinds::*kind) {
        if (best_of_[image] || ambiguous_.contains(image)) return;
        apart[image].with.push_back(with);
        apart[image].kinds.*kind = true;
    };
    for (const Agreement &agreement : agreements_.all()) {
        const auto [first, second, mirrored] = agreement.pair.pair;
        if (agreement.judgement.first.holds) add(first, second, &Kinds::collage);
        if (agreement.judgement.second.holds) add(second, first, &Kinds::collage);
        if (!agreement.judgement.copy) continue;
        if (agreement.frame) {
            add(*agreement.frame, *agreement.frame == first ? second : first, &Kinds::frame);
        } else if (agreement.unproven) {
            const bool first_is_better = agreements_.best_of(std::array{first, second}) == first;
            add(first_is_better ? second : first, first_is_better ? first : second,
                &Kinds::unproven);
        }
    }
    return apart;
}

void CopyDivision::finish(Duplicates &result) const {
    std::vector<bool> is_copy(searched_.size()), grouped(searched_.size());
    for (const CopyGroup &found : groups_) {
        grouped[found.best] = true;
        for (const CopyGroup::Member &member : found.members)
            grouped[member.image] = is_copy[member.image] = true;
        result.groups.push_back(group_of(found));
    }
    for (std::uint32_t i = 0; i < searched_.size(); ++i) {
        const Content &content = searched_[i];
        const bool counts = !searched_.has_reference() || (content.is_ours && content.is_reference);
        if (!grouped[i] && content.images.size() > 1 && counts)
            result.groups.push_back(group_of({.best = i}));
    }
    std::vector<CopyEdge> scenes = agreements_.scenes();
    std::erase_if(
        scenes, [&](const CopyEdge &edge) { return is_copy[edge.first] || is_copy[edge.second]; });
    const auto kept_rather = [&](auto a, auto b) { return agreements_.is_kept_rather(a, b); };
    const auto better = [&](auto a, auto b) { return agreements_.is_better_image(a, b); };
    for (const CopyGroup &found : scene_groups(searched_.size(), scenes, kept_rather, better))
        result.groups.push_back(group_of(found));
    for (const auto &[image, why] : apart()) {
        ApartImage one{.image = searched_.images()[image], .kinds = why.kinds};
        for (const std::uint32_t with : why.with) {
            one.with.push_back(searched_.images()[with]);
            const Agreement &agreement = agreements_.of(image, with);
            one.score = std::max(one.score, agreement.judgement.score);
            one.compared = std::max(one.compared, static_cast<int>(agreement.pair.pixels.compared));
        }
        std::ranges::sort(one.with, {}, &LibraryImage::path);
        result.apart.push_back(std::move(one));
    }
    std::ranges::sort(result.apart, {}, [](const ApartImage &one) { return one.image.path; });
}

} // namespace bowhist
