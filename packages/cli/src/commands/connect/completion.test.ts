import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { runTenon } from '../../../test/run-tenon.js';

const run = promisify(execFile);

/** Returns what bash completes for the words; the last one is the beginning. */
async function completed(...words: string[]): Promise<string[]> {
  const { stdout: script } = await runTenon(['completion', 'bash']);
  const servers = `tenon() { echo '{"servers":[{"name":"files","client":"x"},{"name":"mail"},{"name":"my mail"},{"name":"$(echo run)"}]}'; }`;
  const line = `COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}`;
  const program = `${servers}\n${script}\n${line}\ncompopt() { :; }\n_tenon\nprintf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout } = await run('bash', ['-c', program]);
  return stdout.split('\n').filter((one) => one !== '');
}

describe('tenon completion', () => {
  it.each([
    [['tenon', 'lis'], ['list']],
    [['tenon', 'call', '--sa'], ['--save-images']],
    [
      ['tenon', 'list', '--transport', ''],
      ['auto', 'http', 'sse'],
    ],
    [['tenon', 'call', 'fi'], ['files']],
    [['tenon', 'call', 'ma'], ['mail']],
    [['tenon', 'call', 'my'], ['my\\ mail']],
    [['tenon', 'chat', 'fi'], ['files']],
    [['tenon', 'call', '$'], ['\\$\\(echo\\ run\\)']],
    [['tenon', 'list', '--', '--a'], []],
  ])('completes %j in bash', async (words, expected) => {
    expect(await completed(...words)).toEqual(expected);
  });

  it('prints scripts for zsh and fish with all commands', async () => {
    const zsh = (await runTenon(['completion', 'zsh'])).stdout;
    expect(zsh).toMatch(/^#compdef tenon\n/);
    expect(zsh).toContain("'*--transport[the transport of a URL]:value:(auto http sse)'");
    const fish = (await runTenon(['completion', 'fish'])).stdout;
    expect(fish).toContain("complete -c tenon -f -n __fish_use_subcommand -a call -d 'call a tool'");
  });

  it('rejects another shell', async () => {
    expect((await runTenon(['completion', 'tcsh'])).code).toBe(1);
  });
});
