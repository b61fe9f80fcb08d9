#pragma once

#include <bowhist/core/descriptors.hpp>
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

/// Descriptors of images in collections, which stay in their files: the caller works on a part
/// while the next three are read, two at a time. Some parts stay in memory, spread evenly from the
/// first one on: while the caller works on these, the disk gets ahead.
///
/// Protocol: add* and keep, then read*. One thread calls; read() starts threads of its own, which
/// write to different places of `kept_` and `passing_` and have ended when it returns. There is no
/// lock: the future of each part hands its place over to the caller.
class CollectionRows : public DescriptorRows {
  public:
    /// @param part      rows to read at a time
    /// @param observer  borrowed: it outlives this object; each part asks it whether to stop
    CollectionRows(std::size_t part, Observer &observer) : part_(part), observer_(observer) {
        for (InMemory &place : passing_) place.room = FileRoom(true);
    }

    /// Appends the descriptors of an image, and keeps the collection open.
    /// REQUIRES: the caller has read them once, so that they are checked against their sidecar, and
    /// they have as many dimensions as the others.
    /// @param place  of the image in the collection
    void add(const std::shared_ptr<const DescriptorCollection> &collection, std::size_t place);

    /// Some consecutive rows of these, to be read apart from them; none stay in memory.
    std::unique_ptr<CollectionRows> cut(std::size_t first, std::size_t count) const;

    /// Sets how many bytes of parts may stay in memory, beside the four parts being read.
    void keep(std::uint64_t bytes) { kept_bytes_ = bytes; }

    std::size_t size() const override { return size_; }
    /// @return 0 where there are no rows, unless cut() knows better
    std::size_t dimensions() const override;
    /// @throws Error{Fault::input} when a file was changed meanwhile;
    /// Error{Fault::interrupted}
    void read(const Take &take) const override;
    /// cut(), with its share of the bytes that may stay in memory.
    std::unique_ptr<DescriptorRows> range(std::size_t first, std::size_t count) const override;

  private:
    /// Consecutive rows of a collection.
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
        std::span<const float> values = {}; ///< in `room`; empty before they were read
    };
    void append(const std::shared_ptr<const DescriptorCollection> &collection, std::uint64_t first,
                std::uint64_t rows);
    std::size_t kept_before(std::size_t part) const;
    std::pair<InMemory &, bool> place_of(std::size_t part) const;
    void load(std::size_t part, std::shared_future<void> before) const;

    std::size_t part_;
    Observer &observer_;
    std::size_t dimensions_ = 0; ///< where there are no parts
    std::uint64_t kept_bytes_ = 0;
    std::vector<Part> parts_;
    std::size_t size_ = 0;
    mutable std::vector<InMemory> kept_; ///< sized by read()
    /// The part that the caller works on, and the next ones.
    mutable std::array<InMemory, 4> passing_;
};

} // namespace bowhist
