// For clients that are libraries without a model: the story, played by calls.
import assert from 'node:assert/strict';

import { assertOpened, assertElements, kArticle, kSource } from './denial.mjs';

/**
 * Opens the article, looks at it, and asks for the address that it names.
 * @param {(call: {name: string, arguments: object}) => Promise<object>} callTool
 * @returns {Promise<object[]>} the three results
 */
export async function play(callTool) {
  const opened = await callTool({ name: 'navigate', arguments: { url: kArticle } });
  assertOpened(opened);
  const looked = await callTool({ name: 'snapshot', arguments: {} });
  assertElements(looked);
  const asked = await callTool({ name: 'navigate', arguments: { url: kSource } });
  return [opened, looked, asked];
}

/** Some clients show their model only one of the two: each must say everything. */
export function assertBothFaces(result) {
  assert.ok(!result.isError);
  assert.equal(result.content.length, 1);
  assert.deepEqual(JSON.parse(result.content[0].text), result.structuredContent);
}
