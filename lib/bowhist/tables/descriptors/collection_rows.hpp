#pragma once

#include <bowhist/core/descriptor_rows.hpp>
#include <bowhist/core/observer.hpp>
#include <bowhist/io/file_room.hpp>
#include <bowhist/tables/descriptors/descriptor_collection.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <future>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace bowhist {

/// Descriptors of pictures in collections, however many. They stay in their files: a part is worked
/// on while the next three arrive, two at a time. Some parts stay in memory, spread evenly from the
/// first one on: while they are worked on, the disk gets ahead.
class CollectionRows : public DescriptorRows {
  public:
    /// @param part  rows to read at a time
    /// @param observer  asked after each part whether to go on
    CollectionRows(std::size_t part, Observer &observer) : part_(part), observer_(observer) {
        for (InMemory &place : passing_) place.room = FileRoom(true);
    }

    /// Those of a picture come behind those that are there. Whoever adds them has read them once:
    /// they are what their sidecar tells of, and of as many dimensions as the others.
    ///
    /// @param place  of the picture in the collection
    void add(const std::shared_ptr<const DescriptorCollection> &collection, std::size_t place);

    /// Parts of so many bytes stay in memory, beside the four on their way. Before the first read.
    void keep(std::uint64_t bytes) { kept_bytes_ = bytes; }

    std::size_t size() const override { return size_; }
    std::size_t dimensions() const override;
    /// One call at a time. @throws Error{Fault::input} when a file was changed meanwhile;
    /// Error{Fault::interrupted}
    void read(const Take &take) const override;

  private:
    /// Rows of a collection, one behind the other.
    struct Stretch {
        std::shared_ptr<const DescriptorCollection> collection;
        std::uint64_t first;
        std::size_t rows;
    };
    struct Part {
        std::vector<Stretch> stretches;
        std::size_t rows = 0;
    };
    struct InMemory {
        FileRoom room;
        std::span<const float> values = {}; ///< none before they were read
    };
    std::size_t kept_before(std::size_t part) const;
    std::pair<InMemory &, bool> place_of(std::size_t part) const;
    void load(std::size_t part, std::shared_future<void> before) const;

    std::size_t part_;
    Observer &observer_;
    std::uint64_t kept_bytes_ = 0;
    std::vector<Part> parts_;
    std::size_t size_ = 0;
    mutable std::vector<InMemory> kept_;
    /// The part that is worked on, and those that come next.
    mutable std::array<InMemory, 4> passing_;
};

} // namespace bowhist
