#include <bowhist/pictures/container/heif_still.hpp>

#include <bowhist/pictures/container/boxes.hpp>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <vector>

namespace bowhist {
namespace {

using ItemId = std::uint64_t;

struct Reference {
    std::string_view type;
    ItemId from;
    std::vector<ItemId> to;
};

/// The still's items, as its own `meta` describes them.
struct Items {
    ItemId primary = 0;
    int id_bytes = 2; ///< of the references' items
    std::vector<Reference> references;
    std::set<ItemId> needed;
};

std::string number(std::uint64_t value, int bytes) {
    std::string text;
    for (int i = bytes; i-- > 0;) text += static_cast<char>(value >> 8 * i);
    return text;
}

std::string box_of(std::string_view type, std::string_view payload) {
    return number(8 + payload.size(), 4).append(type).append(payload);
}

constexpr std::uint64_t version_and_flags = 4; // bytes

/// An item's identity in pitm or infe, which from that version on takes 32 bits.
ItemId item_id(const Bytes &file, const IsoBox &box, int first_long_version) {
    return file.big(box.begin + version_and_flags,
                    file.at(box.begin) >= first_long_version ? 4 : 2);
}

constexpr int long_pitm = 1;
constexpr int long_infe = 3;

Reference reference_in(const Bytes &file, const IsoBox &box, int id_bytes) {
    const auto ids = box.begin + id_bytes + 2;
    const auto room = ids < box.end ? (box.end - ids) / id_bytes : 0;
    const auto count = std::min<std::uint64_t>(file.big(box.begin + id_bytes, 2), room);
    Reference reference{box.type, file.big(box.begin, id_bytes), {}};
    for (std::uint64_t i = 0; i < count; ++i)
        reference.to.push_back(file.big(ids + i * id_bytes, id_bytes));
    return reference;
}

Items read_items(const Bytes &file, const IsoBox &meta) {
    Items items;
    for_each_box(file, meta.begin + version_and_flags, meta.end, [&](const IsoBox &box) {
        if (box.type == "pitm") items.primary = item_id(file, box, long_pitm);
        if (box.type != "iref") return;
        items.id_bytes = file.at(box.begin) == 0 ? 2 : 4;
        for_each_box(file, box.begin + version_and_flags, box.end, [&](const IsoBox &inner) {
            items.references.push_back(reference_in(file, inner, items.id_bytes));
        });
    });
    return items;
}

/// The items that the needed ones are derived from are needed, too.
void follow_derivations(Items &items) {
    std::multimap<ItemId, const Reference *> derivations;
    for (const Reference &reference : items.references)
        if (reference.type == "dimg") derivations.emplace(reference.from, &reference);
    std::vector<ItemId> open(items.needed.begin(), items.needed.end());
    while (!open.empty()) {
        const auto [first, last] = derivations.equal_range(open.back());
        open.pop_back();
        for (auto derivation = first; derivation != last; ++derivation)
            for (const ItemId source : derivation->second->to)
                if (items.needed.insert(source).second) open.push_back(source);
    }
}

/// Leaves the references that the primary image needs, and notes the items.
void keep_needed(Items &items) {
    const std::vector primary_alone = {items.primary};
    items.needed = {items.primary};
    for (Reference &reference : items.references) {
        const bool is_ours = std::ranges::find(reference.to, items.primary) != reference.to.end();
        if (reference.type != "auxl" || !is_ours) continue;
        reference.to = primary_alone;
        items.needed.insert(reference.from);
    }
    follow_derivations(items);
    std::erase_if(items.references, [&](const Reference &reference) {
        const bool is_kept = reference.type == "dimg" || reference.type == "prem" ||
                             (reference.type == "auxl" && reference.to == primary_alone);
        return !is_kept || !items.needed.contains(reference.from);
    });
}

/// `iref`, with the version and flags that it had.
std::string references_box(std::string_view head, const Items &items) {
    std::string payload(head);
    for (const Reference &reference : items.references) {
        auto ids = number(reference.from, items.id_bytes) + number(reference.to.size(), 2);
        for (const ItemId item : reference.to) ids += number(item, items.id_bytes);
        payload += box_of(reference.type, ids);
    }
    return box_of("iref", payload);
}

/// `iinf` of the needed items.
std::string infos_box(const Bytes &file, const IsoBox &box, const std::set<ItemId> &needed) {
    const int count_bytes = file.at(box.begin) == 0 ? 2 : 4;
    std::string infos;
    std::uint64_t count = 0;
    for_each_box(file, box.begin + version_and_flags + count_bytes, box.end,
                 [&](const IsoBox &info) {
                     if (!needed.contains(item_id(file, info, long_infe))) return;
                     infos += file.text(info.at, info.end - info.at);
                     ++count;
                 });
    return box_of("iinf", std::string(file.text(box.begin, version_and_flags)) +
                              number(count, count_bytes) + infos);
}

std::string meta_box(const Bytes &file, const IsoBox &meta) {
    Items items = read_items(file, meta);
    keep_needed(items);
    std::string payload(file.text(meta.begin, version_and_flags));
    for_each_box(file, meta.begin + version_and_flags, meta.end, [&](const IsoBox &box) {
        if (box.type == "iinf")
            payload += infos_box(file, box, items.needed);
        else if (box.type == "iref")
            payload += references_box(file.text(box.begin, version_and_flags), items);
        else if (box.type != "grpl")
            payload += file.text(box.at, box.end - box.at);
    });
    return box_of("meta", payload);
}

std::optional<IsoBox> first_meta(const Bytes &file, std::uint64_t at) {
    std::optional<IsoBox> found;
    for_each_box(file, at, file.size(), [&](const IsoBox &box) {
        if (box.type == "meta" && box.is_whole) found = box;
        return box.type != "meta";
    });
    return found;
}

} // namespace

/// Items' data is found by its place in the file. So all that follows `ftyp` stays where it is, in
/// one box that is not looked at, and the new `meta` comes last.
std::string heif_still(std::string_view bytes) {
    const Bytes file(bytes);
    std::string still(bytes);
    const IsoBox brands = box_at(file, 0, file.size());
    const auto meta = first_meta(file, brands.end);
    if (!meta || brands.type != "ftyp") return still;
    const auto rest = file.size() - brands.end;
    still.replace(brands.end, 8, number(rest, 4) + "free");
    return still + meta_box(file, *meta);
}

} // namespace bowhist
