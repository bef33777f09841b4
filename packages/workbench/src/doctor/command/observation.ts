import { RemoteError, SessionError } from '@tenon/mcp-client';
import { failureOf } from '../../failures/workbench-error.js';
import { type Finding, failed, passed, shortened } from '../examination.js';

const mostLines = 10;
/** The cause of an error may stand before a long stack. */
const mostStderr = 40;

/** The behaviour of a process beside its messages: other lines on stdout, lines on stderr, and the signals that ended it. */
export class Observation {
  readonly #stray: string[] = [];
  readonly #stderr: string[] = [];
  #strayLines = 0;
  #stderrLines = 0;
  /** The signal that was needed to end the process; undefined if it ended by itself. */
  strongest: 'SIGTERM' | 'SIGKILL' | undefined;

  get hasStrayLines(): boolean {
    return this.#strayLines > 0;
  }

  stray(line: string): void {
    this.#strayLines++;
    if (this.#stray.length < mostLines) this.#stray.push(shortened(line, 200));
  }

  stderr(line: string): void {
    this.#stderrLines++;
    this.#stderr.push(shortened(line, 200));
    if (this.#stderr.length > mostStderr) this.#stderr.shift();
  }

  /** Sends a signal to the process. */
  kill(pid: number, signal: NodeJS.Signals | 0): void {
    process.kill(pid, signal);
    if (signal === 'SIGKILL') this.strongest = 'SIGKILL';
    else if (signal === 'SIGTERM') this.strongest ??= 'SIGTERM';
  }

  /** @param problems - what the client dropped: JSON that is not JSON-RPC. */
  stdoutFinding(problems: readonly string[]): Finding {
    const odd = problems.filter((problem) => problem.startsWith('not-a-message'));
    if (this.#strayLines === 0 && odd.length === 0) return passed('only messages of the protocol');
    const lines = this.#strayLines === 1 ? '1 line' : `${this.#strayLines} lines`;
    if (this.#strayLines === 0)
      return failed('protocol', 'JSON that is not a message of the protocol', {
        details: odd,
        fix: onlyMessages,
      });
    return failed('protocol', `${lines} that ${this.#strayLines === 1 ? 'is' : 'are'} not JSON-RPC`, {
      details: this.#stray.map((line) => `| ${line}`),
      fix: onlyMessages,
    });
  }

  stderrFinding(): Finding {
    if (this.#stderrLines === 0) return passed('nothing');
    const lines = this.#stderrLines === 1 ? '1 line' : `${this.#stderrLines} lines`;
    return passed(`${lines}, which clients show as a log`, {
      details: this.#stderr.slice(-mostLines).map((line) => `| ${line}`),
    });
  }

  /** Explains an error of `connect`. */
  failedStart(error: unknown, { problems, env }: StartFacts): Finding<never> {
    const failure = failureOf(error);
    const [first = ''] = (failure?.message ?? String(error)).split('\n');
    // Errors of the client begin with the method that it has sent.
    const summary = first.replace(/^(?:server\/discover|initialize): /, '');
    const details = [
      ...this.#stderr.slice(-mostLines).map((line) => `stderr | ${line}`),
      ...problems.map((problem) => `dropped: ${problem}`),
    ];
    if (error instanceof RemoteError)
      return failed('protocol', `it answers with an error: ${summary}`, {
        details,
        fix: 'Look at the code that handles initialize, and at the lines on stderr.',
      });
    const isSilent = error instanceof SessionError && error.reason === 'timeout';
    return failed('unreachable', isSilent ? 'it runs, and does not answer' : summary, {
      details,
      fix: isSilent ? silentFix(this.#strayLines) : endedFix(summary, { stderr: this.#stderr, env }),
    });
  }
}

const onlyMessages =
  'stdout is for messages only. Print with console.error (Python: print(..., file=sys.stderr)), and look for banners of libraries and npm scripts (npm run --silent).';

function silentFix(strayLines: number): string {
  return strayLines > 0
    ? 'It prints text where messages belong, and may be another program than the MCP server: some need an argument such as "mcp" or "--stdio".'
    : 'It may wait for a network, or serve HTTP instead of stdio: start it by hand and look. A server that needs long to start: --timeout 60.';
}

/** The circumstances of a start that failed. */
interface StartFacts {
  /** The messages that the client dropped. */
  readonly problems: readonly string[];
  /** The variables of this process. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

function endedFix(
  summary: string,
  { stderr, env }: { stderr: readonly string[]; env: StartFacts['env'] },
): string {
  const text = stderr.join('\n');
  if (/Cannot find (?:module|package)|MODULE_NOT_FOUND|ModuleNotFoundError/.test(text))
    return 'A dependency or the built code is missing: install and build, and check the path.';
  if (/EADDRINUSE/.test(text))
    return 'The port is in use: the command starts an HTTP server. Use its option for stdio, or connect to its URL.';
  const variable = /\b[A-Z][A-Z0-9]*_[A-Z0-9_]+\b/.exec(text.replaceAll(/\bERR_\w+/g, ''))?.[0];
  if (variable !== undefined && env[variable] !== undefined)
    return `${variable} is set in your shell, but clients pass only a few variables on: --env ${variable}=value.`;
  if (variable !== undefined) return `It may need the variable ${variable}: --env ${variable}=value.`;
  if (/required|missing|usage:/i.test(text)) return 'An argument may be missing, as it says on stderr.';
  if (summary.includes('code 0'))
    return 'It ends without an error: it may print help, not wait for stdin, or only export its server. Some servers need an argument such as "mcp" or "--stdio". A file that exports a server of Tenon is started with: npx tenon dev --stdio FILE';
  return 'Run the command by hand: the lines on stderr say what is wrong.';
}
