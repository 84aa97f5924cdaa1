#include "agentlock/file_extension.hpp"

#include <algorithm>
#include <array>

namespace agentlock {
namespace {

// Sorted.
constexpr std::array<std::string_view, 142> kExtensions = {
    "7z",   "aac",   "ai",      "apk",    "app",  "asc",    "avi", "avif",  "bak",  "bash",  "bat",
    "bin",  "bmp",   "bz2",     "c",      "cc",   "cfg",    "cgi", "class", "clj",  "cmd",   "conf",
    "cpp",  "crt",   "cs",      "css",    "csv",  "dat",    "db",  "deb",   "diff", "dll",   "dmg",
    "doc",  "docx",  "dot",     "ebuild", "eml",  "env",    "eps", "epub",  "exe",  "fish",  "flac",
    "gif",  "go",    "gpg",     "gz",     "h",    "hpp",    "hs",  "htm",   "html", "ico",   "ics",
    "ini",  "ipynb", "iso",     "jar",    "java", "jpeg",   "jpg", "js",    "json", "jsonl", "jsx",
    "key",  "kt",    "lock",    "log",    "lua",  "m4a",    "map", "md",    "mdx",  "mk",    "mkv",
    "mobi", "mov",   "mp3",     "mp4",    "mpg",  "msi",    "odp", "ods",   "odt",  "ogg",   "old",
    "orig", "otf",   "parquet", "patch",  "pdf",  "pem",    "php", "pl",    "pm",   "png",   "ppt",
    "pptx", "ps",    "psd",     "py",     "rar",  "rb",     "rpm", "rs",    "rst",  "rtf",   "sass",
    "scss", "sh",    "sig",     "so",     "sql",  "sqlite", "svg", "swift", "tar",  "tex",   "tgz",
    "tif",  "tiff",  "tmp",     "toml",   "ts",   "tsv",    "tsx", "ttf",   "txt",  "vue",   "wasm",
    "wav",  "webm",  "webp",    "xls",    "xlsx", "xml",    "xz",  "yaml",  "yml",  "zip"};
static_assert(std::ranges::is_sorted(kExtensions));

}  // namespace

bool is_file_extension(std::string_view label) {
  return std::ranges::binary_search(kExtensions, label);
}

}  // namespace agentlock
