import type { ClientOf } from '@tenon/mcp-client';
import { createServer } from '@tenon/mcp-server';
import { expectTypeOf } from 'vitest';
import { z } from 'zod';
import { toolsFor } from './client/visible-tools.js';
import { openView } from './view.js';

const degrees = z.object({ degrees: z.array(z.number()) });
const server = createServer({ name: 'types', version: '1.0.0' })
  .tool('forecast', { input: z.object({ city: z.string() }), output: degrees }, () => ({ degrees: [1] }))
  .tool('refresh', { output: degrees }, () => ({ degrees: [1] }));

const view = await openView<typeof server, 'forecast'>({
  info: { name: 'types', version: '1.0.0' },
  onInput: ({ city }) => expectTypeOf(city).toEqualTypeOf<string>(),
  onPartialInput: ({ city }) => expectTypeOf(city).toEqualTypeOf<string | undefined>(),
  onResult: ({ structuredContent }) =>
    expectTypeOf(structuredContent).toEqualTypeOf<{ degrees: number[] } | undefined>(),
});
const { structuredContent } = await view.callTool('refresh');
expectTypeOf(structuredContent).toEqualTypeOf<{ degrees: number[] } | undefined>();

// @ts-expect-error There is no tool of that name.
await view.callTool('refrsh');

// @ts-expect-error The city is a text.
await view.callTool('forecast', { city: 7 });

const open = await openView({ info: { name: 'types', version: '1.0.0' } });
await open.callTool('any', { a: 1 });

declare const client: ClientOf<typeof server>;
toolsFor('model', client);
