#include <bowhist/tables/formats/preparation_json.hpp>

#include <bowhist/core/error.hpp>

#include <array>

namespace bowhist {

nlohmann::ordered_json as_json_without_whiten(const Preparation &preparation) {
    return {{"steps", as_text(preparation.steps)},
            {"mirroring", name_of(preparation.mirroring)},
            {"dimensions", preparation.dimensions},
            {"deviation", preparation.deviation}};
}

Preparation preparation_without_whiten_in(const Section &section) {
    Preparation preparation{.dimensions = section.get<std::size_t>("dimensions"),
                            .deviation = section.get<double>("deviation")};
    const std::string mirroring = section.text("mirroring");
    for (const Mirroring known : {Mirroring::none, Mirroring::columns, Mirroring::rows})
        if (name_of(known) == mirroring) preparation.mirroring = known;
    try {
        preparation.steps = parse_preparation(section.text("steps"));
    } catch (const Error &error) {
        section.fail("{}", error.what());
    }
    return preparation;
}

nlohmann::ordered_json as_json(const Preparation &preparation) {
    nlohmann::ordered_json values = as_json_without_whiten(preparation);
    if (preparation.mean.empty()) return values;
    values["mean"] = preparation.mean;
    values["projection"] = preparation.projection;
    return values;
}

Preparation preparation_in(const Section &section) {
    Preparation preparation = preparation_without_whiten_in(section);
    if (section.has("mean")) preparation.mean = section.numbers<float>("mean");
    if (section.has("projection")) preparation.projection = section.numbers<float>("projection");
    require_whole(section, preparation);
    return preparation;
}

void require_whole(const Section &section, const Preparation &preparation) {
    if (const auto fault = fault_of(preparation))
        section.fail("holds a preparation whose parts do not fit together: {}; learn it again",
                     *fault);
}

} // namespace bowhist
