#include <bowhist/report/contact_sheet.hpp>
#include <bowhist/report/group_card.hpp>
#include <bowhist/report/page.hpp>

#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>
#include <iterator>

using namespace bowhist;

namespace {

std::size_t times(const std::string &text, const std::string &part) {
    std::size_t count = 0;
    for (auto at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++count;
    return count;
}

} // namespace

TEST_CASE("contact sheet: parts of a list open, and close") {
    for (const std::size_t items : {0, 1, 3, 4, 6, 7}) {
        const Parts parts(items, 3, "Groups", "<div>");
        std::string text;
        for (std::size_t i = 0; i < items; ++i) text += parts.before(i) + "*";
        text += parts.end();
        CHECK(times(text, "*") == items);
        CHECK(times(text, "<details") == (items == 0 ? 0 : (items - 1) / 3));
        CHECK(times(text, "<div>") == (items + 2) / 3);
        for (const char *tag : {"div", "details"})
            CHECK(times(text, std::string("</") + tag) == times(text, std::string("<") + tag));
    }
    const Parts parts(7, 3, "Groups", "<div>");
    CHECK(parts.before(3).find("Groups 4 to 6") != std::string::npos);
    CHECK(parts.before(6).find("Groups 7 to 7") != std::string::npos);
}

TEST_CASE("contact sheet: what is far from its group is odd") {
    Grouping grouping;
    grouping.group.assign(12, 0);
    grouping.groups = 1;
    for (int i = 0; i < 12; ++i) grouping.distance.push_back(10 - i);
    const auto odd = [&] {
        std::vector<std::size_t> rows;
        for (const auto &group : members_of_groups(grouping))
            for (const Member &member : group)
                if (member.is_odd) rows.push_back(member.row);
        return rows;
    };
    CHECK(odd().empty());
    grouping.distance[3] = 20.9; // the quartiles are 1 and 9, so that the fence is at 21
    CHECK(odd().empty());
    grouping.distance[3] = 21.1;
    CHECK(odd() == std::vector<std::size_t>{3});
    grouping.group[5] = Grouping::nowhere;
    grouping.group[6] = Grouping::nowhere;
    CHECK(odd() == std::vector<std::size_t>{5, 6, 3});
    CHECK(members_of_groups(grouping)[1].front().distance == -1);
}

TEST_CASE("contact sheet: a card shows patches of a group's words, where they are known") {
    const auto place = std::filesystem::temp_directory_path() / "bowhist-contact-sheet-test.html";
    const std::vector<std::string> images{"a.jpg", "b.jpg", "c.jpg"};
    Grouping grouping;
    grouping.group = {0, 0, 1};
    grouping.distance = {0, 0, 0};
    grouping.groups = 2;
    grouping.summaries.resize(2);
    KnownImages known;
    known.thumbnail = [](std::size_t) { return std::string("jpeg"); };
    known.patches = [](std::size_t group) {
        return std::vector<std::string>(group + 1, "patch" + std::to_string(group));
    };
    Observer observer;
    PageFiles files(place);
    write_contact_sheet(files, images, grouping, nullptr, observer, known);
    files.close();
    files.commit();
    std::ifstream file(place);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    CHECK(times(text, "class=\"patches\"") == 2);
    CHECK(times(text, data_url("patch0")) == 1);
    CHECK(times(text, data_url("patch1")) == 2);
    std::filesystem::remove(place);
}
