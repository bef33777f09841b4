import { answersOf, progressOf } from './answers.js';

/**
 * A loop over lines of stdin, with one write for all answers to one chunk, progress included.
 *
 * @param {import('../base/offered-tools.js').Served} served
 */
export function serveStdio(served) {
  const answers = answersOf(served);
  const { stdin, stdout } = process;
  let rest = '';
  stdin.setEncoding('utf8');
  stdin.on('data', (chunk) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    let out = '';
    for (const line of lines) {
      const message = JSON.parse(line);
      if (message.id === undefined) continue;
      for (const step of progressOf(message) ?? []) out += `${JSON.stringify(step)}\n`;
      out += `${JSON.stringify(answers(message))}\n`;
    }
    if (out !== '') stdout.write(out);
  });
}
