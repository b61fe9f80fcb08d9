// An upper bound for the nesting of a text, without its grammar in full.
//
// XML    a tag opens a level, a closing tag ends it; comments are passed over.
// JSON   a bracket opens a level. Its partner ends it only if everything between them is plain
//        (numbers, words, simple strings, commas, keys with a colon), so that no parser can see
//        it otherwise; else the level counts to the end.
// YAML   brackets as in JSON, but a line that begins at column 0 ends them all. In front of them,
//        block collections: one may begin where a line begins or behind '-' or ':', and a line
//        ends those that began further right.

#include <bowhist/files/nesting.hpp>

#include <algorithm>
#include <vector>

namespace bowhist {

namespace {

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

class Brackets {
  public:
    std::size_t depth() const { return doubtful_ + open_.size(); }

    void take(char byte, char next) {
        if (in_string_) {
            if (string_goes_on(byte)) return;
            doubt();
        }
        if (byte == '[' || byte == '{') {
            open(byte);
        } else if (!open_.empty()) {
            inside(byte, next);
        }
    }

    void close_all() {
        doubtful_ = 0;
        open_.clear();
        in_string_ = false;
    }

  private:
    enum class Token { none, plain, whole };
    struct Frame {
        char partner;
        bool is_value;     ///< a value is next or here, no key
        bool empty = true; ///< nothing since the bracket
        Token token = Token::none;
    };

    void open(char bracket) {
        if (!open_.empty()) {
            Frame &outer = open_.back();
            const bool expected = outer.is_value && outer.token == Token::none;
            outer.token = Token::whole;
            outer.empty = false;
            if (!expected) doubt();
        }
        const bool is_list = bracket == '[';
        open_.push_back({is_list ? ']' : '}', is_list});
    }

    void inside(char byte, char next) {
        Frame &frame = open_.back();
        switch (byte) {
        case ' ':
        case '\t':
        case '\r':
        case '\n':
            return;
        case ']':
        case '}':
            // in a map, '}' may be a part of a key: keys end with a colon only
            if (byte != frame.partner || !(frame.empty || frame.is_value)) return doubt();
            return open_.pop_back();
        case ',':
            if (!frame.is_value) return doubt();
            frame = {frame.partner, frame.partner == ']', false};
            return;
        case ':':
            if (frame.is_value || frame.token == Token::none) return doubt();
            frame = {frame.partner, true, false};
            return;
        case '"':
            if (frame.token != Token::none) return doubt();
            in_string_ = true;
            frame.token = Token::whole;
            break;
        case '\'':
        case '#':
        case '!':
            return doubt(); // strings, comments and types, which may hold brackets
        default:
            const bool comment = byte == '/' && (next == '/' || next == '*');
            if (comment || frame.token == Token::whole) return doubt();
            frame.token = Token::plain;
        }
        frame.empty = false;
    }

    /// False where a string holds what another reading would not take for a part of it.
    bool string_goes_on(char byte) {
        if (byte == '"') {
            in_string_ = false;
            return true;
        }
        const bool is_key = !open_.back().is_value;
        return std::string_view("[]{}'\\\n").find(byte) == std::string_view::npos &&
               !(is_key && byte == ':');
    }

    /// From here on no bracket can be trusted to be the partner of one that is open.
    void doubt() {
        doubtful_ += open_.size();
        open_.clear();
        in_string_ = false;
    }

    std::vector<Frame> open_;
    std::size_t doubtful_ = 0;
    bool in_string_ = false;
};

std::size_t xml_bound(std::string_view text) {
    std::size_t depth = 0;
    std::size_t deepest = 0;
    for (std::size_t at = text.find('<'); at < text.size(); at = text.find('<', at)) {
        const std::string_view rest = text.substr(at);
        if (rest.starts_with("<!--")) {
            at = text.find("-->", at + 4);
            continue;
        }
        if (rest.starts_with("</")) {
            depth -= depth > 0;
        } else if (!rest.starts_with("<!") && !rest.starts_with("<?")) {
            deepest = std::max(deepest, ++depth);
        }
        ++at;
    }
    return deepest;
}

std::size_t json_bound(std::string_view text) {
    Brackets brackets;
    std::size_t deepest = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        brackets.take(text[i], i + 1 < text.size() ? text[i + 1] : '\n');
        deepest = std::max(deepest, brackets.depth());
    }
    return deepest;
}

class YamlNesting {
  public:
    std::size_t deepest() const { return deepest_; }

    void take_line(std::string_view line) {
        const std::size_t indentation = line.find_first_not_of(' ');
        if (indentation >= line.size() || line[indentation] == '#' || line[indentation] == '\r')
            return;
        if (indentation == 0) brackets_.close_all();
        while (!blocks_.empty() && blocks_.back() >= indentation) blocks_.pop_back();
        blocks_.push_back(indentation);
        for (std::size_t column = indentation; column < line.size(); ++column) {
            const char next = column + 1 < line.size() ? line[column + 1] : '\n';
            brackets_.take(line[column], next);
            if (may_lead_to_block(line[column], next)) open_block(line, column + 1);
            deepest_ = std::max(deepest_, blocks_.size() + brackets_.depth());
        }
        brackets_.take('\n', '\n');
    }

  private:
    static bool may_lead_to_block(char byte, char next) {
        const bool number = (next >= '0' && next <= '9') || next == '.';
        return byte == ':' || (byte == '-' && !number);
    }

    void open_block(std::string_view line, std::size_t from) {
        const std::size_t column = line.find_first_not_of(" \r", from);
        if (column < line.size()) blocks_.push_back(column);
    }

    Brackets brackets_;
    std::vector<std::size_t> blocks_; ///< the columns where they began, or a little before
    std::size_t deepest_ = 0;
};

std::size_t yaml_bound(std::string_view text) {
    YamlNesting nesting;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        nesting.take_line(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return nesting.deepest();
}

} // namespace

std::size_t nesting_bound(std::string_view text) {
    if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
    if (text.starts_with('<')) return xml_bound(text);
    if (text.starts_with('{')) return json_bound(text);
    return yaml_bound(text);
}

bool hides_text(std::string_view text) {
    if (text.find('\0') != std::string_view::npos) return true;
    for (std::size_t at = text.find('\r'); at < text.size(); at = text.find('\r', at + 1)) {
        if (at + 1 < text.size() && text[at + 1] != '\n') return true;
    }
    return false;
}

} // namespace bowhist
