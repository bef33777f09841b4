import { panelsOf, twoColumns } from './chart-panels.js';
import { times } from './wording.js';

/** @typedef {import('./chart-panels.js').Panel} Panel */

/** Lengths in units of the drawing. Bars start at the floor, ratio 1, and grow with the logarithm. */
const width = 960;
const margin = 20;
const gutter = 160;
const valueRoom = 44;
const barHeight = 12;
const barStep = 16;
const panelHead = 26;
const panelGap = 14;
const headHeight = 66;
const columnWidth = (width - 3 * margin) / 2;

/** The drawing has a background, so that it is readable on light and dark pages. */
const style = `
  .card { fill: #ffffff; stroke: #d1d9e0; }
  text { font: 11px system-ui, -apple-system, 'Segoe UI', Helvetica, Arial, sans-serif; fill: #1f2328; }
  .heading { font-size: 16px; font-weight: 600; }
  .title { font-size: 12px; font-weight: 600; }
  .dim { fill: #59636e; }
  .own { font-weight: 600; }
  .peer { fill: #b6bfc9; }
  .tenon { fill: #0969da; }
  .tenon-other { fill: #6cb0f5; }
  .floor { stroke: #1f2328; stroke-width: 1; }
  .grid { stroke: #d1d9e0; stroke-width: 1; }
  @media (prefers-color-scheme: dark) {
    .card { fill: #0d1117; stroke: #3d444d; }
    text { fill: #e6edf3; }
    .dim { fill: #9198a1; }
    .peer { fill: #59626d; }
    .tenon { fill: #4493f8; }
    .tenon-other { fill: #2f6bb5; }
    .floor { stroke: #e6edf3; }
    .grid { stroke: #2b3138; }
  }`;

/**
 * Returns the results as a bar chart in SVG.
 *
 * @param {readonly import('./results.js').Result[]} results
 * @param {string} caption Node, machine, date and command
 * @returns {string}
 */
export function chartOf(results, caption) {
  const panels = panelsOf(results);
  const scale = scaleOf(panels);
  const columns = twoColumns(panels, panelHeight);
  const bottom = Math.max(...columns.map((column) => headHeight + sum(column.map(panelHeight))));
  const height = Math.ceil(bottom + 40);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="title desc">
<title id="title">CPU per request, as a multiple of a server or client without any framework</title>
<desc id="desc">${escaped(description(panels, caption))}</desc>
<style>${style}
</style>
<rect class="card" x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="8"/>
<text class="heading" x="${margin}" y="30">CPU per request, as multiples of the floor</text>
<text class="dim" x="${margin}" y="48">The floor, 1, is the same work without any framework. Less is better; bars begin at the floor and grow with the logarithm.</text>
${columns.map((column, index) => columnMarkup(column, margin + index * (columnWidth + margin), scale)).join('\n')}
<text class="dim" x="${margin}" y="${height - 14}">${escaped(caption)}</text>
</svg>
`;
}

/**
 * @param {readonly Panel[]} panels
 * @param {number} left
 * @param {(ratio: number) => number} scale
 */
function columnMarkup(panels, left, scale) {
  let top = headHeight;
  const parts = [];
  for (const panel of panels) {
    parts.push(panelMarkup(panel, { left, top, scale }));
    top += panelHeight(panel);
  }
  const tick = (/** @type {number} */ ratio, /** @type {string} */ text) =>
    `<text class="dim" x="${round(left + scale(ratio))}" y="${top}" text-anchor="middle">${text}</text>`;
  return [...parts, tick(1, '1, the floor'), tick(10, '10')].join('\n');
}

/**
 * @param {Panel} panel
 * @param {{ left: number, top: number, scale: (ratio: number) => number }} place
 */
function panelMarkup({ title, bars }, { left, top, scale }) {
  const first = top + panelHead;
  const bottom = first + bars.length * barStep - (barStep - barHeight);
  const line = (/** @type {string} */ name, /** @type {number} */ ratio) => {
    const x = round(left + scale(ratio));
    return `<line class="${name}" x1="${x}" x2="${x}" y1="${first - 4}" y2="${bottom + 4}"/>`;
  };
  return [
    `<text class="title" x="${left}" y="${top + 14}">${escaped(title)}</text>`,
    line('grid', 10),
    ...bars.map((bar, index) => barMarkup(bar, { left, top: first + index * barStep, scale })),
    line('floor', 1),
  ].join('\n');
}

/**
 * @param {Panel['bars'][number]} bar
 * @param {{ left: number, top: number, scale: (ratio: number) => number }} place
 */
function barMarkup({ label, ratio, kind }, { left, top, scale }) {
  const [from, to] = [scale(1), scale(ratio)].sort((a, b) => a - b);
  const start = left + Number(from);
  const end = left + Number(to);
  const weight = kind === 'peer' ? 'dim' : 'own';
  const baseline = top + barHeight - 2;
  return [
    `<text class="${weight}" x="${left + gutter - 8}" y="${baseline}" text-anchor="end">${escaped(label)}</text>`,
    `<rect class="${kind}" x="${round(start)}" y="${top}" width="${round(Math.max(1, end - start))}" height="${barHeight}"/>`,
    `<text class="${weight}" x="${round(end + 5)}" y="${baseline}">${times(ratio)}</text>`,
  ].join('');
}

/**
 * Returns the scale of all panels, from a little below the least ratio to the greatest.
 *
 * @param {readonly Panel[]} panels
 * @returns {(ratio: number) => number} returns the distance from the left end of a panel
 */
function scaleOf(panels) {
  const ratios = panels.flatMap(({ bars }) => bars.map(({ ratio }) => ratio));
  const low = Math.log(Math.min(0.8, ...ratios));
  const high = Math.log(Math.max(12, ...ratios));
  const available = columnWidth - gutter - valueRoom;
  return (ratio) => gutter + ((Math.log(ratio) - low) / (high - low)) * available;
}

/** @param {Panel} panel */
function panelHeight({ bars }) {
  return panelHead + bars.length * barStep + panelGap;
}

/**
 * @param {readonly Panel[]} panels
 * @param {string} caption
 */
function description(panels, caption) {
  const figures = panels.map(
    ({ title, bars }) =>
      `${title}: ${bars.map(({ label, ratio }) => `${label} ${times(ratio)}`).join('; ')}.`,
  );
  return [...figures, caption].join(' ');
}

/** @param {readonly number[]} values */
function sum(values) {
  return values.reduce((total, value) => total + value, 0);
}

/** @param {number} value */
function round(value) {
  return Math.round(value * 10) / 10;
}

/** @param {string} text */
function escaped(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
