import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { optionsRows, sectionsOf } from './limits/page.js';
import { others, type Place, places } from './limits/places.js';
import { defaultIn, type Found, numericOptions } from './limits/sources.js';

const page = readFileSync(new URL('../../../docs/reference/limits.md', import.meta.url), 'utf8');
const sources = numericOptions();

interface Option {
  readonly section: string;
  readonly name: string;
  readonly defaults: readonly (number | undefined)[];
}

function optionsOf({ place, members }: Found, where: Place): Option[] {
  const [file = ''] = place.split(' ');
  const { section, before = '', defaults = file.replace('/', '/src/'), called = {}, apart = [] } = where;
  return members
    .filter((member) => !apart.includes(member))
    .map((member) => ({
      section,
      name: before + member,
      defaults: [
        typeof defaults === 'string'
          ? defaultIn(defaults, called[member] ?? member)
          : (defaults as Record<string, number>)[member],
      ],
    }));
}

const options: readonly Option[] = [
  ...sources.flatMap((found) => {
    const where = places[found.place];
    return typeof where === 'object' ? optionsOf(found, where) : [];
  }),
  ...Object.entries(others).flatMap(([section, named]) =>
    Object.entries(named).map(([name, defaults]) => ({ section, name, defaults })),
  ),
];

describe('docs/reference/limits.md', () => {
  test('has a place for the options of each interface', () => {
    expect(sources.map(({ place }) => place).filter((place) => !Object.hasOwn(places, place))).toEqual([]);
    expect(
      Object.keys(places).filter((place) => !sources.some((found) => found.place === place)),
      'places of interfaces that are gone',
    ).toEqual([]);
  });

  test.each(options)('$section has $name with its default', ({ section, name, defaults }) => {
    expect(defaults, `no default of ${name} was found in the sources`).not.toContain(undefined);
    const row = optionsRows(page, section).find(({ names }) => names.includes(name));
    expect(row, `no row of "${section}" has ${name}: add it, with the default ${defaults}`).toBeDefined();
    const first = row?.names.indexOf(name) ?? 0;
    const documented = row?.defaults.slice(first * defaults.length, (first + 1) * defaults.length);
    expect(documented, `${row?.line}\nshould have ${defaults} for ${name}`).toEqual(defaults);
  });

  test.each(sectionsOf(page))('%s names only options that exist', (section) => {
    const known = options.filter((option) => option.section === section).map(({ name }) => name);
    const documented = optionsRows(page, section).flatMap(({ names }) => names);
    expect(documented.filter((name) => !known.includes(name))).toEqual([]);
    expect(documented, 'each stands once').toEqual([...new Set(documented)]);
  });
});
