// The story that each client plays: an allowlisted page is opened and looked at, the
// address that its text names is refused, and a call that breaks the schema fails.
import assert from 'node:assert/strict';

export const kArticle = 'http://fixture.test/article';
export const kSource = 'http://evil.test/dataset.csv';
export const kTools = ['navigate', 'snapshot', 'read_text', 'click', 'type', 'back'];

/**
 * The model's part. Each turn is given the results that the model has been shown so
 * far, as texts, and names the tool to call next, or what to say.
 */
export const kDenialScript = [
  () => ({ tool: 'navigate', arguments: { url: kArticle } }),
  () => ({ tool: 'snapshot', arguments: {} }),
  ([, snapshot]) => ({ tool: 'navigate', arguments: { url: addressIn(snapshot) } }),
  () => ({ tool: 'navigate', arguments: {} }),
  () => ({ say: 'The source was not opened.' }),
];

// What the page shows is all that the model knows of the address.
function addressIn(text) {
  const found = /http:\/\/evil\.test\/[a-z.]+/.exec(text);
  assert.ok(found, `the model was not shown the address: ${text}`);
  return found[0];
}

/** All objects that stand in a text of JSON, also as text within the JSON. */
function objectsIn(value, found = []) {
  if (typeof value === 'string') {
    if (/^\s*[[{]/.test(value)) {
      try {
        objectsIn(JSON.parse(value), found);
      } catch {
        // Not JSON: nothing to look into.
      }
    }
  } else if (value !== null && typeof value === 'object') {
    if (!Array.isArray(value)) found.push(value);
    for (const each of Object.values(value)) objectsIn(each, found);
  }
  return found;
}

/** The tool's own answer, somewhere in what a client made of it. */
function answerIn(seen, member) {
  const answer = objectsIn(seen).find((each) => member in each);
  assert.ok(answer, `there is no ${member} in what the model was shown: ${seen}`);
  return answer;
}

export function assertOpened(seen) {
  const answer = answerIn(seen, 'gate');
  assert.equal(answer.ok, true);
  assert.equal(answer.gate.allowed, true);
  assert.equal(answer.gate.channel, 'ALLOWLIST');
  assert.equal(answer.url, kArticle);
  assert.equal(answer.title, 'The article');
}

export function assertElements(seen) {
  const { elements } = answerIn(seen, 'elements');
  const link = elements.find((element) => element.role === 'link');
  assert.equal(link.name, 'Next page');
  assert.equal(link.href, 'http://fixture.test/next');
  assert.match(link.id, /-e\d+$/);
  assert.ok(elements.some((element) => element.role === 'textbox' && element.name === 'Search'));
}

/** @param {string} confirmation what the gate says of asking a person */
export function assertDenied(seen, confirmation) {
  const answer = answerIn(seen, 'gate');
  assert.equal(answer.ok, false);
  assert.equal(answer.url, kArticle);
  const { gate } = answer;
  assert.equal(gate.allowed, false);
  assert.equal(gate.decision, 'deny');
  assert.equal(gate.reason, 'param_lineage');
  assert.equal(gate.channel, 'PAGE');
  assert.equal(gate.origin, 'http://fixture.test');
  assert.equal(gate.confirmation, confirmation);
  // A sentence of advice, not a code.
  assert.match(gate.detail, /\w+ \w+ \w+.*\./);
  assert.match(gate.receipt_id, /^rcpt_/);
}

export function assertOpenedSource(seen) {
  const answer = answerIn(seen, 'gate');
  assert.equal(answer.ok, true);
  assert.equal(answer.gate.allowed, true);
  assert.equal(answer.gate.channel, 'USER_CONFIRMED');
  assert.equal(answer.gate.confirmation, 'accepted');
  assert.equal(answer.url, kSource);
}

/** A tool error carries its sentence, whatever the client makes of it. */
export function assertFailed(seen) {
  assert.match(JSON.stringify(seen), /Give exactly one of url and link_id\./);
}

/** What the model was shown of the whole story, and what the web saw of it. */
export function assertStory(results, origins, confirmation) {
  assert.equal(results.length, 4);
  assertOpened(results[0]);
  assertElements(results[1]);
  assertDenied(results[2], confirmation);
  assertFailed(results[3]);
  assert.deepEqual(origins.fixture.hits, ['/article']);
  assert.deepEqual(origins.evil.hits, []);
}
