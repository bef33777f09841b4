#!/usr/bin/env node
import process from 'node:process';
import { runCommand } from './run-create.js';
import { packageRanges, runProgram } from './run-program.js';

const interruption = new AbortController();
// The second Ctrl+C ends the program at once.
process.once('SIGINT', () => interruption.abort());
process.once('SIGTERM', () => interruption.abort());
process.exitCode = await runProgram(
  process.argv.slice(2),
  {
    input: process.stdin,
    output: process.stdout,
    error: process.stderr,
    env: process.env,
    cwd: process.cwd(),
    signal: interruption.signal,
  },
  { run: runCommand, ranges: packageRanges },
);
