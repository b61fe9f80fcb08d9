// Models read back whole, and nothing that is no model is taken for one.
#include <bowhist/tables/descriptors/descriptor_file.hpp>
#include <bowhist/tables/vocabulary/model_file.hpp>

#include "tests/files/checks.hpp"
#include "tests/support/descriptors.hpp"
#include "tests/support/temporary_folder.hpp"

#include <functional>

using namespace bowhist;
using namespace bowhist::testing;

namespace {

VladModel model_of(std::size_t components) {
    VladModel model{.recipe = {.patches = "8,16", .step = 8},
                    .preparation = {.steps = parse_preparation("root,whiten:5,position:1.5,mirror"),
                                    .mirroring = Mirroring::columns,
                                    .dimensions = 64,
                                    .mean = random_descriptors(1, 64, 1).values,
                                    .projection = random_descriptors(64, 5, 2).values,
                                    .deviation = 0.1},
                    .words = random_vocabulary(3, 7, 3),
                    .exponent = -17,
                    .projection = {{21, std::vector<std::int16_t>(components * 21, -300)},
                                   std::vector<std::int32_t>(components, 70'000)},
                    .origin = {.seed = 1,
                               .iterations = 2,
                               .inertia = 0.3,
                               .descriptors = 4,
                               .seen = 5,
                               .images = 6,
                               .version = "7"}};
    model.fingerprint = fingerprint(model);
    return model;
}

void require_refused(const TemporaryFolder &folder, const char *part,
                     const std::function<void(VladModel &)> &change) {
    VladModel model = model_of(2);
    change(model);
    write_model(folder / "m.npz", model);
    checks::require_error(Fault::vocabulary, folder / "m.npz", {part},
                          [&] { read_model(folder / "m.npz"); });
}

} // namespace

TEST_CASE("files: models read back, with and without a projection") {
    for (const std::size_t components : {2, 0}) {
        const TemporaryFolder folder;
        const VladModel written = model_of(components);
        write_model(folder / "m.npz", written);
        CHECK(checks::names_in(folder.path()) == std::set<std::string>{"m.npz"});
        const VladModel read = read_model(folder / "m.npz");
        CHECK(read.recipe.comparable(written.recipe));
        CHECK(read.preparation == written.preparation);
        CHECK(read.words.values == written.words.values);
        CHECK(read.words.dimensions == 7);
        CHECK(read.exponent == -17);
        CHECK(read.projection == written.projection);
        CHECK(read.origin == written.origin);
        CHECK(read.fingerprint == written.fingerprint);
        CHECK(read.makes_codes() == (components > 0));
    }
}

TEST_CASE("files: a model's fingerprint is that of all that decides about rows") {
    const std::string before = model_of(2).fingerprint;
    const auto differs = [&](const std::function<void(VladModel &)> &change) {
        VladModel model = model_of(2);
        change(model);
        return fingerprint(model) != before;
    };
    CHECK(differs([](VladModel &model) { model.recipe.step = 9; }));
    CHECK(differs([](VladModel &model) { model.preparation.deviation = 0.2; }));
    CHECK(differs([](VladModel &model) { model.preparation.steps.pop_back(); }));
    CHECK(differs([](VladModel &model) { model.preparation.mean[3] += 1; }));
    CHECK(differs([](VladModel &model) { model.preparation.projection[3] += 1; }));
    CHECK(differs([](VladModel &model) { model.words.values[3] += 1; }));
    CHECK(differs([](VladModel &model) { model.exponent += 1; }));
    CHECK(differs([](VladModel &model) { model.projection.axes.values[3] += 1; }));
    CHECK(differs([](VladModel &model) { model.projection.offsets[1] += 1; }));
    CHECK_FALSE(differs([](VladModel &model) { model.origin.seed += 1; }));
}

TEST_CASE("files: models whose parts do not fit are refused") {
    const TemporaryFolder folder;
    require_refused(folder, "do not fit", [](VladModel &model) { model.words.values.clear(); });
    require_refused(folder, "do not fit", [](VladModel &model) { model.words.dimensions = 3; });
    require_refused(folder, "do not fit", [](VladModel &model) { model.exponent = 1000; });
    require_refused(folder, "do not fit",
                    [](VladModel &model) { model.preparation.dimensions = 32; });
    require_refused(folder, "do not fit",
                    [](VladModel &model) { model.preparation.mirroring = Mirroring::none; });
    require_refused(folder, "axes.npy",
                    [](VladModel &model) { model.projection.offsets.push_back(1); });
    require_refused(folder, "too long", [](VladModel &model) {
        for (std::int16_t &value : model.projection.axes.values) value = 20'000;
    });
}

TEST_CASE("files: other files are no models") {
    const TemporaryFolder folder;
    write_descriptors(folder / "x.npz", random_descriptors(3, 64, 1));
    checks::require_error(Fault::vocabulary, folder / "x.npz", {"no model", "--model vlad"},
                          [&] { read_model(folder / "x.npz"); });
    CHECK_FALSE(holds_model(folder / "x.npz"));
    checks::write_bytes(folder / "t.npz", "text");
    CHECK_FALSE(holds_model(folder / "t.npz"));
    CHECK_FALSE(holds_model(folder / "missing.npz"));
    checks::require_error(Fault::vocabulary, folder / "t.npz", {},
                          [&] { read_model(folder / "t.npz"); });
    write_model(folder / "m.npz", model_of(2));
    CHECK(holds_model(folder / "m.npz"));
    std::string bytes = checks::read_bytes(folder / "m.npz");
    checks::write_bytes(folder / "half.npz", bytes.substr(0, bytes.size() / 2));
    checks::require_error(Fault::vocabulary, folder / "half.npz", {},
                          [&] { read_model(folder / "half.npz"); });
    const std::size_t words = bytes.find("NUMPY") + 200; // a value of the first array
    bytes[words] = static_cast<char>(bytes[words] ^ 1);
    checks::write_bytes(folder / "bit.npz", bytes);
    checks::require_error(Fault::vocabulary, folder / "bit.npz", {},
                          [&] { read_model(folder / "bit.npz"); });
}
