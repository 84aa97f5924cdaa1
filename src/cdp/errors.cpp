#include "cdp/errors.hpp"

#include <array>
#include <string>

#include <nlohmann/json.hpp>

#include "base/log.hpp"

// CDP has a handful of codes, and one of them (-32000) stands for nearly all that
// can go wrong, told apart by an English sentence alone. So sentences must be
// compared; this is where, and the table is what Chromium 156 holds. A sentence
// that is not in the table is logged and becomes a failure without a reason.

namespace agentlock::cdp {
namespace {

constexpr int kSessionNotFound = -32001;
constexpr int kInvalidRequest = -32600;
constexpr int kMethodNotFound = -32601;
constexpr int kInvalidParams = -32602;

struct Meaning {
  std::string_view text;  ///< how Chromium's sentence begins
  ErrorCode code;
  std::string_view sentence;
};

constexpr std::string_view kNodeGone = "the element is no longer in the page";
constexpr std::string_view kContextGone = "the page was left or reloaded meanwhile";
constexpr std::string_view kTargetGone = "the tab or frame was closed or replaced";
constexpr std::string_view kNoBox = "the element takes up no space in the page";
constexpr std::string_view kTooDeep = "the page is nested too deeply for Chromium's protocol";

constexpr std::array kMeanings = {
    Meaning{"Could not find node with given id", ErrorCode::kStale, kNodeGone},
    Meaning{"No node with given id found", ErrorCode::kStale, kNodeGone},
    Meaning{"No node found for given backend id", ErrorCode::kStale, kNodeGone},
    Meaning{"Node with given id does not belong to the document", ErrorCode::kStale, kNodeGone},
    Meaning{"Node is detached from document", ErrorCode::kStale, kNodeGone},
    Meaning{"Could not find object with given id", ErrorCode::kStale, kContextGone},
    Meaning{"Cannot find context with specified id", ErrorCode::kStale, kContextGone},
    Meaning{"Execution context was destroyed", ErrorCode::kStale, kContextGone},
    Meaning{"Promise was collected", ErrorCode::kStale, kContextGone},
    Meaning{"Frame with the given id was not found", ErrorCode::kStale, kContextGone},
    Meaning{"No frame for given id found", ErrorCode::kStale, kContextGone},
    Meaning{"No frame with given id found", ErrorCode::kStale, kContextGone},
    Meaning{"Inspected target navigated or closed", ErrorCode::kTargetGone, kTargetGone},
    Meaning{"Not attached to an active page", ErrorCode::kTargetGone, kTargetGone},
    Meaning{"No target with given id", ErrorCode::kTargetGone, kTargetGone},
    Meaning{"Target is closing", ErrorCode::kTargetGone, kTargetGone},
    Meaning{"Target crashed", ErrorCode::kTargetGone, kTargetGone},
    Meaning{"No session with given id", ErrorCode::kTargetGone, kTargetGone},
    Meaning{"Could not compute content quads", ErrorCode::kNotFound, kNoBox},
    Meaning{"Could not compute box model", ErrorCode::kNotFound, kNoBox},
    Meaning{"Node does not have a layout object", ErrorCode::kNotFound, kNoBox},
    Meaning{"No node found at given location", ErrorCode::kNotFound,
            "there is no element at this point"},
    Meaning{"Element is not focusable", ErrorCode::kRefused, "the element can't take the focus"},
    Meaning{"Invalid InterceptionId", ErrorCode::kStale,
            "the request was answered or given up before"},
    Meaning{"No dialog is showing", ErrorCode::kStale, "the dialog is closed already"},
    Meaning{"Cannot navigate to invalid URL", ErrorCode::kInvalidArgument,
            "Chromium takes this for no valid URL"},
    Meaning{"CBOR: stack limit exceeded", ErrorCode::kLimit, kTooDeep},
    Meaning{"JSON: stack limit exceeded", ErrorCode::kLimit, kTooDeep},
};

}  // namespace

Error to_error(std::string_view method, const Json& error) {
  const std::string text = string_member(error, "message");
  const Json* number = member(error, "code");
  const auto code =
      number != nullptr && number->is_number_integer() ? number->get<std::int64_t>() : 0;
  const std::string prefix = std::string(method) + ": ";
  for (const Meaning& meaning : kMeanings) {
    if (text.starts_with(meaning.text)) {
      return Error(meaning.code, prefix + std::string(meaning.sentence));
    }
  }
  if (code == kSessionNotFound) {
    return Error(ErrorCode::kTargetGone, prefix + std::string(kTargetGone));
  }
  log::debug(prefix + "answered with error " + std::to_string(code) + ": " + text);
  if (code == kMethodNotFound) {
    return Error(ErrorCode::kProtocol, prefix + "this Chromium does not know the command");
  }
  if (code == kInvalidParams || code == kInvalidRequest) {
    return Error(ErrorCode::kInternal, prefix + "Chromium did not understand the command");
  }
  return Error(ErrorCode::kProtocol,
               prefix + "Chromium refused (error " + std::to_string(code) + ")");
}

}  // namespace agentlock::cdp
