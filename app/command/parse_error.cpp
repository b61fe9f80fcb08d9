#include "app/command/parse_error.hpp"

#include <bowhist/core/printable.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string_view>

namespace bowhist::app {
namespace {

/// The first of the command's options that is such a one; null where no option is.
template <typename Such>
const CLI::Option *find_option(const CLI::App &command, Such such) {
    const auto options = command.get_options();
    const auto found = std::ranges::find_if(options, such);
    return found == options.end() ? nullptr : *found;
}

/// "--output FILE"
std::string with_value(const CLI::Option &option) {
    return fmt::format("{} {}", option.get_name(), option.get_type_name());
}

std::string missing(const CLI::App &command) {
    const CLI::Option *option = find_option(command, [](const CLI::Option *each) {
        return each->get_required() && each->count() == 0;
    });
    if (option == nullptr) return "an option is missing";
    std::string purpose = option->get_description();
    purpose.front() = static_cast<char>(std::tolower(static_cast<unsigned char>(purpose.front())));
    return fmt::format("{} is missing: {}; add it", with_value(*option), purpose);
}

/// An option without its value, or one that is given twice.
std::string wrong_count(const CLI::App &command, std::string_view error) {
    const CLI::Option *option = find_option(command, [error](const CLI::Option *each) {
        return error.starts_with(each->get_name() + ":");
    });
    if (option == nullptr) return "an option has too few values, or too many";
    if (option->count() > 1)
        return fmt::format("{} is given {} times; give it once", option->get_name(),
                           option->count());
    return fmt::format("{} is missing its value; write {}", option->get_name(),
                       with_value(*option));
}

/// A switch with a value: `--quiet=maybe`.
std::string no_switch(const CLI::App &command, std::string_view error) {
    const CLI::Option *option = find_option(command, [error](const CLI::Option *each) {
        return error.find(fmt::format(" {} = ", each->get_name())) != std::string_view::npos;
    });
    if (option == nullptr) return "an option takes no such value";
    return fmt::format("{} takes no value, and here it has {}; write {} alone", option->get_name(),
                       printable(option->results().back()), option->get_name());
}

} // namespace

std::string in_our_words(const CLI::App &command, const CLI::ParseError &error) {
    try {
        throw;
    } catch (const CLI::ValidationError &) {
        return printable(error.what()); // of our own checks
    } catch (const CLI::RequiredError &) {
        return missing(command);
    } catch (const CLI::ArgumentMismatch &) {
        return wrong_count(command, error.what());
    } catch (const CLI::ConversionError &) {
        return no_switch(command, error.what());
    } catch (const CLI::ParseError &) {
        return "these options do not go together";
    }
}

} // namespace bowhist::app
