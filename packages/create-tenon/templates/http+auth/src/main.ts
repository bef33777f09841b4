import { existsSync } from 'node:fs';
import { serve } from './serve.ts';

if (existsSync('.env')) process.loadEnvFile('.env'); // variables that are set already win
const serving = await serve(process.env);
console.log(`Listening at ${serving.url}`);
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void serving.close()); // lets running calls finish
}
