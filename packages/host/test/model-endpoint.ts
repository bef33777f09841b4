import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** A request that an endpoint received. */
export interface ReceivedRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Record<string, unknown>;
}

/** Answers a request. */
export type EndpointAnswer = (response: ServerResponse, request: ReceivedRequest) => void;

/** Serves an API of a model until the test ends. @param answers - in the order of the requests; the last one repeats. */
export async function modelEndpoint(
  ...answers: readonly EndpointAnswer[]
): Promise<{ readonly url: string; readonly requests: readonly ReceivedRequest[] }> {
  const requests: ReceivedRequest[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8');
    request.on('data', (part: string) => {
      text += part;
    });
    request.on('end', () => {
      const received = {
        path: request.url ?? '',
        headers: request.headers,
        body: JSON.parse(text) as Record<string, unknown>,
      };
      const answer = answers[Math.min(requests.length, answers.length - 1)];
      requests.push(received);
      answer?.(response, received);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}

/** Answers with JSON. */
export function json(body: unknown, status = 200, headers: Record<string, string> = {}): EndpointAnswer {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };
}

/** Answers with server-sent events, each of its own type if it has one. @param ends - false leaves the response open. */
export function events(list: readonly unknown[], ends = true): EndpointAnswer {
  return (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const event of list) {
      const { type } = event as { type?: string };
      const data = typeof event === 'string' ? event : JSON.stringify(event);
      response.write(`${type === undefined ? '' : `event: ${type}\n`}data: ${data}\n\n`);
    }
    if (ends) response.end();
  };
}
