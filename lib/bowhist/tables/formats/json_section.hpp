#pragma once

#include <bowhist/io/byte_source.hpp>
#include <bowhist/io/surrogate_escape.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace bowhist {

/// One JSON object of a sidecar; a value that is missing or of another kind is an Error. Borrows
/// the file and the values, which outlive it.
class Section {
  public:
    Section(const ByteSource &file, const nlohmann::json &values) : file_(file), values_(values) {}

    Section section(const char *key) const {
        return {file_, at(key, "{...}", &nlohmann::json::is_object)};
    }
    bool has(const char *key) const { return values_.contains(key); }
    template <typename... Values>
    [[noreturn]] void fail(fmt::format_string<Values...> what, Values &&...values) const {
        file_.fail(what, std::forward<Values>(values)...);
    }
    const nlohmann::json &list(const char *key) const {
        return at(key, "[...]", &nlohmann::json::is_array);
    }
    template <typename Number>
    std::vector<Number> numbers(const char *key) const {
        std::vector<Number> all;
        for (const nlohmann::json &value : list(key)) {
            const bool fits =
                std::is_unsigned_v<Number> ? value.is_number_unsigned() : value.is_number();
            if (!fits)
                file_.fail("its \"{}\" holds a {}; expected {}numbers", key, value.type_name(),
                           std::is_unsigned_v<Number> ? "whole " : "");
            all.push_back(value.get<Number>());
        }
        return all;
    }
    bool boolean(const char *key) const {
        return at(key, "true or false", &nlohmann::json::is_boolean).get<bool>();
    }
    double number(const char *key) const {
        return at(key, "a number", &nlohmann::json::is_number).get<double>();
    }
    std::string text(const char *key) const {
        return restore_bytes(
            at(key, "text", &nlohmann::json::is_string).get_ref<const std::string &>());
    }
    template <typename Whole>
    Whole whole(const char *key) const {
        const auto value = at(key, "a whole number", &nlohmann::json::is_number_unsigned)
                               .template get<std::uint64_t>();
        if (value > static_cast<std::uint64_t>(std::numeric_limits<Whole>::max()))
            file_.fail("its \"{}\" is too large: {}", key, value);
        return static_cast<Whole>(value);
    }

  private:
    const nlohmann::json &at(const char *key, std::string_view expected,
                             bool (nlohmann::json::*is_expected)() const noexcept) const {
        const auto found = values_.find(key);
        if (found == values_.end() || !((*found).*is_expected)())
            file_.fail("expected \"{}\": {}, found {}; repair it or remove it", key, expected,
                       found == values_.end() ? "nothing" : found->type_name());
        return *found;
    }

    const ByteSource &file_;
    const nlohmann::json &values_;
};

} // namespace bowhist
