#include <bowhist/tables/histograms/groups_file.hpp>

#include <bowhist/core/printable.hpp>
#include <bowhist/core/version.hpp>
#include <bowhist/io/input_file.hpp>
#include <bowhist/io/surrogate_escape.hpp>
#include <bowhist/tables/formats/sidecar_json.hpp>
#include <bowhist/tables/vocabulary/vocabulary_file.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace bowhist {

// Groups that later runs continue, as JSON:
//
//     {"groups": [{"group": 0, "name": "", "words": [3, 17], "images": ["a.jpg", ...]}, ...],
//      "nowhere": ["b.jpg", ...], "resolution": 1.0, "model": "fingerprint",
//      "found": "fingerprint", "version": "0.1.0"}
//
// Images are paths as in JSON lines of histograms. Beside it, groups.json.npz holds the model and
// the images' codes (vocabulary/model_file.cpp).
namespace {

/// A group's number takes memory, whether or not there are groups below it. More images may have
/// more groups.
constexpr std::size_t least_most_number = 999'999;

void check_numbers(const InputFile &file, const StoredGroups &stored) {
    std::size_t images = stored.nowhere.size();
    for (const StoredGroup &group : stored.groups) images += group.images.size();
    const std::size_t most = std::max(least_most_number, images);
    for (const StoredGroup &group : stored.groups)
        if (static_cast<std::size_t>(group.number) > most)
            file.fail("has a group of the number {}; give it one up to {}", group.number, most);
}

nlohmann::ordered_json as_list(const std::vector<std::string> &images) {
    auto list = nlohmann::ordered_json::array();
    for (const std::string &image : images) list.push_back(protect_bytes(image));
    return list;
}

/// Takes images that no list before has.
class ImageLists {
  public:
    explicit ImageLists(const InputFile &file) : file_(file) {}

    std::vector<std::string> take(const nlohmann::json &list) {
        std::vector<std::string> images;
        for (const nlohmann::json &value : list) {
            if (!value.is_string())
                file_.fail("a list of images holds a {}; expected paths", value.type_name());
            images.push_back(restore_bytes(value.get_ref<const std::string &>()));
            if (!seen_.insert(images.back()).second)
                file_.fail("names {} twice; leave it in one group", excerpt(images.back()));
        }
        return images;
    }

  private:
    const InputFile &file_;
    std::set<std::string> seen_;
};

/// Refuses a key that an object has twice: the parser keeps the last value only, and an edit that
/// put two lists together would lose one.
class KeysOnce {
  public:
    explicit KeysOnce(const InputFile &file) : file_(file) {}

    bool operator()(int depth, nlohmann::json::parse_event_t event, const nlohmann::json &value) {
        using Event = nlohmann::json::parse_event_t;
        const auto level = static_cast<std::size_t>(depth);
        if (event == Event::object_start) {
            keys_.resize(level + 1); // those of objects before are gone
            keys_.emplace_back();
        }
        if (event == Event::key && !keys_.at(level).insert(value.get<std::string>()).second)
            file_.fail("an object has the key \"{}\" twice; put both values into one",
                       excerpt(value.get_ref<const std::string &>()));
        return true;
    }

  private:
    const InputFile &file_;
    std::vector<std::set<std::string>> keys_; ///< of the object open at each depth
};

} // namespace

std::filesystem::path codes_path(const std::filesystem::path &groups) {
    return groups.native() + ".npz";
}

std::string fingerprint_of_groups(std::span<const std::string> images,
                                  std::span<const std::int32_t> groups) {
    std::string bytes;
    for (std::size_t i = 0; i < images.size(); ++i)
        bytes += fmt::format("{} {} {}", groups[i], images[i].size(), images[i]);
    return fingerprint_of_bytes(bytes);
}

std::string groups_json(const StoredGroups &groups) {
    nlohmann::ordered_json all{{"groups", nlohmann::ordered_json::array()}};
    for (const StoredGroup &group : groups.groups)
        all["groups"].push_back({{"group", group.number},
                                 {"name", protect_bytes(group.name)},
                                 {"words", group.words},
                                 {"images", as_list(group.images)}});
    all["nowhere"] = as_list(groups.nowhere);
    all["resolution"] = static_cast<double>(groups.resolution) / 1e6;
    all["model"] = protect_bytes(groups.model);
    all["found"] = protect_bytes(groups.found);
    all["version"] = protect_bytes(std::string(version()));
    return text_of(all, 1) + '\n';
}

StoredGroups read_stored_groups(const std::filesystem::path &path) {
    InputFile file(path, Fault::input);
    const nlohmann::json values = parse_object(file, file.read_text(), KeysOnce(file));
    const Section all(file, values);
    if (!all.has("groups"))
        file.fail("holds no groups; `bowhist cluster -o groups.json photos/` makes such a file");
    ImageLists lists(file);
    std::set<std::int32_t> numbers;
    StoredGroups stored{.nowhere = lists.take(all.list("nowhere")), .model = all.text("model")};
    if (all.has("found")) stored.found = all.text("found");
    const double millionths = std::round(all.get<double>("resolution") * 1e6);
    if (!(millionths >= 0 && millionths <= 1e15)) file.fail("its resolution is out of range");
    stored.resolution = static_cast<std::int64_t>(millionths);
    for (const nlohmann::json &value : all.list("groups")) {
        if (!value.is_object()) file.fail("a group is a {}; expected {{...}}", value.type_name());
        const Section group(file, value);
        const auto number = group.get<std::int32_t>("group");
        if (!numbers.insert(number).second)
            file.fail("has two groups of the number {}; give each its own", number);
        stored.groups.push_back({number, group.has("name") ? group.text("name") : "",
                                 lists.take(group.list("images"))});
    }
    check_numbers(file, stored);
    return stored;
}

} // namespace bowhist
