#!/usr/bin/env node
import process from 'node:process';
import { runCli } from './run-cli.js';

const interruption = new AbortController();
// The second Ctrl+C ends the program at once.
process.once('SIGINT', () => interruption.abort());
process.once('SIGTERM', () => interruption.abort());
// A reader that closes the pipe, such as `head`, is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});
process.exitCode = await runCli(process.argv.slice(2), {
  input: process.stdin,
  output: process.stdout,
  error: process.stderr,
  env: process.env,
  cwd: process.cwd(),
  signal: interruption.signal,
});
