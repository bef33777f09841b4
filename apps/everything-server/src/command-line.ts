import { parseArgs } from 'node:util';
import type { ServerLimits } from '@tenon/mcp-server';

/** The text of `--help`. */
export const help = `everything-server: one of everything the Model Context Protocol has, to test clients against.

Usage: node apps/everything-server/dist/main.js --stdio [--page-size <n>] [--core]
       node apps/everything-server/dist/main.js --http <port> [--sse] [--redis <url>] [--page-size <n>] [--core]

  --stdio            speak over standard input and output
  --http <port>      listen on 127.0.0.1; 0 takes any free port. Writes {"url": "..."} as one line once it listens
  --sse              offer the HTTP+SSE transport of 2024-11-05 beside it; its address is "sse" in that line
  --redis <url>      share sessions, streams and subscriptions with other processes that use the same Redis
  --page-size <n>    entries on one page of a list; 100 by default
  --core             without extensions: tasks, skills and apps
  --help             show this text

SIGTERM and SIGINT end it in good order.
`;

/** The settings for HTTP. */
export interface Listening {
  readonly port: number;
  /** True to offer HTTP+SSE too. */
  readonly sse: boolean;
  /** The URL of a Redis that processes share. */
  readonly redis?: string;
}

/** The arguments; over stdin and stdout unless `http` is set. */
export interface Arguments {
  readonly coreOnly: boolean;
  readonly limits: Partial<ServerLimits>;
  readonly http?: Listening;
}

const options = {
  stdio: { type: 'boolean' },
  http: { type: 'string' },
  sse: { type: 'boolean', default: false },
  redis: { type: 'string' },
  'page-size': { type: 'string' },
  core: { type: 'boolean', default: false },
  help: { type: 'boolean' },
} as const;

/** Returns the arguments, or a sentence about the wrong one. */
export function readArguments(args: readonly string[]): Arguments | { readonly help: true } | string {
  let values: ReturnType<typeof parse>;
  try {
    values = parse(args);
  } catch (error) {
    return (error as Error).message.split('. ', 1)[0] ?? 'The arguments cannot be read';
  }
  const { http, sse, redis, stdio = false, 'page-size': pageSize, core: coreOnly } = values;
  if (values.help === true) return { help: true };
  if (stdio === (http !== undefined)) return 'Say how to be reached: --stdio or --http <port>';
  if (sse && stdio) return '--sse goes with --http <port>';
  if (redis !== undefined && stdio) return '--redis goes with --http <port>';
  if (pageSize !== undefined && !/^[1-9]\d*$/.test(pageSize)) {
    return `--page-size must be a positive whole number, not '${pageSize}'`;
  }
  const limits = pageSize === undefined ? {} : { pageSize: Number(pageSize) };
  if (http === undefined) return { limits, coreOnly };
  if (!/^\d+$/.test(http) || Number(http) > 65_535) {
    return `--http must be a port from 0 to 65535, not '${http}'`;
  }
  return { limits, coreOnly, http: { port: Number(http), sse, ...(redis !== undefined && { redis }) } };
}

function parse(args: readonly string[]) {
  return parseArgs({ args: [...args], options }).values;
}
