import { describe, expect, it } from 'vitest';
import { goodTool, tool } from '../../test/lint-subject.js';
import { type RawAnswer, startRawServer } from '../../test/raw-server.js';
import { openServer } from '../connections/open-server.js';
import { lint } from '../lint.js';
import { Deviations, readSubject } from './read-subject.js';

async function rulesOf(answer: RawAnswer, capabilities: object = { tools: {} }): Promise<readonly string[]> {
  await using server = await startRawServer(capabilities, answer);
  const subject = await read(server.url);
  const { findings } = lint(subject);
  return findings.filter(({ place }) => place.kind === 'list').map(({ rule }) => rule);
}

async function read(url: string) {
  const target = { kind: 'url', url, transport: 'http' } as const;
  const deviations = new Deviations();
  const client = await openServer(target, {
    info: { name: 'test', version: '1.0.0' },
    cache: false,
    onError: deviations.onError,
  });
  try {
    return await readSubject(client, { deviations });
  } finally {
    await client.close();
  }
}

describe('readSubject', () => {
  it('ends at a cursor that comes twice', async () => {
    let pages = 0;
    expect(await rulesOf(() => ({ tools: [tool({ name: `t${pages++}` })], nextCursor: 'again' }))).toContain(
      'list-pages',
    );
    expect(pages).toBeLessThan(10);
  });

  it('finds an empty page before the last', async () => {
    expect(
      await rulesOf((_, { cursor }) =>
        cursor === undefined ? { tools: [], nextCursor: 'next' } : { tools: [goodTool] },
      ),
    ).toEqual(['list-pages']);
  });

  it('finds lists that change between two readings, and lists with another order', async () => {
    let count = 0;
    expect(
      await rulesOf(() => ({ tools: [tool({ description: `It was read ${++count} times.` })] })),
    ).toEqual(['list-changes']);
    const tools = [tool({ name: 'a' }), tool({ name: 'b' })];
    expect(await rulesOf(() => ({ tools: tools.reverse() }))).toEqual(['list-order']);
  });

  it('finds lists that fail, but not templates that are not implemented', async () => {
    const answer: RawAnswer = (method) => {
      if (method === 'resources/templates/list')
        throw Object.assign(new Error('Method not found'), { code: -32601 });
      throw new Error('Out of order');
    };
    expect(await rulesOf(answer, { tools: {}, resources: {} })).toEqual(['list-failed', 'list-failed']);
  });

  it('finds entries that break the protocol', async () => {
    expect(await rulesOf(() => ({ tools: [goodTool, { description: 'No name' }] }))).toEqual([
      'protocol-deviation',
    ]);
    expect(await rulesOf(() => ({ tools: 5 }))).toEqual(['list-failed']);
  });

  it('rejects when the server vanishes', async () => {
    await using server = await startRawServer({ tools: {} }, () => undefined);
    await expect(read(server.url)).rejects.toThrow();
  });

  it('reads 10,000 tools on 100 pages', async () => {
    await using server = await startRawServer({ tools: {} }, (_, { cursor = '0' }) => {
      const page = Number(cursor);
      const tools = Array.from({ length: 100 }, (_, index) => tool({ name: `tool-${page}-${index}` }));
      return page === 99 ? { tools } : { tools, nextCursor: String(page + 1) };
    });
    const subject = await read(server.url);
    expect(subject.catalog.tools).toHaveLength(10_000);
    expect(subject.lists?.['tools/list']?.first.pages).toBe(100);
  });

  it('reads a schema of 5 MB', async () => {
    const properties = Object.fromEntries(
      Array.from({ length: 50_000 }, (_, index) => [`p${index}`, { description: 'a'.repeat(80) }]),
    );
    await using server = await startRawServer({ tools: {} }, () => ({
      tools: [tool({ inputSchema: { type: 'object', properties } })],
    }));
    const { findings } = lint(await read(server.url));
    expect(findings.map(({ rule }) => rule)).toContain('schema-size');
  });
});
