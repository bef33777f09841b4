import { expect, it } from 'vitest';
import { readArguments } from './command-line.js';

it.each([
  { args: [], message: 'Say how to be reached: --stdio or --http <port>' },
  { args: ['--stdio', '--http', '0'], message: 'Say how to be reached: --stdio or --http <port>' },
  { args: ['--stdio', '--sse'], message: '--sse goes with --http <port>' },
  { args: ['--stdio', '--redis', 'redis://127.0.0.1'], message: '--redis goes with --http <port>' },
  { args: ['--http', 'all'], message: "--http must be a port from 0 to 65535, not 'all'" },
  { args: ['--http', '65536'], message: "--http must be a port from 0 to 65535, not '65536'" },
  { args: ['--stdio', '--loud'], message: "Unknown option '--loud'" },
  { args: ['--stdio', 'now'], message: "Unexpected argument 'now'" },
  { args: ['--stdio', '--page-size', '0'], message: '--page-size must be a positive whole number' },
])('refuses $args', ({ args, message }) => {
  expect(readArguments(args)).toEqual(expect.stringContaining(message));
});
