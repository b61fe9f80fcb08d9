#pragma once

#include <cstdint>
#include <cstring>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace bowhist {

/// Values for another member, as bytes of this kind of machine.
template <typename Value>
void put(std::string &bytes, const Value &value) {
    static_assert(std::is_trivially_copyable_v<Value>);
    bytes.append(reinterpret_cast<const char *>(&value), sizeof value);
}

/// Many of them, with their number in front.
template <typename Value>
void put_all(std::string &bytes, std::span<const Value> values) {
    static_assert(std::is_trivially_copyable_v<Value>);
    put(bytes, std::uint64_t{values.size()});
    bytes.append(reinterpret_cast<const char *>(values.data()), values.size_bytes());
}

/// Takes what was put, in the same order. REQUIRES: it is there.
class Record {
  public:
    explicit Record(std::string_view bytes) : left_(bytes) {}

    template <typename Value>
    Value take() {
        Value value;
        std::memcpy(&value, left_.data(), sizeof value);
        left_.remove_prefix(sizeof value);
        return value;
    }
    template <typename Container>
    Container take_all() {
        const auto count = take<std::uint64_t>();
        Container values(count, typename Container::value_type{});
        const std::size_t bytes = count * sizeof(typename Container::value_type);
        std::memcpy(values.data(), left_.data(), bytes);
        left_.remove_prefix(bytes);
        return values;
    }

  private:
    std::string_view left_;
};

/// Records as they arrive, in pieces.
class RecordReader {
  public:
    /// Uses those that are whole by now.
    void add(std::string_view piece, const std::function<void(Record)> &use) {
        bytes_ += piece;
        std::size_t at = 0;
        std::uint64_t size = 0;
        while (bytes_.size() - at >= sizeof size) {
            std::memcpy(&size, bytes_.data() + at, sizeof size);
            if (bytes_.size() - at - sizeof size < size) break;
            use(Record(std::string_view(bytes_).substr(at + sizeof size, size)));
            at += sizeof size + size;
        }
        bytes_.erase(0, at);
    }

  private:
    std::string bytes_;
};

} // namespace bowhist
