// Claude Code's own program, with a home folder and settings of the case's own, so that
// nothing of the user's is read or changed and nothing leaves the machine.
import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { promisify } from 'node:util';

const kFolder = path.dirname(
  createRequire(import.meta.url).resolve(
    `@anthropic-ai/claude-code-linux-${process.arch}/package.json`,
  ),
);

/** A hook that answers questions, and writes down what was asked. */
async function answerBy(home, { action, content }) {
  const asked = path.join(home, 'asked.jsonl');
  const reply = path.join(home, 'reply.json');
  await writeFile(asked, '');
  await writeFile(
    reply,
    JSON.stringify({ hookSpecificOutput: { hookEventName: 'Elicitation', action, content } }),
  );
  const command = `cat >> ${asked}; echo >> ${asked}; cat ${reply}`;
  const settings = { hooks: { Elicitation: [{ hooks: [{ type: 'command', command }] }] } };
  await mkdir(path.join(home, '.claude'), { recursive: true });
  await writeFile(path.join(home, '.claude/settings.json'), JSON.stringify(settings));
  return async () =>
    (await readFile(asked, 'utf8'))
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => JSON.parse(line))
      .map((input) => ({ message: input.message, requestedSchema: input.requested_schema }));
}

/** @param {string} modelUrl where its model is; no model if left out */
export async function makeClaudeCode(world, modelUrl = 'http://127.0.0.1:9') {
  const project = path.join(world.home, 'project');
  await mkdir(project);
  const env = {
    HOME: world.home,
    PATH: `${kFolder}:${process.env.PATH}`,
    ANTHROPIC_BASE_URL: modelUrl,
    ANTHROPIC_API_KEY: 'none',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
    // Else the model is offered a search for tools first.
    ENABLE_TOOL_SEARCH: 'false',
  };
  const options = { cwd: project, env, timeout: 60_000 };
  return {
    /** Runs a line of shell in the project, as a person would type it. */
    async shell(line) {
      const running = promisify(execFile)('sh', ['-c', line], options);
      running.child.stdin.end();
      return (await running).stdout;
    },
    answerBy: (answer) => answerBy(world.home, answer),
  };
}
