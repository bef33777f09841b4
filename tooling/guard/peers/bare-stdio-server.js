// A stdio server without a framework, for the client runs.
import { bareAnswer } from './bare-answer.js';

let rest = '';
process.stdin.setEncoding('utf8');
process.stdin.on('data', (chunk) => {
  const lines = (rest + chunk).split('\n');
  rest = lines.pop() ?? '';
  for (const line of lines) {
    const answer = bareAnswer(JSON.parse(line));
    if (answer !== undefined) process.stdout.write(`${JSON.stringify(answer)}\n`);
  }
});
