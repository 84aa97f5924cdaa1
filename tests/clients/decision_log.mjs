// The binary's own decision log of one case: when it has ended, and whether it holds.
import { execFile } from 'node:child_process';
import { existsSync, readFileSync, watch } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';

const kLongestEnd = 10_000;

export class DecisionLog {
  #binary;
  #file;

  constructor(binary, home) {
    this.#binary = binary;
    this.#file = path.join(home, '.local/state/agentlock-browser/agentlock-browser.jsonl');
  }

  /** Each session that was begun has ended; none may have been. */
  #isWhole() {
    if (!existsSync(this.#file)) return true;
    const text = readFileSync(this.#file, 'utf8');
    const count = (event) => text.split(`"event":"${event}"`).length;
    return count('session_start') === count('session_end');
  }

  /** Waits for the end of the server: some clients don't. */
  async ended() {
    if (this.#isWhole()) return;
    await new Promise((resolve, reject) => {
      const settle = (finish, reason) => {
        watcher.close();
        clearTimeout(timer);
        finish(reason);
      };
      const look = () => {
        if (this.#isWhole()) settle(resolve);
      };
      const watcher = watch(path.dirname(this.#file), look);
      const late = () => settle(reject, new Error('the server did not end its session'));
      const timer = setTimeout(late, kLongestEnd);
      look();
    });
  }

  /** Throws what `verify` says if the log does not hold. */
  async verify() {
    await this.ended();
    const env = { HOME: path.dirname(this.#file), PATH: process.env.PATH };
    const key = path.join(path.dirname(this.#file), 'key.pub');
    await promisify(execFile)(this.#binary, ['verify', this.#file, '--key', key], { env });
  }
}
