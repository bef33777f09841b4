import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { shows } from '../../../../tooling/suite/shows.js';
import { readParamHeaders } from './param-headers.js';
import { compileSchema } from './schema.js';

const owner = 'tool "query" input';

describe('readParamHeaders', () => {
  it('lists the headers of a zod schema', () => {
    shows(
      '2026-07-28/basic/transports/streamable-http/param-headers-designated',
      '2026-07-28/server/tools/header-marks',
    );
    const input = z.object({
      region: z.string().meta({ 'x-mcp-header': 'Region' }),
      limit: z.int().optional(),
    });
    const { json } = compileSchema(input, { owner, direction: 'input' });
    expect(readParamHeaders(json, owner)).toEqual([
      { header: 'mcp-param-region', path: ['region'], type: 'string' },
    ]);
  });

  it('throws with the tool and the fix', () => {
    const input = { type: 'object', properties: { size: { type: 'number', 'x-mcp-header': 'Size' } } };
    expect(() => readParamHeaders(input, owner)).toThrow(
      new TypeError(
        'tool "query" input: "x-mcp-header" at properties.size is on a parameter of a type that is not ' +
          'string, integer or boolean: remove it or change the type',
      ),
    );
  });
});
