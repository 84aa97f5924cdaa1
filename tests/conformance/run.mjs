// Runs the official conformance suite against the binary over the bridge, once for each
// revision that has a set of requirements. What is known to be missing, and why, stands
// in expected-failures.yml; anything else fails.
//
// usage: run.mjs, with AGENTLOCK_BINARY
import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { startBridge } from './bridge.mjs';

const kRevisions = ['2025-11-25', '2026-07-28'];
const kSuite = 'node_modules/@modelcontextprotocol/conformance/dist/index.js';
const kLongest = 120_000;

/** @returns {Promise<{code: number | null, output: string}>} */
function runSuite(args) {
  const suite = spawn(process.execPath, [kSuite, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: kLongest,
  });
  const pieces = [];
  for (const stream of [suite.stdout, suite.stderr]) stream.on('data', (data) => pieces.push(data));
  return new Promise((resolve, reject) => {
    suite.on('error', reject);
    suite.on('close', (code) => resolve({ code, output: Buffer.concat(pieces).toString() }));
  });
}

const home = await mkdtemp(path.join(tmpdir(), 'agentlock-conformance-'));
const bridge = await startBridge([process.env.AGENTLOCK_BINARY, '--conformance-fixtures'], {
  HOME: home,
  PATH: process.env.PATH,
});
try {
  for (const revision of kRevisions) {
    const results = path.resolve('conformance', revision);
    await rm(results, { recursive: true, force: true });
    await mkdir(results, { recursive: true });
    const expected = path.join(import.meta.dirname, 'expected-failures.yml');
    const { code, output } = await runSuite(
      ['server', '--url', bridge.url, '--requirements', revision]
        .concat(['--expected-failures', expected])
        .concat(['-o', results]),
    );
    await writeFile(path.join(results, 'output.txt'), output);
    console.log(`\nRevision ${revision}, details in ${results}`);
    console.log(output.slice(output.indexOf('=== SUMMARY')));
    if (code !== 0) process.exitCode = 1;
  }
} finally {
  await bridge.close();
  await rm(home, { recursive: true, force: true });
}
