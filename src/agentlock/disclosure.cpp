#include "agentlock/disclosure.hpp"

#include <map>
#include <utility>

#include <nlohmann/json.hpp>

namespace agentlock {

// Two passes over the draft. The first gathers what came off pages, by origin, and
// records it; the second makes the JSON. The order is the invariant: there is no
// path on which a string is in the JSON and not in the ledger, since the second
// pass runs only after the first has recorded all of them.
class Disclosure {
 public:
  Disclosure(Ledger& ledger, std::string_view source) : ledger_(ledger), source_(source) {}

  Result<Disclosed> run(const Draft& draft) {
    gather(draft);
    std::vector<Ledger::Page> pages;
    for (auto& [origin, page] : pages_) pages.push_back(std::move(page));
    AGENTLOCK_TRY(recorded, ledger_.record_pages(std::move(pages), source_));
    Disclosed disclosed;
    for (const auto& [entry, fresh] : recorded) {
      if (fresh) disclosed.recorded.push_back(entry);
    }
    disclosed.json = build(draft);
    return disclosed;
  }

  static Result<Ledger::Recorded> record_one(const PageText& text, Ledger& ledger,
                                             std::string_view source) {
    return ledger.record_page(text.text_, text.origin_, std::string(source), {{0, text.element_}});
  }

 private:
  void gather(const Draft& draft) {
    if (const auto* text = std::get_if<PageText>(&draft.value_)) {
      if (text->empty()) return;
      auto [found, added] =
          pages_.try_emplace(text->origin_.serialize(), Ledger::Page{"", text->origin_, {}});
      Ledger::Page& page = found->second;
      if (!added) page.content += '\n';
      page.marks.push_back({page.content.size(), text->element_});
      page.content += text->text_;
    } else if (const auto* array = std::get_if<Draft::Array>(&draft.value_)) {
      for (const Draft& item : *array) gather(item);
    } else if (const auto* object = std::get_if<Draft::Object>(&draft.value_)) {
      for (const auto& [key, item] : *object) gather(item);
    }
  }

  static nlohmann::ordered_json build(const Draft& draft) {
    using Json = nlohmann::ordered_json;
    if (const auto* flag = std::get_if<bool>(&draft.value_)) return *flag;
    if (const auto* number = std::get_if<std::int64_t>(&draft.value_)) return *number;
    if (const auto* own = std::get_if<OwnText>(&draft.value_)) return own->text();
    if (const auto* text = std::get_if<PageText>(&draft.value_)) return text->text_;
    if (const auto* array = std::get_if<Draft::Array>(&draft.value_)) {
      Json json = Json::array();
      for (const Draft& item : *array) json.push_back(build(item));
      return json;
    }
    Json json = Json::object();
    for (const auto& [key, item] : std::get<Draft::Object>(draft.value_)) json[key] = build(item);
    return json;
  }

  Ledger& ledger_;
  std::string_view source_;
  std::map<std::string, Ledger::Page> pages_;
};

Result<Disclosed> disclose(const Draft& draft, Ledger& ledger, std::string_view source) {
  return Disclosure(ledger, source).run(draft);
}

Result<Ledger::Recorded> record(const PageText& text, Ledger& ledger, std::string_view source) {
  return Disclosure::record_one(text, ledger, source);
}

}  // namespace agentlock
