/**
 * Returns the verdicts as lines of text; those that make a run fail come first.
 *
 * @param {import('./verdicts.js').Verdicts} verdicts
 * @param {{ good: (text: string) => string, bad: (text: string) => string }} paint
 * @returns {string[]}
 */
export function verdictLines({ voids, missed, known, behind, tenfold, remarks }, { good, bad }) {
  const list = (/** @type {string} */ claim, /** @type {readonly string[]} */ against) =>
    against.length === 0
      ? [good(`ok: ${claim}`)]
      : [bad(`NOT: ${claim}`), ...against.map((text) => `  ${text}`)];
  return [
    ...list('every answer was right, and no contender failed', voids),
    ...list(known.length === 0 ? 'every target is met' : 'every target is met but those on record', missed),
    ...known.map((text) => `  on record: ${text}`),
    ...list('no peer takes less CPU than Tenon', behind),
    ...(tenfold === undefined
      ? []
      : [
          tenfold.holds ? good(`ok: ${tenfold.claim}`) : bad(`NOT: ${tenfold.claim}`),
          ...tenfold.figures.map((text) => `  ${text}`),
        ]),
    ...remarks.map((text) => `remark: ${text}`),
  ];
}
