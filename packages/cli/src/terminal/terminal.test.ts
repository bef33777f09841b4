import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { Terminal } from './terminal.js';

function terminal(env: Record<string, string> = {}) {
  const [input, output, error] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const made = new Terminal({ input, output, error, env, cwd: '/' });
  return { made, printed: () => String(output.read() ?? ''), noted: () => String(error.read() ?? '') };
}

it.each([
  ['a\n::error file=x::forged', 'a\n: :error file=x::forged\n'],
  ['a\n\t  ::stop-commands::x', 'a\n\t  : :stop-commands::x\n'],
  ['##[error]forged', '# #[error]forged\n'],
  ['##vso[task.setvariable variable=x]y', '# #vso[task.setvariable variable=x]y\n'],
  ['a::b\n## Title\n#[x]\n:x', 'a::b\n## Title\n#[x]\n:x\n'],
])('prints %j without a command of a workflow', (text, shown) => {
  const { made, printed, noted } = terminal();
  made.print(text);
  made.note(text);
  expect([printed(), noted()]).toEqual([shown, shown]);
});

it('prints commands of a workflow that are meant as such', () => {
  const { made, printed } = terminal();
  made.printWorkflowCommand('::error file=x::found');
  expect(printed()).toBe('::error file=x::found\n');
});
