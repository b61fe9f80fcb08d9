#include <bowhist/tables/formats/filter_file.hpp>

#include "tests/files/checks.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace bowhist;

TEST_CASE("files: a filter's file reads whatever separates its numbers") {
    const TemporaryFolder folder;
    const Filter expected{3, 1, {-1, 0.5F, 2e-3F}};
    for (const char *text :
         {"-1 0.5 2e-3", "-1 0.5 2e-3\n", "# a comment\n\n-1,0.5,\t+2e-3 # another\r\n\n",
          "  -1 , 0.5 , .002  \n"}) {
        INFO(text);
        checks::write_bytes(folder / "f.txt", text);
        CHECK(read_filter(folder / "f.txt") == expected);
    }
    checks::write_bytes(folder / "f.txt", "1 2 3\n4 5 6\n7 8 9\n10 11 12\n13 14 15\n");
    CHECK(read_filter(folder / "f.txt").height == 5);
    CHECK(read_filter(folder / "f.txt").weights[5] == 6);
}

TEST_CASE("files: what is no filter is said, with what was found") {
    const TemporaryFolder folder;
    const checks::Refuse refused{Fault::usage, folder / "f.txt", read_filter};
    refused("", {"0x0"});
    refused("# nothing\n", {"0x0"});
    refused("1 2\n3 4\n", {"2x2", "odd", "1 to 31"});
    refused("1 2 3\n4 5 6\n", {"3x2"});
    refused("1 2 3\n\n4 5\n7 8 9\n", {"line 3", "2 numbers", "have 3"});
    refused("1 2 three\n", {"line 1", "three"});
    refused("1 2 3e\n", {"3e"});
    refused("1 2 nan\n", {"not finite"});
    refused("1 2 1e99\n", {"1e99"});
    refused("1\x01", {"\\x01"});
    std::string wide;
    for (int i = 0; i < 33; ++i) wide += "1 ";
    refused(wide, {"33x1", "1 to 31"});
    refused(std::string(2 << 20, ' '), {"961"});
    checks::require_error(Fault::usage, (folder / "none").string(), {},
                          [&] { read_filter(folder / "none"); });
    checks::require_error(Fault::usage, folder.path().string(), {},
                          [&] { read_filter(folder.path()); });
}
