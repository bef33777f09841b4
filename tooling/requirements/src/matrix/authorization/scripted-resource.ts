import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { JsonObject } from '@tenon/mcp-protocol';
import { createServer } from '@tenon/mcp-server';
import { toNodeHandler } from '@tenon/mcp-server/http';

/** What a server says to those who are not signed in. */
export interface Script {
  /** Documents that everybody may read, by path. */
  readonly documents?: Readonly<Record<string, JsonObject>>;
  /** The value of WWW-Authenticate; none is sent by default. */
  readonly challenge?: string;
  /** Whether a token opens the door; each does by default. */
  readonly admits?: (token: string) => boolean;
}

/** An MCP server with the tool `measure` that wants a token, and says so just as the script has it at the moment. */
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
