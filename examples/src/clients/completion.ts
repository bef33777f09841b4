// A form field that completes a city while the user types; the values depend on the country.
import { connectMemory } from '@tenon/mcp-client/memory';
import { createCompleter } from '@tenon/mcp-client/ui';
import { createServer, suggest } from '@tenon/mcp-server';
import { z } from 'zod';

const cities: Readonly<Record<string, readonly string[]>> = {
  Norway: ['Oslo', 'Bergen', 'Ålesund'],
  Germany: ['Berlin', 'Bremen', 'München'],
};
let requests = 0;

// #region server
const server = createServer({ name: 'travel', version: '1.0.0' })
  .prompt(
    'trip',
    {
      args: z.object({ country: z.string(), city: z.string() }),
      complete: {
        country: suggest(Object.keys(cities)),
        city: suggest(({ chosen }) => cities[chosen.country ?? ''] ?? []),
      },
    },
    ({ country, city }) => `Plan a trip to ${city} in ${country}.`,
  )
  .use((call, next) => {
    if (call.method === 'completion/complete') requests++;
    return next();
  });
// #endregion

const client = await connectMemory(server, { info: { name: 'planner', version: '1.0.0' } });

// #region field
const completer = createCompleter(client); // one for each field
const type = async (value: string) => {
  const suggestions = await completer.complete({
    ref: { type: 'ref/prompt', name: 'trip' },
    argument: { name: 'city', value },
    context: { arguments: { country: 'Germany' } }, // what the other fields hold
  });
  return suggestions?.values; // undefined when more was typed meanwhile
};
// #endregion

const [first, second, third] = await Promise.all(['m', 'mu', 'mun'].map(type));
console.log('while typing', first, second, 'then', third, 'by', requests, 'request');
console.log('again', await type('mun'), 'by', requests, 'request');
console.log('with a gap', await type('brm'), 'by', requests, 'requests');
completer.close();
await client.close();
