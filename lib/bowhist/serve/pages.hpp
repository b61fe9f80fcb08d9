#pragma once

#include <bowhist/report/page.hpp>
#include <bowhist/serve/answers.hpp>

#include <string>
#include <string_view>

namespace bowhist {

/// The head of every page.
PageHead served_head(const ServeRequest &request, const std::string &title);
/// A page with such a head.
HttpAnswer html_answer(std::string page, const PageHead &head);
/// A page that says how far work is that takes long, and comes again.
HttpAnswer waiting_page(const Served &served, const std::string &what, std::size_t done,
                        std::size_t total);

/// A page of the server: its head, `body` and its policy.
/// @param back  a URL
HttpAnswer served_page(const Served &served, const std::string &title, const std::string &body,
                       const std::string &back = "/", const std::string &back_text = "All images");

/// An image that leads to its own page. @param note  as text: "0.731"
std::string linked_image(const LibraryImage &image, const std::string &note, bool is_odd = false);
/// The form that takes an image.
std::string search_form();
/// Links to the parts of a list, which begin with 1. @param link  "/groups?page="
std::string links_to_parts(std::size_t items, std::size_t each, std::size_t part,
                           const std::string &link);

// Each page answers without scripts. @throws Refusal, Error
HttpAnswer first_page(const Served &served, const HttpRequest &request);
HttpAnswer sent_page(const Served &served, const HttpRequest &request);
HttpAnswer image_page(const Served &served, const HttpRequest &request, std::string_view id);
HttpAnswer groups_page(const Served &served, const HttpRequest &request);
HttpAnswer group_page(const Served &served, const HttpRequest &request, std::string_view number);
HttpAnswer duplicates_page(const Served &served, const HttpRequest &request);
HttpAnswer words_page(const Served &served);
HttpAnswer status_page(const Served &served);
HttpAnswer not_same_page(const Served &served, const HttpRequest &request);
/// The actions of buttons of pages; the answer leads to the page.
HttpAnswer part_and_return(const Served &served, const HttpRequest &request);
HttpAnswer rejoin_and_return(const Served &served, const HttpRequest &request);
/// A page that says what went wrong.
HttpAnswer problem_page(const Served &served, int status, const std::string &reason);

} // namespace bowhist
