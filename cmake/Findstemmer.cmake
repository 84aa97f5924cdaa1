# libstemmer (Snowball), which Debian ships without a CMake package. Defines
# stemmer::stemmer.
find_library(STEMMER_LIBRARY stemmer)
find_path(STEMMER_INCLUDE_DIR libstemmer.h)
mark_as_advanced(STEMMER_LIBRARY STEMMER_INCLUDE_DIR)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(stemmer REQUIRED_VARS STEMMER_LIBRARY STEMMER_INCLUDE_DIR)
if(stemmer_FOUND AND NOT TARGET stemmer::stemmer)
  add_library(stemmer::stemmer UNKNOWN IMPORTED)
  set_target_properties(stemmer::stemmer PROPERTIES
    IMPORTED_LOCATION "${STEMMER_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${STEMMER_INCLUDE_DIR}")
endif()
