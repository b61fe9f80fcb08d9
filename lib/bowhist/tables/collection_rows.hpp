#pragma once

#include <bowhist/core/descriptor_rows.hpp>
#include <bowhist/core/observer.hpp>
#include <bowhist/io/file_room.hpp>
#include <bowhist/tables/descriptor_collection.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace bowhist {

/// How descriptors in files are read.
struct PartSizes {
    std::size_t rows;       ///< of a part
    std::uint64_t kept = 0; ///< bytes for parts that stay in memory, beside the four on their way
};

/// Descriptors of pictures in collections, however many. They stay in their files: a part is worked
/// on while the next three are read. Some parts stay in memory, spread evenly: while they are
/// worked on, the disk gets ahead.
class CollectionRows : public DescriptorRows {
  public:
    /// @param observer  asked after each part whether to go on
    CollectionRows(PartSizes sizes, Observer &observer) : sizes_(sizes), observer_(observer) {}

    /// Those of a picture come behind those that are there. Whoever adds them has read them once:
    /// they are what their sidecar tells of, and of as many dimensions as the others.
    ///
    /// @param place  of the picture in the collection
    void add(const std::shared_ptr<const DescriptorCollection> &collection, std::size_t place);

    std::size_t size() const override { return size_; }
    std::size_t dimensions() const override;
    /// One call at a time. @throws Error{Fault::input} when a file was changed meanwhile;
    /// Error{Fault::interrupted}
    void read(const Take &take) const override;

  private:
    /// Rows of a collection, one behind the other.
    struct Part {
        std::shared_ptr<const DescriptorCollection> collection;
        std::uint64_t first;
        std::size_t rows;
    };
    struct InMemory {
        FileRoom room;
        std::span<const float> values = {}; ///< none before they were read
    };
    std::size_t kept_before(std::size_t part) const;
    std::pair<InMemory &, bool> place_of(std::size_t part) const;
    void load(std::size_t part) const;

    PartSizes sizes_;
    Observer &observer_;
    std::vector<Part> parts_;
    std::size_t size_ = 0;
    mutable std::vector<InMemory> kept_;
    /// The part that is worked on, and those that come next.
    mutable std::array<InMemory, 4> passing_;
};

} // namespace bowhist
