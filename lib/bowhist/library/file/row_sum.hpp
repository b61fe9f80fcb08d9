#pragma once

#include <bowhist/library/sqlite/database.hpp>

#include <concepts>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace bowhist {

/// The checksum of a row: XXH3-64 over its other columns, in their order. A number is eight bytes,
/// little-endian; text and blobs are their length, then their bytes; each has a byte for its kind
/// in front.
class RowSum {
  public:
    template <typename... Columns>
    static std::int64_t of(const Columns &...columns) {
        RowSum sum;
        sum.add_all(columns...);
        return sum.value();
    }

    template <typename... Columns>
    void add_all(const Columns &...columns) {
        (add(columns), ...);
    }

    void add(std::int64_t number);
    template <std::integral Whole>
    void add(Whole number) {
        add(static_cast<std::int64_t>(number));
    }
    void add(std::string_view bytes);
    void add(const std::string &bytes) { add(std::string_view(bytes)); }
    template <typename Value>
    void add(const std::optional<Value> &value) {
        if (value)
            add(*value);
        else
            row_ += 'n';
    }
    std::int64_t value();

  private:
    void hash_row();

    std::string row_;             ///< what is not hashed yet
    std::shared_ptr<void> state_; ///< of XXH3, from the first large column on
};

/// Bytes of the file by table, with its indices; what is free is in none.
/// @param most_exact  a file of at most this many bytes is read as a whole. The bytes of words,
///                    codes and thumbnails in a larger one are estimated by a thousand rows of
///                    each; their sum is exact
std::map<std::string, std::uint64_t> bytes_by_table(Database &database, std::uint64_t most_exact);

} // namespace bowhist
