#include <bowhist/learn/shared_preparation.hpp>

#include <bowhist/io/input_file.hpp>
#include <bowhist/tables/formats/sidecar_json.hpp>
#include <bowhist/team/records.hpp>

#include <utility>

namespace bowhist {
namespace {

void put_image(std::string &bytes, const EncodedImage &image) {
    put_all(bytes, std::span<const char>(image.image));
    put(bytes, image.descriptors);
    put_all(bytes, std::span<const std::int8_t>(image.code));
    put_all(bytes, std::span<const float>(image.row));
    put_all(bytes, std::span<const std::uint8_t>(image.shown));
}

EncodedImage image_in(Record record) {
    EncodedImage image;
    image.image = record.take_all<std::string>();
    image.descriptors = record.take<std::uint32_t>();
    image.code = record.take_all<std::vector<std::int8_t>>();
    image.row = record.take_all<std::vector<float>>();
    image.shown = record.take_all<std::vector<std::uint8_t>>();
    return image;
}

} // namespace

SharedImages::Sink SharedImages::take(const Sink &sink) {
    if (team_.rank() == 0) return sink;
    return [this](EncodedImage &&image) {
        std::string bytes;
        put_image(bytes, image);
        put_all(images_, std::span<const char>(bytes));
    };
}

void SharedImages::join(const Sink &sink) {
    RecordReader reader;
    team_.gather([this] { return std::exchange(images_, {}); },
                 [&](std::size_t /*rank*/, std::string_view bytes) {
                     reader.add(bytes, [&](Record record) { sink(image_in(record)); });
                 });
}

void share_projection(Projection &projection, Team &team) {
    if (team.size() == 1) return;
    std::string bytes;
    put(bytes, std::uint64_t{projection.axes.dimensions});
    put_all(bytes, std::span<const std::int16_t>(projection.axes.values));
    put_all(bytes, std::span<const std::int32_t>(projection.offsets));
    team.broadcast(bytes);
    Record record(bytes);
    projection.axes.dimensions = record.take<std::uint64_t>();
    projection.axes.values = record.take_all<std::vector<std::int16_t>>();
    projection.offsets = record.take_all<std::vector<std::int32_t>>();
}

namespace {

/// Text that another member sent.
class Message : public ByteSource {
  public:
    Message() : ByteSource("another rank", Fault::device) {}
    std::uint64_t remaining() const override { return 0; }
    void read(std::span<std::byte> /*into*/) override {}
};

} // namespace

std::string recipe_text(const std::optional<Recipe> &recipe) {
    return recipe ? text_of(as_json(*recipe), -1) : std::string();
}

std::optional<Recipe> recipe_of_text(const std::string &text) {
    if (text.empty()) return std::nullopt;
    const Message message;
    const nlohmann::json values = parse_object(message, text);
    return recipe_in(Section(message, values));
}

void send_preparation(Team &team, const Preparation &preparation) {
    if (team.size() == 1) return;
    std::string text = text_of(as_json(preparation), -1);
    team.broadcast(text);
}

Preparation received_preparation(Team &team) {
    std::string text;
    team.broadcast(text);
    const Message message;
    const nlohmann::json values = parse_object(message, text);
    return preparation_in(Section(message, values));
}

} // namespace bowhist
