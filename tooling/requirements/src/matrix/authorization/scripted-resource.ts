import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { JsonObject } from '@tenon/mcp-protocol';
import { createServer } from '@tenon/mcp-server';
import { toNodeHandler } from '@tenon/mcp-server/http';

/** The responses of a server to unauthenticated requests. */
export interface Script {
  /** Public documents, by path. */
  readonly documents?: Readonly<Record<string, JsonObject>>;
  /** The value of WWW-Authenticate. Default: none. */
  readonly challenge?: string;
  /** True if a token is accepted. Default: accepts every token. */
  readonly admits?: (token: string) => boolean;
}

/** An MCP server with the tool `measure` that requires a token, and responds by the current script. */
export function scriptedResource(script: () => Script): RequestListener {
  const bench = createServer({ name: 'bench', version: '1.0.0' }).tool('measure', {}, () => '40 mm');
  const open = toNodeHandler(bench);
  return (request, response) => {
    const { documents, challenge, admits = () => true } = script();
    const document = documents?.[request.url ?? ''];
    if (document !== undefined) return answer(response, document);
    if (request.url?.startsWith('/.well-known/')) return void response.writeHead(404).end();
    const token = tokenOf(request);
    if (token !== undefined && admits(token)) return void open(request, response);
    response.writeHead(401, challenge === undefined ? {} : { 'www-authenticate': challenge }).end();
  };
}

function tokenOf(request: IncomingMessage): string | undefined {
  return /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1];
}

function answer(response: ServerResponse, document: JsonObject): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(document));
}
