#include <bowhist/duplicates/moves/move_script.hpp>

#include <bowhist/core/printable.hpp>
#include <bowhist/duplicates/companions.hpp>
#include <bowhist/duplicates/moves/file_facts.hpp>
#include <bowhist/duplicates/moves/on_disk.hpp>
#include <bowhist/duplicates/moves/script_text.hpp>
#include <bowhist/duplicates/moves/trash.hpp>
#include <bowhist/io/atomic_file.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace bowhist {
namespace {

namespace fs = std::filesystem;

/// Below a folder: "/a/../b" becomes "b".
std::string place_below(const fs::path &path) {
    std::string place;
    for (const fs::path &part : path.lexically_normal().relative_path()) {
        if (!place.empty()) place += '/';
        place += part == ".." ? "__" : part.native();
    }
    return place;
}

/// A copy that the script acts on, with its sidecars behind it.
struct ActedCopy {
    const Duplicate *copy = nullptr;
    const LibraryImage *kept = nullptr; ///< what stays for it
    FileFacts facts = {};
    FileFacts kept_facts = {};
};

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
        const std::string settings = makes_links(request_.action) ? record_settings() : "";
        forth.write(head(purpose(), script_functions(request_.action) + settings));
        back.write(head(fmt::format("Takes back what {} did", request_.script),
                        undo_functions(request_.action) + settings));
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

    /// The file in which the script notes what it did, and the time when it was made.
    std::string record_settings() const {
        const auto now = std::chrono::system_clock::now().time_since_epoch();
        return fmt::format("record={}\nmade={}\n",
                           shell_quoted(fs::absolute(record_of(request_.script)).native()),
                           std::chrono::duration_cast<std::chrono::nanoseconds>(now).count());
    }

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
        for (const DuplicateGroup &found : found_.groups) {
            const DuplicateGroup group = makes_links(request_.action) ? linked(found) : found;
            std::map<std::size_t, std::vector<const Duplicate *>> copies; // by what stays for them
            for (std::size_t i = 0; i < group.images.size(); ++i)
                if (const auto kept = kept_for(group, i); kept && is_spare(group.images[i]))
                    copies[*kept].push_back(&found.images[i]);
            for (const auto &[kept, its] : copies) choose(found.images[kept].image, its);
        }
        if (other_bytes_ > 0)
            observer_.warning(fmt::format(
                "{} not have the bytes of what is kept, and no link replaces them",
                other_bytes_ == 1 ? "1 copy does" : fmt::format("{} copies do", other_bytes_)));
    }

    /// No link replaces a copy of other bytes than what it is held against. So it stays, and copies
    /// of it may be links to it.
    DuplicateGroup linked(DuplicateGroup group) {
        for (Duplicate &copy : group.images) {
            if (!is_spare(copy) || copy.image.hash == group.images[copy.with].image.hash) continue;
            copy.kept = true;
            ++other_bytes_;
        }
        return group;
    }

    void choose(const LibraryImage &kept, const std::vector<const Duplicate *> &copies) {
        std::optional<FileFacts> kept_facts;
        for (const Duplicate *copy : copies) {
            observer_.stop_if_interrupted();
            observer_.progress("copies read", ++looked_at_, found_.copies());
            if (!kept_facts && !(kept_facts = read(kept, "its copies stay"))) break;
            if (const auto facts = read(copy->image, "it stays")) {
                acted_on_.insert(copy->image.file());
                copies_.push_back({copy, &kept, *facts, *kept_facts});
            }
        }
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
        ++links_;
        forth.write(
            fmt::format("move{} {}\n", file_words(file, place, copy.facts, {}).forth, links_));
        back.write(fmt::format("own {} {} {} {} {:o} {} {} {}\n", path_word(file), path_word(place),
                               copy.facts.stamp.size, copy.facts.checksum, copy.facts.mode,
                               time_text(copy.facts.stamp), kept, links_));
    }

    void write_move(const ActedCopy &copy, AtomicFile &forth, AtomicFile &back) {
        const std::string &file = copy.copy->image.file();
        const Companions companions = files_.of(file);
        std::vector<std::string> sharing; // tests for other pictures of a sidecar
        Line all = placed(file, copy, copy.facts), own = all;
        for (const Sidecar &sidecar : companions.sidecars) {
            if (!may_go(sidecar)) continue;
            const auto facts = facts_of(sidecar.file);
            if (!facts) {
                observer_.warning(fmt::format("{}: cannot be read, so {} stays with it",
                                              sidecar.file, fs::path(file)));
                return;
            }
            const Line words = placed(sidecar.file, copy, *facts);
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
    std::size_t looked_at_ = 0, other_bytes_ = 0; ///< copies
    std::size_t links_ = 0;                       ///< that are written
    std::set<std::string> acted_on_;              ///< the files of `copies_`
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

std::size_t write_move_script(const MoveScriptRequest &request, const Duplicates &found,
                              Observer &observer) {
    return MoveScript(request, found, observer).write();
}

} // namespace bowhist
