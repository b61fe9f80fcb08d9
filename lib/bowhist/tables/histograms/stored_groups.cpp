// Groups that later runs continue, as JSON:
//
//     {"groups": [{"group": 0, "name": "", "images": ["a.jpg", ...]}, ...],
//      "nowhere": ["b.jpg", ...], "resolution": 1.0, "model": "fingerprint", "version": "0.1.0"}
//
// Images are paths as in JSON lines of histograms. Beside it, groups.json.npz holds the model and
// the images' codes (vocabulary/model_file.cpp).

#include <bowhist/tables/histograms/stored_groups.hpp>

#include <bowhist/core/printable.hpp>
#include <bowhist/core/version.hpp>
#include <bowhist/io/input_file.hpp>
#include <bowhist/io/surrogate_escape.hpp>
#include <bowhist/tables/formats/sidecar_json.hpp>

#include <cmath>
#include <limits>
#include <set>

namespace bowhist {
namespace {

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

} // namespace

std::filesystem::path codes_path(const std::filesystem::path &groups) {
    return groups.native() + ".npz";
}

std::string groups_json(const StoredGroups &groups) {
    nlohmann::ordered_json all{{"groups", nlohmann::ordered_json::array()}};
    for (const StoredGroup &group : groups.groups)
        all["groups"].push_back({{"group", group.number},
                                 {"name", protect_bytes(group.name)},
                                 {"images", as_list(group.images)}});
    all["nowhere"] = as_list(groups.nowhere);
    all["resolution"] = static_cast<double>(groups.resolution) / 1e6;
    all["model"] = protect_bytes(groups.model);
    all["version"] = protect_bytes(std::string(version()));
    return text_of(all, 1) + '\n';
}

StoredGroups read_stored_groups(const std::filesystem::path &path) {
    InputFile file(path, Fault::input);
    const nlohmann::json values = parse_object(file, file.read_text());
    const Section all(file, values);
    if (!all.has("groups"))
        file.fail("holds no groups; `bowhist cluster -o groups.json photos/` makes such a file");
    ImageLists lists(file);
    std::set<std::int32_t> numbers;
    StoredGroups stored{.nowhere = lists.take(all.list("nowhere")), .model = all.text("model")};
    const double millionths = std::round(all.get<double>("resolution") * 1e6);
    if (!(millionths >= 0 && millionths <= 1e15)) file.fail("its resolution is out of range");
    stored.resolution = static_cast<std::int64_t>(millionths);
    for (const nlohmann::json &value : all.list("groups")) {
        if (!value.is_object()) file.fail("a group is a {}; expected {{...}}", value.type_name());
        const Section group(file, value);
        const auto number = group.get<std::int32_t>("group");
        if (number == std::numeric_limits<std::int32_t>::max() || !numbers.insert(number).second)
            file.fail("has two groups of the number {}; give each its own", number);
        stored.groups.push_back({number, group.has("name") ? group.text("name") : "",
                                 lists.take(group.list("images"))});
    }
    return stored;
}

} // namespace bowhist
