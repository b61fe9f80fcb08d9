#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace bowhist {

/// XXH3-128 over bytes that come in pieces. Copies share one state.
class ByteHash {
  public:
    ByteHash();
    void add(std::string_view bytes);
    /// The hash of all bytes so far: 32 hexadecimal digits, as `xxhsum -H2` prints.
    std::string digits() const;

  private:
    std::shared_ptr<void> state_;
};

} // namespace bowhist
