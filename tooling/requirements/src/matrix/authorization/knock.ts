/** The response to a request. */
export interface Answered {
  readonly status: number;
  /** The value of WWW-Authenticate. */
  readonly challenge: string | undefined;
  readonly body: string;
}

/** A request to a protected server. */
export interface Knock {
  /** The tool to call in the stateless revision; in other revisions the request is `initialize`. */
  readonly tool?: string;
  /** The value of the header Authorization. */
  readonly authorization?: string;
  /** Further params of that request. */
  readonly params?: Readonly<Record<string, unknown>>;
  /** The body, in place of the message. */
  readonly body?: string;
}

/** Sends the first request of a revision to a server, without the client. */
export async function knock(url: string, revision: string, asked: Knock = {}): Promise<Answered> {
  const { headers, message } = first(revision, asked);
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
      ...(asked.authorization !== undefined && { authorization: asked.authorization }),
    },
    body: asked.body ?? JSON.stringify(message),
  });
  const challenge = response.headers.get('www-authenticate') ?? undefined;
  return { status: response.status, challenge, body: await response.text() };
}

function first(revision: string, { tool = 'measure', params: own = {} }: Knock) {
  const clientInfo = { name: 'matrix', version: '1.0.0' };
  if (revision < '2026-07-28') {
    const params = { protocolVersion: revision, capabilities: {}, clientInfo };
    return { headers: {}, message: { jsonrpc: '2.0', id: 1, method: 'initialize', params } };
  }
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': revision,
    'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {}, url: {} } },
    'io.modelcontextprotocol/clientInfo': clientInfo,
  };
  return {
    headers: { 'mcp-protocol-version': revision, 'mcp-method': 'tools/call', 'mcp-name': tool },
    message: {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: tool, arguments: {}, ...own, _meta },
    },
  };
}
