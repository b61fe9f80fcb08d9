#include <bowhist/learn/shared_preparation.hpp>

#include <bowhist/io/byte_source.hpp>
#include <bowhist/tables/formats/preparation_json.hpp>
#include <bowhist/tables/formats/sidecar_json.hpp>

namespace bowhist {
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
