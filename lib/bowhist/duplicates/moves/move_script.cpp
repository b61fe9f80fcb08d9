#include <bowhist/duplicates/moves/move_script.hpp>

#include <bowhist/core/counted.hpp>
#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/duplicates/companions.hpp>
#include <bowhist/duplicates/moves/on_disk.hpp>
#include <bowhist/duplicates/moves/script_text.hpp>
#include <bowhist/duplicates/moves/trash.hpp>
#include <bowhist/io/atomic_file.hpp>
#include <bowhist/library/content_hash.hpp>
#include <bowhist/library/known_roots.hpp>
#include <bowhist/library/library_file.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <ctime>
#include <fstream>
#include <iterator>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace bowhist {
namespace {

namespace fs = std::filesystem;

/// The checksum that POSIX `cksum` prints.
std::uint32_t cksum(std::string_view bytes) {
    static const auto table = [] {
        std::array<std::uint32_t, 256> values{};
        for (std::uint32_t i = 0; i < 256; ++i) {
            std::uint32_t value = i << 24U;
            for (int bit = 0; bit < 8; ++bit)
                value = (value << 1U) ^ ((value & 0x80000000U) != 0 ? 0x04C11DB7U : 0U);
            values[i] = value;
        }
        return values;
    }();
    std::uint32_t sum = 0;
    const auto add = [&sum](unsigned char byte) { sum = (sum << 8U) ^ table[(sum >> 24U) ^ byte]; };
    for (const char byte : bytes) add(static_cast<unsigned char>(byte));
    for (std::size_t size = bytes.size(); size > 0; size >>= 8U)
        add(static_cast<unsigned char>(size & 0xFFU));
    return ~sum;
}

/// Below a folder: "/a/../b" becomes "b".
std::string place_below(const fs::path &path) {
    std::string place;
    for (const fs::path &part : path.lexically_normal().relative_path()) {
        if (!place.empty()) place += '/';
        place += part == ".." ? "__" : part.native();
    }
    return place;
}

/// A script acts on a file only while it has these.
struct FileFacts {
    FileStamp stamp;
    std::uint32_t checksum = 0;
    unsigned mode = 0; ///< its permissions
};

/// A copy that the script acts on, with its sidecars behind it.
struct ActedCopy {
    const Duplicate *copy = nullptr;
    const LibraryImage *kept = nullptr;
    FileFacts facts = {};
    FileFacts kept_facts = {};
};

/// The facts of a file, and the hash of its content; empty if it cannot be read, or changes
/// meanwhile.
std::optional<std::pair<FileFacts, std::string>> read_facts(const fs::path &file) {
    const auto stamp_of = [](const struct stat &found) {
        return FileStamp{static_cast<std::uint64_t>(found.st_size),
                         std::int64_t{found.st_mtim.tv_sec} * 1'000'000'000 +
                             found.st_mtim.tv_nsec};
    };
    struct stat before {
    }, after{};
    if (::stat(file.c_str(), &before) != 0 || !S_ISREG(before.st_mode)) return std::nullopt;
    std::ifstream stream(file, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(stream), {}};
    if (!stream || ::stat(file.c_str(), &after) != 0 || stamp_of(before) != stamp_of(after) ||
        bytes.size() != stamp_of(after).size)
        return std::nullopt;
    return std::pair(FileFacts{stamp_of(after), cksum(bytes), after.st_mode & 07777U},
                     content_hash(bytes));
}

/// The facts of an image; empty if it is no longer what the library read.
std::optional<FileFacts> facts_of(const LibraryImage &image) {
    const auto facts = read_facts(image.file());
    if (!facts || facts->first.stamp != image.stamp || facts->second != image.hash)
        return std::nullopt;
    return facts->first;
}

std::int64_t whole_seconds(const FileStamp &stamp) {
    const std::int64_t nanoseconds = stamp.modified;
    return nanoseconds / 1'000'000'000 - (nanoseconds % 1'000'000'000 < 0 ? 1 : 0);
}

/// "2026-11-29T00:49:55.123456789Z"
std::string time_text(const FileStamp &stamp) {
    const std::time_t seconds = whole_seconds(stamp);
    std::tm parts{};
    ::gmtime_r(&seconds, &parts);
    return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:09}Z", parts.tm_year + 1900,
                       parts.tm_mon + 1, parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec,
                       stamp.modified - std::int64_t{seconds} * 1'000'000'000);
}

/// As a word that is no option, and no file of its own in the folder where it lies.
std::string path_word(const fs::path &path) {
    return shell_quoted(path.is_absolute() ? path.native() : fmt::format("./{}", path.native()));
}

