// What is ignored below a named folder, and that each folder of a run counts once.
#include "tests/support/listener.hpp"
#include "tests/support/temporary_folder.hpp"

#include <bowhist/inputs/ignored.hpp>
#include <bowhist/inputs/inputs.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <fstream>
#include <map>
#include <string>
#include <vector>

using namespace bowhist;
using testing::Listener;
namespace fs = std::filesystem;

namespace {

using Names = std::vector<std::string>;
using Kinds = std::map<std::string, std::size_t>;

/// A folder of small files, and what a run takes of it.
class Album {
  public:
    fs::path operator/(const fs::path &name) const { return folder_ / name; }

    void touch(const Names &names) const {
        for (const auto &name : names) {
            fs::create_directories((folder_ / name).parent_path());
            std::ofstream(folder_ / name) << "x";
        }
    }

    /// Lists folders of the album ("" is the album); paths come back below the album.
    Names list(const Names &named, InputSource source = {}) {
        for (const auto &name : named) source.arguments.push_back((folder_ / name).native());
        listener = {};
        found = list_inputs(source, listener);
        Names paths;
        for (const auto &input : found.inputs)
            paths.push_back(input.path.lexically_relative(folder_.path()));
        return paths;
    }

    InputList found;
    Listener listener;

  private:
    TemporaryFolder folder_;
};

const Names clutter = {"@eaDir",
                       "@EADIR",
                       "#recycle",
                       "#snapshot",
                       "@tmp",
                       "@Recycle",
                       "@Recently-Snapshot",
                       "$RECYCLE.BIN",
                       "$Recycle.Bin",
                       "RECYCLER",
                       "System Volume Information",
                       "lost+found",
                       "LOST.DIR",
                       "__MACOSX",
                       "My Previews.lrdata",
                       "Network Trash Folder",
                       "~snapshot",
                       "[Originals]",
                       "THMBNL"};
const Names hidden_clutter = {
    ".Trash-1000", ".Trash",  ".trash",       ".Trashes",         ".recycle",
    ".thumbnails", ".thumbs", ".thumb",       ".dtrash",          ".stversions",
    ".git",        ".svn",    ".@__thumb",    ".AppleDouble",     ".Spotlight-V100",
    ".fseventsd",  ".sync",   ".SyncArchive", ".picasaoriginals", ".comments",
    ".snapshot",   ".zfs"};

} // namespace

TEST_CASE("folder search: Folders of thumbnails and bins are ignored at any depth, and counted") {
    Names all = clutter;
    all.insert(all.end(), hidden_clutter.begin(), hidden_clutter.end());
    for (const auto &name : all) {
        INFO(name);
        CHECK(is_clutter(fs::path("x") / name));
        for (const bool hidden : {false, true}) {
            Album album;
            album.touch({"a.jpg", name + "/x.jpg", "sub/" + name + "/b.jpg/x.jpg"});
            CHECK(album.list({""}, {.hidden = hidden}) == Names{"a.jpg"});
            CHECK(album.found.ignored_folders == Kinds{{name, 2}});
            CHECK(album.found.ignored.empty());
            CHECK(album.found.skipped == 0);
            REQUIRE(album.listener.notes.size() == 2);
            const std::string note = "ignored the folder " + (album / name).native();
            CHECK(std::ranges::count(album.listener.notes, note) == 1);
            CHECK(album.list({name}) == Names{name + "/x.jpg"}); // named outright
            CHECK(album.found.ignored_folders.empty());
        }
    }
    for (const auto *name : {"eaDir", "recycle", "Trash", "thumbnails", "git", "Recycler", "@me",
                             "2024", "x.lrdata.d", "snapshot", "tmp", "Originals"})
        CHECK_FALSE(is_clutter(fs::path("x") / name));
}

TEST_CASE("folder search: Of a photo library the originals are taken, not their previews") {
    Album album;
    album.touch({"P.photoslibrary/originals/0/a.jpg", "P.photoslibrary/resources/derivatives/b.jpg",
                 "Q.photolibrary/Masters/c.jpg", "Q.photolibrary/Thumbnails/d.jpg",
                 "R.aplibrary/Previews/e.jpg", "resources/f.jpg", "Thumbnails/g.jpg"});
    CHECK(album.list({""}) == Names{"P.photoslibrary/originals/0/a.jpg",
                                    "Q.photolibrary/Masters/c.jpg", "Thumbnails/g.jpg",
                                    "resources/f.jpg"});
    CHECK(album.list({"P.photoslibrary"}) == Names{"P.photoslibrary/originals/0/a.jpg"});
    CHECK(album.list({"R.aplibrary/Previews"}) == Names{"R.aplibrary/Previews/e.jpg"});
}

