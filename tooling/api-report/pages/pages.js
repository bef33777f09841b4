import { join } from 'node:path';
import { follow } from '../declarations.js';
import { locate, publicNames } from '../report.js';
import { markdownOf } from './doc-comment.js';
import { optionsPage } from './options.js';

/** @typedef {{ name: string, page: string, file: string }} Entry */
/**
 * @typedef {{ name: string, description: string, folder: string, entries: Entry[],
 *   manifest: { exports: Record<string, { types?: string }> } }} Pack
 */
/** @typedef {import('../report.js').Found} Found */
/** @typedef {{ page: string, name: string }} Place where a declaration is described */

const kinds = [
  { heading: 'Functions', of: /^function / },
  { heading: 'Classes', of: /^(abstract )?class / },
  { heading: 'Constants', of: /^const / },
  { heading: 'Types', of: /^(interface|type) / },
];

/** @param {readonly Pack[]} packs */
export function indexPage(packs) {
  const rows = packs.map(({ name, description, entries }) => {
    const links = entries.map(
      (entry) => `[\`${entry.name.slice(name.length + 1) || 'main entry'}\`](${entry.page})`,
    );
    return `| \`${name}\` | ${description} | ${links.join(', ')} |`;
  });
  return `# API reference

Every name that the packages export, with its declaration. These pages are generated from the declarations that are published.

| package | | entries |
|---|---|---|
${rows.join('\n')}
`;
}

/**
 * @param {readonly Pack[]} packs
 * @returns {Map<string, string>} Markdown by page
 */
export function namePages(packs) {
  const { named, places, toFile } = namesIn(packs);
  return new Map(
    named.map(({ name, page, pack, names }) => {
      const place = (/** @type {Found | undefined} */ found) =>
        linkTo(found && places.get(keyOf(found)), page);
      const context = { place, toFile };
      const own = names.filter(({ found, name }) => {
        const at = places.get(keyOf(found));
        return at?.page === page && at.name === name;
      });
      const others = names
        .filter((entry) => !own.includes(entry))
        .map(({ found, name }) => `[\`${name}\`](${place(found)})`);
      const sections = kinds.map(({ heading, of }) =>
        section(
          heading,
          own.filter(({ found }) => of.test(textOf(found))),
          context,
        ),
      );
      const also = others.length === 0 ? '' : `## Exported here as well\n\n${others.join(' · ')}\n`;
      const about = name === pack.name ? `${pack.description}.` : `An entry of \`${pack.name}\`.`;
      return [page, [`# ${name}\n`, `${about}\n`, ...sections, also].filter(Boolean).join('\n')];
    }),
  );
}

/** @param {readonly Pack[]} packs */
export function optionPage(packs) {
  const { named, places, toFile } = namesIn(packs);
  return optionsPage((entry, interfaceName) => {
    const found = named
      .find(({ name }) => name === entry)
      ?.names.find(({ name }) => name === interfaceName)?.found;
    if (found === undefined) throw new Error(`${entry} exports no ${interfaceName}`);
    const locally = (/** @type {string} */ name) => locate(found.file, { from: undefined, name }, toFile);
    return {
      source: found.declarations[0]?.source ?? '',
      link: (name) => {
        const target = locally(name);
        return linkTo(target && places.get(keyOf(target)), 'options.md');
      },
      docOf: (name) => locally(name)?.declarations[0]?.doc ?? '',
    };
  });
}

/**
 * The exports of all entries, and the page that describes each declaration.
 *
 * @param {readonly Pack[]} packs
 */
function namesIn(packs) {
  const toFile = followInto(packs);
  const entries = packs.flatMap((pack) => pack.entries.map((entry) => ({ ...entry, pack })));
  const named = entries.map((entry) => ({ ...entry, names: namesOf(entry.file, toFile) }));
  return { named, places: placesOf(named), toFile };
}

/**
 * @param {string} file
 * @param {typeof follow} toFile
 * @returns {{ name: string, found: Found }[]}
 */
function namesOf(file, toFile) {
  return publicNames(file, toFile).flatMap(({ name, found }) =>
    found === undefined ? [] : [{ name, found }],
  );
}

/**
 * A declaration is described once: by an entry of the package that declares it, otherwise by the first that exports it.
 *
 * @param {readonly { page: string, pack: Pack, names: readonly { name: string, found: Found }[] }[]} entries
 */
function placesOf(entries) {
  /** @type {Map<string, Place>} */
  const places = new Map();
  for (const declaring of [true, false]) {
    for (const { page, pack, names } of entries) {
      for (const { name, found } of names) {
        const key = keyOf(found);
        if (found.file.startsWith(`${pack.folder}/`) === declaring && !places.has(key))
          places.set(key, { page, name });
      }
    }
  }
  return places;
}

/**
 * @param {string} heading
 * @param {readonly { name: string, found: Found }[]} names
 * @param {{ place: (found: Found | undefined) => string | undefined, toFile: typeof follow }} context
 */
function section(heading, names, { place, toFile }) {
  if (names.length === 0) return '';
  const parts = names.map(({ name, found }) => {
    const link = (/** @type {string} */ reference) =>
      place(locate(found.file, { from: undefined, name: reference }, toFile));
    const doc = found.declarations.map((declaration) => markdownOf(declaration.doc, link)).filter(Boolean);
    const code = found.declarations.map(({ source }) => source.replace(/^ *#private;\n/gm, '')).join('\n');
    const references = new Set(found.declarations.flatMap((declaration) => [...declaration.references]));
    const links = [...references].sort().flatMap((reference) => {
      const target = reference === name ? undefined : link(reference);
      return target === undefined ? [] : [`[\`${reference}\`](${target})`];
    });
    const see = links.length === 0 ? '' : `Types: ${links.join(' · ')}\n`;
    return [`### ${name} {#${name}}\n`, ...doc.map((text) => `${text}\n`), `\`\`\`ts\n${code}\n\`\`\`\n`, see]
      .filter(Boolean)
      .join('\n');
  });
  return [`## ${heading}\n`, ...parts].join('\n');
}

/** @param {readonly Pack[]} packs */
function followInto(packs) {
  const files = new Map(
    packs.flatMap(({ name, folder, manifest }) =>
      Object.entries(manifest.exports).flatMap(([subpath, { types }]) =>
        types === undefined
          ? []
          : [/** @type {const} */ ([`${name}${subpath.slice(1)}`, join(folder, types)])],
      ),
    ),
  );
  return (/** @type {string} */ file, /** @type {string} */ specifier) =>
    follow(file, specifier) ?? files.get(specifier);
}

/**
 * @param {Place | undefined} place
 * @param {string} page from which it is linked
 */
function linkTo(place, page) {
  if (place === undefined) return undefined;
  return `${place.page === page ? '' : place.page}#${place.name}`;
}

/** @param {Found} found */
function keyOf({ file, name }) {
  return `${file} ${name}`;
}

/** @param {Found} found */
function textOf({ declarations }) {
  return declarations[0]?.text ?? '';
}
