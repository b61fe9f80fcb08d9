# Writes OUTPUT, a C++ file that holds the text of each of KERNELS under its file name.
set(entries "")
foreach(kernel IN LISTS KERNELS)
  get_filename_component(name ${kernel} NAME)
  file(READ ${kernel} text)
  string(APPEND entries "    {\"${name}\", R\"__cl__(${text})__cl__\"},\n")
endforeach()
file(
  WRITE ${OUTPUT}
  "#include <bowhist/device/kernel_source.hpp>\n\nnamespace bowhist {\n\n"
  "const std::map<std::string, std::string_view> &embedded_kernels() {\n"
  "    static const std::map<std::string, std::string_view> kernels = {\n"
  "${entries}    };\n    return kernels;\n}\n\n} // namespace bowhist\n")
