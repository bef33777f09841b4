// The endpoint in Express, behind a middleware that authenticates callers.
// #region app
import { toNodeHandler } from '@tenon/mcp-server/http';
import express, { type RequestHandler } from 'express';
import { server } from './notes.js';
import { personOf } from './people.js';

const mcp = toNodeHandler(server, { allowedHosts: ['localhost', '127.0.0.1', 'mcp.example.com'] });

const signedIn: RequestHandler = (request, response, next) => {
  response.locals.principal = personOf(request.headers.authorization);
  if (response.locals.principal !== undefined) next();
  else response.status(401).set('WWW-Authenticate', 'Bearer').end();
};

const app = express();
app.all('/mcp', signedIn, (request, response) => {
  mcp.serve(request, response, { principal: response.locals.principal });
});
// #endregion

// #region parsed
// The handler uses request.body if express.json() has read the body.
app.use('/parsed', express.json({ limit: '4mb' }));
app.all('/parsed/mcp', signedIn, (request, response) => {
  mcp.serve(request, response, { principal: response.locals.principal });
});
// #endregion

// #region run
export const listening = app.listen(Number(process.env.PORT ?? 3000), '127.0.0.1');

export async function stop(): Promise<void> {
  listening.close();
  await mcp.drain();
  listening.closeAllConnections();
}
// #endregion
