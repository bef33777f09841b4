import type { Step } from './program.js';

/**
 * Matches the whole text; returns the marked positions, -1 if a mark was not passed.
 *
 * Backtracks, but never continues twice from the same choice at the same position: the second attempt would fail too.
 * So the time is at most steps times length, for every text.
 */
export function run(steps: readonly Step[], text: string): Int32Array | undefined {
  const marks = new Int32Array(steps.length).fill(-1);
  const width = text.length + 1;
  const tried = new Uint8Array(Math.ceil((steps.length * width) / 8));
  // Pairs: a step and a position to continue from, or a mark (as -1 - mark) and the position to restore.
  const pending = [0, 0];
  while (pending.length > 0) {
    let at = pending.pop() ?? 0;
    const step = pending.pop() ?? 0;
    if (step < 0) {
      marks[-1 - step] = at;
      continue;
    }
    for (let next: number | undefined = step; next !== undefined; ) {
      const now: Step | undefined = steps[next];
      if (now === undefined) {
        if (at === text.length) return marks;
        break;
      }
      if (now.op === 'text') {
        if (!text.startsWith(now.text, at)) break;
        at += now.text.length;
        next++;
      } else if (now.op === 'not') {
        if (at === text.length || now.stops.includes(text.charAt(at))) break;
        at++;
        next++;
      } else if (now.op === 'mark') {
        pending.push(-1 - now.mark, marks[now.mark] ?? -1);
        marks[now.mark] = at;
        next++;
      } else {
        const bit = next * width + at;
        const byte = tried[bit >> 3] ?? 0;
        if ((byte & (1 << (bit & 7))) !== 0) break;
        tried[bit >> 3] = byte | (1 << (bit & 7));
        if (now.second !== now.first) pending.push(now.second, at);
        next = now.first;
      }
    }
  }
  return undefined;
}
