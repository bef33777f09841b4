import { serve } from './serve.ts';

const serving = await serve(process.env);
console.log(`Listening at ${serving.url}`);
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void serving.close()); // lets running calls finish
}