std::string head(std::string_view what, const std::string &functions) {
    return fmt::format("#!/bin/sh\n# {}. Read it first; then: sh FILE\ncd -- {} || exit 1\n{}\n",
                       what, shell_quoted(fs::current_path().native()), functions);
}

bool makes_links(MoveAction action) {
    return action != MoveAction::move && action != MoveAction::trash;
}

/// The place of a copy until its link is there.
fs::path aside(const fs::path &file) {
    fs::path place = file;
    return place += ".bowhist-before";
}

/// The lines of both scripts.
class MoveScript {
  public:
    MoveScript(const MoveScriptRequest &request, const Duplicates &found, Observer &observer)
        : request_(request), found_(found), observer_(observer), twins_(found) {}

    std::size_t write() {
        choose();
        const fs::path undo = undo_of(request_.script);
        AtomicFile forth(request_.script), back(undo);
        forth.write(head(purpose(), script_functions(request_.action)));
        back.write(head(fmt::format("Takes back what {} did", request_.script),
                        undo_functions(request_.action)));
        const LibraryImage *kept = nullptr;
        for (const ActedCopy &copy : copies_) {
            if (std::exchange(kept, copy.kept) != copy.kept)
                forth.write(fmt::format(
                    "keeps {} {} {} {}\n", path_word(copy.kept->file()), copy.kept_facts.stamp.size,
                    whole_seconds(copy.kept_facts.stamp), copy.kept_facts.checksum));
            if (makes_links(request_.action))
                write_link(copy, forth, back);
            else
                write_move(copy, forth, back);
        }
        forth.write(script_end());
        back.write(script_end());
        back.commit();
        forth.commit();
        return copies_.size();
    }

  private:
    struct Line {
        std::string forth, back;
    };

    std::string purpose() const {
        const std::string files = counted(copies_.size(), "file");
        switch (request_.action) {
        case MoveAction::move:
            return fmt::format("Moves {} to another folder", files);
        case MoveAction::trash:
            return fmt::format("Moves {} to the trash", files);
        case MoveAction::hardlink:
            return fmt::format("Replaces {} by hard links", files);
        case MoveAction::symlink:
            return fmt::format("Replaces {} by symbolic links", files);
        case MoveAction::reflink:
            break;
        }
        return fmt::format("Replaces {} by copies that share blocks", files);
    }

    /// Reads all files that a script acts on.
    void choose() {
        std::size_t looked_at = 0, other_bytes = 0;
        for (const DuplicateGroup &group : found_.groups) {
            const LibraryImage &kept = group.images.front().image;
            std::optional<FileFacts> kept_facts;
            for (const Duplicate &copy : group.images) {
                if (!is_spare(copy)) continue;
                observer_.stop_if_interrupted();
                observer_.progress("copies read", ++looked_at, found_.copies());
                if (makes_links(request_.action) && copy.image.hash != kept.hash) {
                    ++other_bytes;
                    continue;
                }
                if (!kept_facts && !(kept_facts = read(kept, "its copies stay"))) break;
                if (const auto facts = read(copy.image, "it stays")) {
                    acted_on_.insert(copy.image.file());
                    copies_.push_back({&copy, &kept, *facts, *kept_facts});
                }
            }
        }
        if (other_bytes > 0)
            observer_.warning(fmt::format(
                "{} not have the bytes of what is kept, and no link replaces them",
                other_bytes == 1 ? "1 copy does" : fmt::format("{} copies do", other_bytes)));
    }

    std::optional<FileFacts> read(const LibraryImage &image, std::string_view result) {
        auto facts = facts_of(image);
        if (!facts)
            observer_.warning(
                fmt::format("{}: changed since it was indexed, so {}; bring the library up to date "
                            "with \"bowhist index\"",
                            fs::path(image.path), result));
        return facts;
    }

    void write_link(const ActedCopy &copy, AtomicFile &forth, AtomicFile &back) {
        const std::string &file = copy.copy->image.file();
        const fs::path place = aside(file);
        const std::string kept =
            request_.action == MoveAction::reflink ? "''" : path_word(copy.kept->file());
        forth.write(fmt::format("move{}\n", file_words(file, place, copy.facts, {}).forth));
        back.write(fmt::format("own {} {} {} {} {:o} {} {}\n", path_word(file), path_word(place),
                               copy.facts.stamp.size, copy.facts.checksum, copy.facts.mode,
                               time_text(copy.facts.stamp), kept));
    }

