import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const program = fileURLToPath(new URL('../../fixtures/programs/calls-throwing.mjs', import.meta.url));

function run(options: object = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, JSON.stringify(options)], {
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

const hidden =
  'The tool "search" failed. (Authors: throw ToolError to tell the model why, or set exposeErrors.)';

describe('a program with a stdio server and a tool that throws', () => {
  it('prints the stack of the error and the name of the tool on stderr', () => {
    const { status, stdout, stderr } = run();
    expect({ status, stdout }).toEqual({ status: 0, stdout: hidden });
    expect(stderr).toMatch(
      /^\[tenon\] tool search: TypeError: The index is offline\.\n\s+at .*throwing\.mjs:7:/,
    );
  });

  it('prints the messages as well with debug: true', () => {
    const { status, stdout, stderr } = run({ debug: true });
    expect({ status, stdout }).toEqual({ status: 0, stdout: hidden });
    const lines = stderr.split('\n').filter((line) => /^\[tenon\] (-->|<--) tools\/call/.test(line));
    expect(lines).toEqual([
      expect.stringMatching(/^\[tenon\] --> tools\/call #\d+ .*"arguments":\{"token":"\[redacted\]"\}/),
      expect.stringMatching(/^\[tenon\] <-- tools\/call #\d+ in \d+ ms .*"isError":true/),
    ]);
    expect(stderr).toContain('throwing.mjs:7:');
  });
});
