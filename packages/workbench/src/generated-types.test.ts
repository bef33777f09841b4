import type { Tool } from '@tenon/mcp-client';
import { describe, expect, it } from 'vitest';
import type { Catalog } from './catalog/catalog.js';
import { isSameModule, isTypesModule, typesModule } from './generated-types.js';

const tool = (name: string, more: object = {}): Tool => ({ name, inputSchema: { type: 'object' }, ...more });

function catalogOf(content: Partial<Catalog>): Catalog {
  return {
    ...{ revision: '2026-07-28', server: { name: 'shop', version: '1.0.0' }, capabilities: {} },
    ...{ instructions: undefined, tools: [], resources: [], resourceTemplates: [], prompts: [] },
    ...content,
  };
}

const made = (content: Partial<Catalog>, options: object = {}) =>
  typesModule(catalogOf(content), { command: 'tenon types shop', ...options });

const object = (properties: object, required: readonly string[] = []) => ({
  type: 'object' as const,
  properties,
  required,
});

describe('typesModule', () => {
  it('returns the arguments, the structured content and the prompts as types', () => {
    const greet = tool('greet', {
      description: 'Greets.',
      inputSchema: object({ name: { type: 'string', description: 'The name.' } }, ['name']),
      outputSchema: object({ text: { type: 'string' } }, ['text']),
    });
    const prompts = [{ name: 'ask', arguments: [{ name: 'topic', required: true }, { name: 'tone' }] }];
    expect(made({ tools: [greet], prompts })).toMatchInlineSnapshot(`
      "// Types of an MCP server, made by tenon. Changes are lost: make the file again instead.
      // Server: shop 1.0.0, in revision 2026-07-28.
      // Command: tenon types shop

      /** The arguments of greet. */
      export type GreetInput = {
        /** The name. */
        name: string;
      };

      /** The structured content of greet. */
      export type GreetOutput = {
        text: string;
      };

      /** The tools: the arguments as callers write them, and the structured content. */
      export interface Tools {
        /** Greets. */
        greet: { readonly input: GreetInput; readonly output: GreetOutput };
      }

      /** The prompts and their arguments. */
      export interface Prompts {
        ask: { readonly args: {
          readonly topic: string;
          readonly tone?: string;
        } };
      }

      /** The type of the server "shop": connect<Server>(...). */
      export interface Server {
        /** Never present at run time. */
        readonly '~contract'?: { readonly tools: Tools; readonly prompts: Prompts };
      }
      "
    `);
  });

  it('returns the same text for the same lists in another order', () => {
    const tools = [
      tool('b', { inputSchema: object({ a: {} }) }),
      tool('a', { inputSchema: object({ b: {} }) }),
    ];
    expect(made({ tools })).toBe(made({ tools: [...tools].reverse() }));
  });

  it('makes names that are unique', () => {
    const inputSchema = object({ a: { type: 'string' } });
    const text = made({
      tools: ['get_user', 'get-user', 'GetUser', '1st', '…'].map((name) => tool(name, { inputSchema })),
    });
    const names = [...text.matchAll(/export type (\w+Input)/g)].map(([, name]) => name);
    expect(names).toEqual(['Tool1stInput', 'GetUserInput', 'GetUser2Input', 'GetUser3Input', 'ToolInput']);
  });

  it('keeps the first of tools with the same name', () => {
    expect(made({ tools: [tool('a'), tool('a')] }).match(/ a: \{/g)).toHaveLength(1);
  });

  it('writes texts of the server so that they cannot end a comment or a string', () => {
    const server = { name: 'shop\nexport const evil = 1;\u2028alert()', version: '1 */' };
    const tools = [tool('a"; evil()', { description: 'Ends */ here\u001b[2J' })];
    const text = made({ server, tools });
    expect(text.split('\n').filter((line) => line.startsWith('export const'))).toEqual([]);
    expect(text).toContain('"a\\"; evil()": {');
    expect(text).toContain('/** Ends *\\/ here */');
    for (const control of ['\u2028', '\u001b']) expect(text).not.toContain(control);
  });

  it('writes control characters of a schema as escapes in strings, and not at all in comments', () => {
    const [csi, override] = ['\u009b2J', '\u202e'];
    const unit = {
      enum: [csi, override],
      description: `Ends *${csi}/ here${override}`,
      default: csi,
    };
    const text = made({ tools: [tool('a', { inputSchema: object({ [csi]: unit }) })] });
    expect(text).toContain('"\\u009b2J"?: "\\u009b2J" | "\\u202e" /* default "\\u009b2J" */;');
    expect(text).toContain('/** Ends *2J/ here */');
    expect(text).not.toMatch(/[\u0080-\u009f\u202e]/);
  });

  it('ends no comment when a control character stands between its last two characters', () => {
    const text = made({ tools: [tool('a', { description: 'Ends *\u0007/ here' })] });
    expect(text).toContain('/** Ends *\\/ here */');
  });

  it.each(['server', 'Tools', 'a b', ''])('rejects %j as the name of the type', (name) => {
    expect(() => made({}, { name })).toThrow(/cannot be the name of the type/);
  });
});

describe('isSameModule', () => {
  it('ignores the header', () => {
    const other = made({ server: { name: 'shop', version: '2.0.0' } }, { command: 'tenon types http://x' });
    expect(isSameModule(made({}), other)).toBe(true);
    expect(isSameModule(made({}), made({ tools: [tool('a')] }))).toBe(false);
    expect(isTypesModule(other)).toBe(true);
  });

  it('ignores the work of a formatter', () => {
    const tools = [tool('a', { inputSchema: object({ unit: { enum: ['C', 'F'] } }) })];
    const formatted = made({ tools }).replace(`unit?: "C" | "F";`, `unit?:\n    | 'C'\n    | 'F'`);
    expect(formatted).not.toBe(made({ tools }));
    expect(isSameModule(formatted, made({ tools }))).toBe(true);
    const other = [tool('a', { inputSchema: object({ unit: { enum: ['CF'] } }) })];
    expect(isSameModule(formatted, made({ tools: other }))).toBe(false);
  });
});
