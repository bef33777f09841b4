import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from './commands.js';

const here = fileURLToPath(new URL('.', import.meta.url));

/**
 * publint, are-the-types-wrong, and what must not travel.
 *
 * @param {string} name
 * @param {string} tarball
 * @returns {string[]} problems
 */
export function lintTarball(name, tarball) {
  const problems = [];
  const modules = join(here, 'node_modules');
  const lint = run(process.execPath, [join(modules, 'publint/src/cli.js'), tarball, '--strict'], {
    cwd: here,
  });
  if (!lint.ok) problems.push(`${name}: publint\n${lint.output}`);
  const options = ['--profile', 'esm-only', '--no-definitely-typed', '--no-emoji', '--no-color'];
  const attw = join(modules, '@arethetypeswrong/cli/dist/index.js');
  const types = run(process.execPath, [attw, tarball, ...options], { cwd: here });
  if (!types.ok) problems.push(`${name}: are-the-types-wrong\n${types.output}`);
  const { output } = run('tar', ['-tzf', tarball], { cwd: here });
  const stray = output.split('\n').filter((file) => /\.test(-d)?\.|\.tsbuildinfo$/.test(file));
  if (stray.length > 0) problems.push(`${name}: the tarball carries ${stray.join(', ')}`);
  console.log(`${name}: ${output.trim().split('\n').length} files`);
  return problems;
}
