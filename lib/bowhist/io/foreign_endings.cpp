#include <bowhist/io/foreign_kinds.hpp>

#include <algorithm>
#include <array>

namespace bowhist {
namespace {

struct Ending {
    std::string_view ending;
    std::string_view what;
    std::string_view advice;
};

constexpr std::string_view to_floats = "convert it to .fvecs or .npy of float32";

constexpr std::array endings{
    Ending{".bvecs", "a file of rows of bytes by its name (.bvecs), cut off or damaged", to_floats},
    Ending{".ivecs", "a file of rows of whole numbers by its name (.ivecs)", to_floats},
    Ending{".hvecs", "a file of rows of half floats by its name (.hvecs)", to_floats},
    Ending{".u8bin", "a file of rows of bytes by its name (.u8bin)", to_floats},
    Ending{".i8bin", "a file of rows of bytes by its name (.i8bin)", to_floats},
    Ending{".ibin", "a file of rows of whole numbers by its name (.ibin)", to_floats},
    Ending{".f16bin", "a file of rows of half floats by its name (.f16bin)", to_floats},
    Ending{".mat", "a file of MATLAB by its name (.mat)",
           "save its matrix as float32: numpy.save('x.npy', "
           "scipy.io.loadmat(f)['x'].astype('<f4'))"},
    Ending{".h5", "an HDF5 file by its name", "save its array as .npy of float32"},
    Ending{".hdf5", "an HDF5 file by its name", "save its array as .npy of float32"},
    Ending{".pkl", "a pickle of Python by its name", "save its array as .npy of float32"},
    Ending{".pickle", "a pickle of Python by its name", "save its array as .npy of float32"},
    Ending{".pt", "a file of PyTorch by its name", "save its array as .npy of float32"},
    Ending{".safetensors", "a file of safetensors by its name",
           "save its array as .npy of float32"},
    Ending{".tfrecord", "a file of TensorFlow by its name", "save its array as .npy of float32"},
    Ending{".onnx", "an ONNX model by its name", "give another file"},
    Ending{".tga", "a Targa picture by its name", "convert it to PNG or JPEG"},
    Ending{".pcx", "a PCX picture by its name", "convert it to PNG or JPEG"},
    Ending{".wbmp", "a WBMP picture by its name", "convert it to PNG or JPEG"},
    Ending{".icloud", "a file that is only in iCloud", "download it first"},
};

/// What bowhist itself writes, given where pictures are expected.
constexpr std::array results{
    Ending{".csv", "a table (.csv)",
           "tables of histograms are for bowhist cluster; save descriptors as .npy"},
    Ending{".tsv", "a table (.tsv)",
           "tables of histograms are for bowhist cluster; save descriptors as .npy"},
    Ending{".jsonl", "a table (.jsonl)", "tables of histograms are for bowhist cluster"},
    Ending{".svm", "a table (.svm)", "give the pictures that it was made of"},
    Ending{".bin", "a vocabulary by its name (.bin)", "a vocabulary is given by --centroids"},
};

} // namespace

std::optional<ForeignFile> kind_by_ending(std::string_view ending, Expected expected) {
    const auto find = [&](const auto &table) -> std::optional<ForeignFile> {
        const auto found = std::ranges::find(table, ending, &Ending::ending);
        if (found == table.end()) return std::nullopt;
        return ForeignFile{std::string(found->what), std::string(found->advice)};
    };
    if (auto kind = find(endings)) return kind;
    return expected == Expected::picture ? find(results) : std::nullopt;
}

} // namespace bowhist