TEST_CASE("folder search: What begins with a dot is ignored unless asked for") {
    Album album;
    album.touch({"a.jpg", ".b.jpg", ".c/d.jpg", "sub/.e/f/g.jpg", "._h.jpg", ".notes",
                 ".trashed-1700000000-i.jpg"});
    CHECK(album.list({""}) == Names{"a.jpg"});
    CHECK(album.found.ignored == Kinds{{"hidden", 2}, {"._*", 1}, {"trashed", 1}});
    CHECK(album.found.ignored_folders == Kinds{{".c", 1}, {".e", 1}});
    CHECK(album.list({""}, {.hidden = true}) ==
          Names{".b.jpg", ".c/d.jpg", "a.jpg", "sub/.e/f/g.jpg"});
    CHECK(album.found.ignored == Kinds{{"no ending", 1}, {"._*", 1}, {"trashed", 1}});
    CHECK(album.found.ignored_folders.empty());
    CHECK(album.list({".c", ".b.jpg", "sub/.e"}) == Names{".c/d.jpg", ".b.jpg", "sub/.e/f/g.jpg"});
    CHECK(album.list({"sub"}).empty());
    REQUIRE(album.listener.warnings.size() == 1);
    CHECK_THAT(album.listener.warnings.front(),
               Catch::Contains("no picture in this folder") && Catch::Contains("--hidden"));
}

TEST_CASE("folder search: Nothing above a named folder is a reason to ignore it") {
    Album album;
    album.touch({".local/@eaDir/.git/photos/a.jpg", ".local/@eaDir/.git/photos/@eaDir/b.jpg"});
    CHECK(album.list({".local/@eaDir/.git/photos"}) == Names{".local/@eaDir/.git/photos/a.jpg"});
    fs::create_directory_symlink("photos", album / ".local/@eaDir/.git/link");
    CHECK(album.list({".local/@eaDir/.git"}) == Names{".local/@eaDir/.git/photos/a.jpg"});
}

TEST_CASE("folder search: Links into folders that are ignored are ignored, too") {
    Album album;
    Album elsewhere;
    album.touch({"a.jpg", "sub/@eaDir/b.jpg/c.jpg"});
    elsewhere.touch({"#recycle/d.jpg", "real/e.jpg", ".f/g.jpg"});
    fs::create_directory_symlink("sub/@eaDir", album / "link");
    fs::create_directory_symlink("sub/@eaDir/b.jpg", album / "deep");
    fs::create_directory_symlink(elsewhere / "#recycle", album / "bin");
    fs::create_directory_symlink(elsewhere / "real", album / "@eaDir");
    fs::create_directory_symlink(elsewhere / ".f", album / "shown");
    CHECK(album.list({""}) == Names{"a.jpg", "shown/g.jpg"});
    CHECK(album.found.ignored_folders ==
          Kinds{{"@eaDir", 2}, {"bin", 1}, {"deep", 1}, {"link", 1}});
    CHECK(album.list({"link", "@eaDir"}) == Names{"link/b.jpg/c.jpg", "@eaDir/e.jpg"});
}

