import type { FailureReason } from '@tenon/mcp-workbench';

/** The exit codes of the program. Codes up to 5 are those of the official inspector's command line. */
export const exitCodes: Readonly<Record<FailureReason, number>> = {
  usage: 1,
  protocol: 1,
  'broken-log': 1,
  'no-app': 2,
  authorization: 3,
  unreachable: 4,
  tool: 5,
  findings: 6,
};

/** The `code` of errors in JSON. Those that the official inspector's command line has are the same there. */
export const errorCodes: Readonly<Record<FailureReason, string>> = {
  usage: 'usage',
  protocol: 'protocol_error',
  'broken-log': 'broken_log',
  'no-app': 'no_app',
  authorization: 'auth_required',
  unreachable: 'unreachable',
  tool: 'tool_is_error',
  findings: 'findings',
};

/** The exit code after Ctrl+C. */
export const interrupted = 130;

/** The user has ended a program that reads Ctrl+C itself. */
export class Interrupted extends Error {
  constructor() {
    super('The user pressed Ctrl+C.');
  }
}

/** The table for `--help`. */
export const exitCodeHelp = `Exit codes: 0 done, 1 wrong use, protocol error or broken audit log, 2 no app, 3 sign-in needed
or denied, 4 server not reachable, 5 the tool answered with an error, 6 a check found problems.`;
