#include <bowhist/core/error.hpp>
#include <bowhist/device/ptx.hpp>

#include <catch2/catch.hpp>

using namespace bowhist;

TEST_CASE("ptx: covered lines are uncovered for Hopper's own target") {
    const std::string ptx = ".version 8.0\n.target sm_90, texmode_independent\n"
                            ".entry assign(\n)\n.reqntid 256, 1, 1\n{\n"
                            "\t//^ .minnctapersm 2\n"
                            "\t//@ wgmma.fence.sync.aligned;\n"
                            "\tadd.s32 %r1, %r1, 1; // an ordinary comment\n"
                            "\t//@ wgmma.commit_group.sync.aligned;\n}\n";
    CHECK(uncovered_ptx(ptx + '\0') == ".version 8.0\n.target sm_90a\n"
                                       ".entry assign(\n)\n.reqntid 256, 1, 1\n.minnctapersm 2\n{\n"
                                       "\t\n"
                                       "\twgmma.fence.sync.aligned;\n"
                                       "\tadd.s32 %r1, %r1, 1; // an ordinary comment\n"
                                       "\twgmma.commit_group.sync.aligned;\n}\n");
}

TEST_CASE("ptx: only sources with covered instructions have any") {
    CHECK(has_covered_ptx("asm volatile(\"//@ wgmma.fence.sync.aligned;\\n\");"));
    CHECK_FALSE(has_covered_ptx("//@ a comment, asm volatile(\"bar.sync 0;\");"));
}

TEST_CASE("ptx: a binary that is none is refused") {
    CHECK_THROWS_AS(uncovered_ptx(std::string("\x7f"
                                              "ELF\0\0",
                                              6)),
                    Error);
    CHECK_THROWS_AS(uncovered_ptx(""), Error);
}
