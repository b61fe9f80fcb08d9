#pragma once

#include <bowhist/serve/http.hpp>

#include <optional>
#include <string>

namespace bowhist {

/// Who may ask.
struct Guard {
    std::string host;  ///< that is listened on
    std::string token; ///< empty: none is asked for
    int port = 0;

    /// Why a request is not taken: names that lead here by a trick (DNS rebinding), what other
    /// sites have a browser send, and who lacks the token.
    std::optional<HttpAnswer> refusal(const HttpRequest &head) const;
    /// The cookie that a browser is given for the token in an address.
    std::string cookie() const;

  private:
    bool is_our_name(std::string_view name) const;
    bool has_token(const HttpRequest &head) const;
};

} // namespace bowhist
