#include "browser/input_guard.hpp"

namespace agentlock::browser {

std::string_view input_guard_script() {
  return R"js((() => {
  if (globalThis.agentlockGuard) return;
  const composedPath = Event.prototype.composedPath;
  const stop = Event.prototype.stopImmediatePropagation;
  const prevent = Event.prototype.preventDefault;
  const now = Performance.prototype.now.bind(performance);
  const kFree = Symbol('free');
  let pointer = kFree;
  let text = kFree;
  let outcome = 'lost';

  const judge = (event, expected) => {
    if (!event.isTrusted || expected === kFree) return;
    if (expected !== null && composedPath.call(event).includes(expected)) {
      if (outcome === 'lost') outcome = 'arrived';
      return;
    }
    outcome = 'stolen';
    stop.call(event);
    prevent.call(event);
  };
  const onPointer = event => judge(event, pointer);
  const onText = event => judge(event, text === kFree && now() < 1000 ? null : text);

  const options = {capture: true};
  for (const type of ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click', 'auxclick']) {
    globalThis.addEventListener(type, onPointer, options);
  }
  for (const type of ['beforeinput', 'textInput']) {
    globalThis.addEventListener(type, onText, options);
  }
  Object.defineProperty(globalThis, 'agentlockGuard', {
    value: Object.freeze({
      armPointer(node) { pointer = node; outcome = 'lost'; },
      armText(node) { text = node; outcome = 'lost'; },
      disarm() { pointer = kFree; text = kFree; return outcome; },
    }),
  });
})();)js";
}

std::string remote_input_guard_script() {
  return std::string(input_guard_script()) +
         "agentlockGuard.armPointer(null); agentlockGuard.armText(null);";
}

}  // namespace agentlock::browser
