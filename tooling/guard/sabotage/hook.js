// Module hooks that edit the built packages as they are loaded.

/** @typedef {import('./slow-paths.js').SlowPath} SlowPath */

/** @type {SlowPath} */
let slowPath = { instead: '$&', added: '' };

/** @param {SlowPath} given */
export function initialize(given) {
  slowPath = given;
}

/**
 * @param {string} url
 * @param {unknown} context
 * @param {(url: string, context: unknown) => Promise<{ source?: string | Uint8Array }>} next
 */
export async function load(url, context, next) {
  const loaded = await next(url, context);
  if (loaded.source === undefined || !/\/packages\/[^/]+\/dist\/.+\.js$/.test(url)) return loaded;
  const source = new TextDecoder().decode(/** @type {Uint8Array} */ (loaded.source));
  const edited = source.replaceAll(/\bJSON\.parse\(([\w.]+)\)/g, slowPath.instead);
  if (edited === source) return loaded;
  // Added at the end, so that line numbers stay the same.
  return { ...loaded, source: `${edited}\n${slowPath.added}\n` };
}
