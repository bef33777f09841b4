import { createServer as createHttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { textOf } from '@tenon/mcp-client';
import { connectMemory } from '@tenon/mcp-client/memory';
import { fromOpenApi } from '@tenon/mcp-openapi';
import { createServer } from '@tenon/mcp-server';

// The document of an API, usually a file: readFileSync('openapi.yaml', 'utf8').
const document = `
openapi: 3.1.0
info: { title: Pet shop, version: 1.0.0 }
paths:
  /pets/{id}:
    get:
      operationId: getPet
      summary: Get a pet by its id
      tags: [pets]
      security: [{ token: [] }]
      parameters:
        - { name: id, in: path, required: true, schema: { type: integer } }
      responses:
        '200':
          description: The pet
          content:
            application/json:
              schema: { type: object, properties: { id: { type: integer }, name: { type: string } } }
components:
  securitySchemes:
    token: { type: http, scheme: bearer }
`;

// This API stands for yours.
const api = createHttpServer(({ url, headers }, response) => {
  const isFound = url === '/v1/pets/7' && headers.authorization === 'Bearer token-of-the-api';
  response.writeHead(isFound ? 200 : 404, { 'content-type': 'application/json' });
  response.end(JSON.stringify(isFound ? { id: 7, name: 'Rex' } : { message: 'No such pet' }));
});
await new Promise<void>((resolve) => api.listen(0, '127.0.0.1', resolve));
const { port } = api.address() as AddressInfo;

const pets = fromOpenApi(document, {
  baseUrl: `http://127.0.0.1:${port}/v1`,
  include: { tags: ['pets'] },
  auth: ({ scheme }) => (scheme.name === 'token' ? 'token-of-the-api' : undefined),
});
const server = createServer({ name: 'pets', version: '1.0.0' });
pets.register(server);

// With serveStdio(server) or serveHttp(server) this client is Claude, VS Code or Cursor.
const client = await connectMemory(server, { info: { name: 'agent', version: '1.0.0' } });
for await (const { name, description } of client.tools()) console.log(`${name}: ${description}`);
for (const id of [7, 8]) console.log(textOf((await client.callTool('getPet', { id })).content));
await client.close();
api.close();
