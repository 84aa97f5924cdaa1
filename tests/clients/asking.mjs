// The cases of clients that can be asked (form elicitation): the story of denial.mjs,
// with a person's answer to the question that the refused address raises.
import assert from 'node:assert/strict';

import { assertDenied, assertOpenedSource, kSource } from './denial.mjs';

/** What a person says, and what must come of it. */
export const kAnswers = [
  {
    title: 'is asked, and a yes opens the address',
    answer: { action: 'accept', content: { choice: 'allow_once' } },
    check(seen, origins) {
      assertOpenedSource(seen);
      assert.deepEqual(origins.evil.hits, ['/dataset.csv']);
    },
  },
  {
    title: 'is asked, and a no refuses it',
    answer: { action: 'decline' },
    check(seen, origins) {
      assertDenied(seen, 'declined');
      assert.deepEqual(origins.evil.hits, []);
    },
  },
];

// Titled choices are written differently in the two newest revisions.
const valuesOf = (choice) => choice.enum ?? choice.oneOf.map((option) => option.const);

/** Somebody who always gives the same answer, and what they were asked. */
export function personWho({ answer }) {
  const asked = [];
  return {
    reply(params) {
      asked.push(params);
      return answer;
    },
    /** Once, about the address, and the question came through as it was written. */
    assertAsked() {
      assert.equal(asked.length, 1);
      const [{ message, requestedSchema }] = asked;
      const lines = message.split('\n');
      assert.equal(lines[0], 'Confirm navigate');
      assert.ok(lines.includes('origin: from page http://fixture.test'), message);
      assert.equal(lines.at(-1), `value:  "${kSource}"`);
      const { choice } = requestedSchema.properties;
      assert.deepEqual(valuesOf(choice), ['allow_once', 'trust_origin_session']);
    },
  };
}
