#include "url/serializer.hpp"

namespace agentlock::url {

void serialize_into(Record& record) {
  // 1. Let output be url's scheme and ":" concatenated.
  std::string output = record.scheme + ":";
  // 2. If url's host is non-null: "//", credentials, host, port.
  if (record.host) {
    output += "//";
    if (record.has_credentials()) {
      output += record.username;
      if (!record.password.empty()) output += ":" + record.password;
      output += '@';
    }
    output += *record.host;
    if (record.port) output += ":" + std::to_string(*record.port);
  } else if (!record.has_opaque_path && record.path.starts_with("//")) {
    // 3. If host is null and the path is a list of two or more segments, the first
    // of them empty, append "/." so that the path is not read as a host.
    output += "/.";
  }
  // 4. Append the result of URL path serializing url.
  output += record.path;
  // 5. If url's query is non-null, append "?" and the query.
  if (record.query) output += "?" + *record.query;
  // 6. If url's fragment is non-null, append "#" and the fragment.
  record.fragment_start = output.size();
  if (record.fragment) output += "#" + *record.fragment;
  // 7. Return output.
  record.href = std::move(output);
}

}  // namespace agentlock::url
