#pragma once

#include <bowhist/core/descriptor_rows.hpp>
#include <bowhist/core/observer.hpp>
#include <bowhist/tables/descriptor_collection.hpp>

#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace bowhist {

/// Descriptors of pictures in collections, however many. They stay in their files: a part is worked
/// on while the next one is read. In memory are two parts, and in the system's cache one more.
class CollectionRows : public DescriptorRows {
  public:
    /// @param part  rows to read at a time
    /// @param observer  asked after each part whether to go on
    CollectionRows(std::size_t part, Observer &observer) : part_(part), observer_(observer) {}

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
    struct Stretch {
        std::shared_ptr<const DescriptorCollection> collection;
        std::size_t first;
        std::size_t rows;
    };
    /// How far reading has got.
    struct Place {
        std::size_t stretch = 0;
        std::size_t row = 0; ///< of the stretch
    };
    void read_on(Place &place, std::span<float> into) const;

    std::size_t part_;
    Observer &observer_;
    std::vector<Stretch> stretches_;
    std::size_t size_ = 0;
    /// The one that is worked on, and the next; kept, for fresh memory costs as much as reading.
    mutable std::array<std::vector<float>, 2> parts_;
};

} // namespace bowhist
