// The cases of clients that can be asked (form elicitation): the story of denial.mjs,
// with a person's answer to the question that the refused address raises.
import assert from 'node:assert/strict';

import { assertDenied, assertOpenedSource, kSource } from './denial.mjs';

/**
 * Whether the server asks. As long as it does not, a client that could be asked must
 * be told so (`unavailable`), and that is what is tested in place of the answers.
 */
export const kServerAsks = false;

const kAccept = {
  title: 'is asked, and a yes opens the address',
  answer: { action: 'accept', content: { choice: 'allow_once' } },
  questions: 1,
  check(seen, origins) {
    assertOpenedSource(seen);
    assert.deepEqual(origins.evil.hits, ['/dataset.csv']);
  },
};

const refusedAs = (title, answer, questions, confirmation) => ({
  title,
  answer,
  questions,
  check(seen, origins) {
    assertDenied(seen, confirmation);
    assert.deepEqual(origins.evil.hits, []);
  },
});

const kDecline = { action: 'decline' };

/** What a person says, and what must come of it. */
export const kAnswers = kServerAsks
  ? [kAccept, refusedAs('is asked, and a no is final', kDecline, 1, 'declined')]
  : [refusedAs('could be asked, and is told that nobody is', kDecline, 0, 'unavailable')];

/** A client's handler of questions, and what it was asked. */
export function personWho({ answer, questions }) {
  const asked = [];
  return {
    reply(params) {
      asked.push(params);
      return answer;
    },
    assertAsked() {
      assert.equal(asked.length, questions);
      for (const { message, requestedSchema } of asked) {
        const [title, value, origin] = message.split('\n');
        assert.equal(title, 'Confirm navigate');
        assert.equal(value, `value:  ${kSource}`);
        assert.match(origin, /^origin: .*from page http:\/\/fixture\.test$/);
        assert.deepEqual(Object.keys(requestedSchema.properties), ['choice']);
        assert.ok(requestedSchema.properties.choice.enum.includes('allow_once'));
      }
    },
  };
}
