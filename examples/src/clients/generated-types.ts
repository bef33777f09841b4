// A client with types that `tenon types` has made of a live server.
import { fileURLToPath } from 'node:url';
import { connect } from '@tenon/mcp-client';
import type { Server } from './weather-types.js';

const program = fileURLToPath(new URL('../getting-started/weather.js', import.meta.url));
const target = { command: process.execPath, args: [program] };

const client = await connect<Server>(target, { info: { name: 'planner', version: '1.0.0' } });
// A name that the server does not have, and arguments of another type, are errors of the compiler.
const { structuredContent } = await client.callTool('forecast', { city: 'Oslo', days: 2 });
if (structuredContent !== undefined) {
  const { unit, highs } = structuredContent; // 'C' | 'F', and number[]
  console.log(highs.map((high) => `${high} °${unit}`).join(', '));
}
await client.close();