TEST_CASE("folder search: --exclude compares names, or with a slash paths below the folder") {
    Album album;
    album.touch({"a.png", "b.jpg", "raw/c.jpg", "2019/raw/d.jpg", "2019/e.jpg",
                 "2019/raw/deep/f.png", "[x].jpg"});
    const auto kept = [&](Names globs) { return album.list({""}, {.excluded = std::move(globs)}); };
    const Names all = {"2019/e.jpg", "2019/raw/d.jpg", "2019/raw/deep/f.png", "[x].jpg", "a.png",
                       "b.jpg",      "raw/c.jpg"};
    const auto without = [&](const Names &names) {
        Names rest;
        std::ranges::copy_if(all, std::back_inserter(rest), [&](const std::string &path) {
            return std::ranges::find(names, path) == names.end();
        });
        return rest;
    };
    CHECK(kept({}) == all);
    for (const auto *nothing : {"", "/", "*.PNG", "a", "raw/d.jpg", "/e.jpg", "x.jpg"})
        CHECK(kept({nothing}) == all);
    CHECK(kept({"*.png"}) == without({"2019/raw/deep/f.png", "a.png"}));
    CHECK(album.found.ignored == Kinds{{"excluded", 2}});
    const Names raws = {"2019/raw/d.jpg", "2019/raw/deep/f.png", "raw/c.jpg"};
    for (const auto *glob : {"raw", "raw/", "r[ab]w", "**/raw", "**/raw/**", "raw/**"}) {
        CHECK(kept({glob}) == without(raws));
        CHECK(album.found.ignored_folders == Kinds{{"raw", 2}}); // not entered
    }
    for (const auto *glob : {"/raw", "./raw/", "/raw/**"})
        CHECK(kept({glob}) == without({"raw/c.jpg"}));
    for (const auto *glob : {"2019/raw", "2019/raw/", "/2019/raw", "*/raw", "**/2019/raw/**"})
        CHECK(kept({glob}) == without({"2019/raw/d.jpg", "2019/raw/deep/f.png"}));
    CHECK(kept({"2019/*.png"}) == without({"2019/raw/deep/f.png"}));
    CHECK(kept({"b.jpg/"}) == all); // a file
    CHECK(kept({"[x].jpg"}) == all);
    CHECK(kept({"\\[x\\].jpg", "2019"}) == Names{"a.png", "b.jpg", "raw/c.jpg"});
    CHECK(album.list({"raw", "a.png"}, {.excluded = {"raw", "*.png"}}) ==
          Names{"raw/c.jpg", "a.png"}); // named outright
}

TEST_CASE("folder search: A folder of descriptors is held to the same rules") {
    Album album;
    album.touch({"a.npy", "@eaDir/b.npy", ".c.npy", "d/e.npy"});
    CHECK(album.list({""}, {.descriptors_only = true, .excluded = {"d"}}) == Names{"a.npy"});
}

TEST_CASE("folder search: A folder named twice, or inside another one, counts once") {
    Album album;
    album.touch({"p/a.jpg", "p/sub/b.jpg", "p/sub/deep/c.jpg", "p/z.jpg"});
    fs::create_directory_symlink("p", album / "link");
    const Names whole = {"p/a.jpg", "p/sub/b.jpg", "p/sub/deep/c.jpg", "p/z.jpg"};
    for (const Names &named :
         {Names{"p"}, Names{"p", "p"}, Names{"p", "p/sub"}, Names{"p", "p/sub/../sub/deep"},
          Names{"p", "link"}, Names{"p", "link/sub", "p"}}) {
        CHECK(album.list(named) == whole);
        CHECK(album.listener.warnings.empty());
    }
    CHECK(album.list({"p/sub", "p"}) ==
          Names{"p/sub/b.jpg", "p/sub/deep/c.jpg", "p/a.jpg", "p/z.jpg"});
    CHECK(album.list({"link/sub", "p"}) ==
          Names{"link/sub/b.jpg", "link/sub/deep/c.jpg", "p/a.jpg", "p/z.jpg"});
    // by whichever way it is named; a file that is named counts each time
    std::ofstream(album / "list") << (album / "p").native() << "\n" << (album / "p/sub").native();
    CHECK(album.list({"p/sub/deep", "p/a.jpg"}, {.list = album / "list"}) ==
          Names{"p/sub/deep/c.jpg", "p/a.jpg", "p/a.jpg", "p/sub/b.jpg", "p/z.jpg"});
}

TEST_CASE("folder search: A folder that is named and ignored in another one counts once") {
    Album album;
    album.touch({"a.jpg", "@eaDir/b.jpg", "@eaDir/.c/d.jpg"});
    for (const Names &named : {Names{"", "@eaDir"}, Names{"@eaDir", ""}}) {
        const Names paths = album.list(named);
        CHECK(std::ranges::count(paths, "a.jpg") == 1);
        CHECK(std::ranges::count(paths, "@eaDir/b.jpg") == 1);
        CHECK(paths.size() == 2);
        CHECK(album.found.ignored_folders == Kinds{{".c", 1}});
    }
}

TEST_CASE("folder search: Descriptors are left out beside pictures that an earlier search found") {
    Album album;
    album.touch({"a.npy", "a.npy.json", "sub/a.jpg"});
    CHECK(album.list({"sub", ""}) == Names{"sub/a.jpg"});
    CHECK(album.found.ignored == Kinds{{".npy", 1}});
    album.touch({"other/b.npy", "other/b.npy.json"});
    CHECK(album.list({"sub", "other"}) == Names{"sub/a.jpg", "other/b.npy"});
}