    void write_move(const ActedCopy &copy, AtomicFile &forth, AtomicFile &back) {
        const std::string &file = copy.copy->image.file();
        const Companions companions = files_.of(file);
        std::vector<std::string> sharing; // tests for other pictures of a sidecar
        Line all = placed(file, copy, copy.facts), own = all;
        for (const Sidecar &sidecar : companions.sidecars) {
            if (!may_go(sidecar)) continue;
            const auto facts = read_facts(sidecar.file);
            if (!facts) {
                observer_.warning(fmt::format("{}: cannot be read, so {} stays with it",
                                              sidecar.file, fs::path(file)));
                return;
            }
            const Line words = placed(sidecar.file, copy, facts->first);
            all.forth += words.forth;
            all.back += words.back;
            if (sidecar.others.empty()) own.forth += words.forth;
            for (const fs::path &other : sidecar.others)
                sharing.push_back(fmt::format("[ -e {} ]", path_word(other)));
        }
        std::vector<Twin> twins;
        if (!twins_.find(companions, *copy.kept, twins)) return;
        for (const Twin &twin : twins)
            forth.write(fmt::format("has_twin {} {} {} &&\n", path_word(twin.companion),
                                    path_word(twin.twin), path_word(file)));
        if (sharing.empty())
            forth.write(fmt::format("move{}\n", all.forth));
        else
            forth.write(fmt::format("if {}; then\n    move{}\nelse\n    move{}\nfi\n",
                                    fmt::join(sharing, " || "), own.forth, all.forth));
        back.write(fmt::format("move{}\n", all.back));
    }

    /// Whether nothing stays that a sidecar describes. Which of its pictures moves last shows when
    /// the script runs.
    bool may_go(const Sidecar &sidecar) const {
        return std::ranges::all_of(sidecar.others, [this](const fs::path &other) {
            return acted_on_.contains(other.native());
        });
    }

    /// A file of a copy, with its new place.
    Line placed(const fs::path &file, const ActedCopy &copy, const FileFacts &facts) {
        if (request_.action == MoveAction::trash) {
            const TrashPlace place = trash_.place_for(file);
            return file_words(file, place.file, facts, place.was);
        }
        const fs::path below = fs::path(copy.copy->image.path).parent_path() / file.filename();
        return file_words(file, request_.to / place_below(below), facts, {});
    }

    /// @param was  of the trash; empty: none
    static Line file_words(const fs::path &file, const fs::path &place, const FileFacts &facts,
                           const std::string &was) {
        Line words{fmt::format(" {} {} {} {} {}", path_word(file), path_word(place),
                               facts.stamp.size, whole_seconds(facts.stamp), facts.checksum),
                   fmt::format(" {} {} {} - {}", path_word(place), path_word(file),
                               facts.stamp.size, facts.checksum)};
        if (!was.empty()) words.forth.append(" ").append(shell_quoted(was));
        return words;
    }

    const MoveScriptRequest &request_;
    const Duplicates &found_;
    Observer &observer_;
    Twins twins_;
    CompanionFiles files_;
    Trash trash_;
    std::vector<ActedCopy> copies_;
    std::set<std::string> acted_on_; ///< the files of `copies_`
};

} // namespace

std::string shell_quoted(std::string_view word) {
    std::string quoted = "'";
    for (const char letter : word)
        if (letter == '\'')
            quoted += "'\\''";
        else
            quoted += letter;
    return quoted + "'";
}

fs::path undo_of(const fs::path &script) {
    if (script.empty()) return {};
    fs::path undo = script;
    undo += ".undo";
    return undo;
}

void require_new_script(const fs::path &script) {
    for (const fs::path &file : {script, undo_of(script)})
        if (fs::exists(fs::symlink_status(file)))
            throw Error(Fault::usage,
                        fmt::format("{}: is there already, and may be needed to undo moves; give "
                                    "--script another name, or remove it",
                                    file));
}

std::string indexed_root_around(const fs::path &library, const fs::path &folder) {
    const auto database = open_to_read(library);
    Catalogue catalogue(*database);
    const KnownRoots roots(catalogue);
    std::error_code unknown;
    const fs::path whole = fs::weakly_canonical(fs::absolute(folder), unknown);
    std::string path = whole.lexically_normal().native();
    while (path.size() > 1 && path.ends_with('/')) path.pop_back();
    const KnownRoot *root = roots.same({}, path);
    if (root == nullptr) root = roots.around(path);
    return root == nullptr ? std::string() : root->row.path;
}

std::size_t write_move_script(const MoveScriptRequest &request, const Duplicates &found,
                              Observer &observer) {
    return MoveScript(request, found, observer).write();
}

} // namespace bowhist
