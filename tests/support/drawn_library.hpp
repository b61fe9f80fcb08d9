#pragma once

#include "tests/support/temporary_folder.hpp"

#include <bowhist/compare/image_search.hpp>
#include <bowhist/index/upkeep.hpp>
#include <bowhist/library/catalogue.hpp>
#include <bowhist/library/file/content_hash.hpp>
#include <bowhist/library/file/library_file.hpp>
#include <bowhist/library/integrity.hpp>
#include <bowhist/library/segments/segment_update.hpp>

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <vector>

namespace bowhist::testing {

struct Drawn {
    std::string path;
    std::vector<std::uint32_t> words; ///< rising
    std::vector<std::int8_t> code;

    ImageQuery query() const { return {counts_of(words), code}; }
};

/// A library of drawn images without pictures, and the same in memory.
class DrawnLibrary {
  public:
    static constexpr std::uint32_t k = 60;       ///< words
    static constexpr std::size_t dimensions = 5; ///< of a code

    DrawnLibrary() {
        Writer writer(path);
        writer.database->run("BEGIN IMMEDIATE");
        writer.catalogue.put(model("words", k));
        writer.catalogue.put(model("code", dimensions));
        writer.catalogue.set_about("holds", "words code");
        writer.database->run("COMMIT");
    }

    struct Writer {
        explicit Writer(const std::filesystem::path &path)
            : lock(path, 0), database(open_to_write(path)), catalogue(*database) {}
        WriterLock lock;
        std::unique_ptr<Database> database;
        Catalogue catalogue;
    };

    /// Rows of more images; one in ten is a copy of one before.
    void add(std::size_t count) {
        Writer writer(path);
        writer.database->run("BEGIN IMMEDIATE");
        const RowId root = writer.catalogue.put_root({.path = "r"}).id;
        const RowId below = writer.catalogue.folder(root, "");
        for (std::size_t i = 0; i < count; ++i) {
            const bool is_copy = !images.empty() && random_() % 10 == 0;
            Drawn image = is_copy ? images[random_() % images.size()] : draw();
            const std::string name = fmt::format("{}-{}", random_() % 1000, next_++);
            image.path = "r/" + name;
            FileRow file{.folder = below, .name = name, .run = 1};
            file.file = static_cast<std::int64_t>(next_);
            file.content = put(writer.catalogue, image);
            writer.catalogue.insert(file);
            images.push_back(std::move(image));
        }
        writer.database->run("COMMIT");
    }

    void append() {
        Writer writer(path);
        append_segments(writer.catalogue, 1, observer);
    }
    void merge(bool has_lost = false) {
        Writer writer(path);
        merge_segments(writer.catalogue, has_lost, observer);
    }

    /// Takes images out: those whose number `each` divides. @param forget  with their rows
    void lose(std::size_t each, bool forget) {
        Writer writer(path);
        writer.database->run("BEGIN IMMEDIATE");
        std::vector<Drawn> stay;
        std::vector<std::string> gone;
        for (std::size_t i = 0; i < images.size(); ++i)
            if (i % each == 0)
                gone.push_back(images[i].path);
            else
                stay.push_back(images[i]);
        images = std::move(stay);
        if (forget) {
            remove_files(writer.catalogue, gone, observer);
            drop_unused(writer.catalogue);
        } else {
            for (const std::string &one : gone) {
                Statement id(*writer.database, "SELECT id FROM paths WHERE path = ?1");
                REQUIRE(id.with(one).step());
                FileRow row = writer.catalogue.file(id.number(0));
                row.gone = 1;
                writer.catalogue.update(row);
            }
        }
        writer.database->run("COMMIT");
    }

    std::int64_t number(const std::string &sql) const { return open_to_read(path)->number(sql); }
    void run(const std::string &sql) { Writer(path).database->run(sql); }

    std::vector<std::string> damages() const { return damages_of(*open_to_read(path), observer); }

    TemporaryFolder folder;
    std::filesystem::path path = folder.path() / "p.bow";
    std::vector<Drawn> images;
    Observer observer;

  private:
    static StoredModel model(const char *kind, std::size_t size) {
        StoredModel model;
        model.kind = kind;
        model.size = size;
        const auto words = static_cast<std::uint32_t>(size); // as a c.bin begins
        model.model.resize(sizeof words + size);
        std::memcpy(model.model.data(), &words, sizeof words);
        return model;
    }

    Drawn draw() {
        Drawn image;
        for (auto n = random_() % 40; n > 0; --n)
            image.words.push_back(random_() % 3 == 0 ? random_() % k : random_() % 4);
        if (random_() % 30 == 0) image.words.insert(image.words.end(), random_() % 400, 7);
        std::ranges::sort(image.words);
        for (std::size_t i = 0; i < dimensions; ++i)
            image.code.push_back(static_cast<std::int8_t>(int(random_() % 255) - 127));
        return image;
    }

    RowId put(Catalogue &catalogue, const Drawn &image) {
        std::string bytes(reinterpret_cast<const char *>(image.code.data()), dimensions);
        for (const std::uint32_t word : image.words) bytes += static_cast<char>(word);
        const std::string hash = content_hash(bytes);
        if (const auto known = catalogue.content(hash)) return known->id;
        ContentRow row{.hash = hash, .width = 4, .height = 3};
        row.words.emplace();
        for (const std::uint32_t word : image.words) {
            *row.words += static_cast<char>(word);
            *row.words += '\0';
        }
        row.code.emplace(image.code.begin(), image.code.end());
        return catalogue.put(row);
    }

    std::mt19937 random_{46};
    std::size_t next_ = 0;
};

} // namespace bowhist::testing
