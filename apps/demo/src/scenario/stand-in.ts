import type { ClientOptions, OnSample } from '@tenon/mcp-client';

type Answers = Required<Pick<ClientOptions, 'onElicit' | 'onElicitUrl' | 'onSample' | 'onLog' | 'onError'>>;

/** Sits where a person and a model would: answers what the server asks, offline, and keeps what was heard. */
export class StandIn {
  /** What the person says to every question. */
  mood: 'accept' | 'decline' = 'accept';
  /** Methods of requests, in order, by who sent them. */
  readonly requests: { readonly from: 'client' | 'server'; readonly method: string }[] = [];
  /** Levels of the log messages heard. */
  readonly logged: string[] = [];
  /** What either end reported as wrong. */
  readonly complaints: string[] = [];

  /** @param rootUri - the one place the server may read files in. */
  options(rootUri: string): ClientOptions & Answers {
    return {
      info: { name: 'demo', version: '1.0.0' },
      roots: [{ uri: rootUri, name: 'desk' }],
      reconnect: false,
      onElicit: () =>
        this.mood === 'accept' ? { action: 'accept', content: { sure: true } } : { action: 'decline' },
      onElicitUrl: ({ url }) => ({
        action: url.startsWith('https://notes.example/') ? this.mood : 'decline',
      }),
      onSample: (params) => ({
        role: 'assistant',
        content: { type: 'text', text: gist(params) },
        model: 'offline-stand-in',
        stopReason: 'endTurn',
      }),
      onLog: ({ level }) => this.logged.push(level),
      onError: (error, where) => this.complain(`client, ${where}: ${error}`),
      middleware: [
        (call, next) => {
          const from = call.direction === 'outbound' ? 'client' : 'server';
          this.requests.push({ from, method: call.method });
          return next();
        },
      ],
    };
  }

  complain(what: string): void {
    this.complaints.push(what);
  }
}

/** The first sentence that is no heading: what the smallest of models makes of a text. */
function gist({ messages }: Parameters<OnSample>[0]): string {
  const blocks = messages.flatMap(({ content }) => content);
  const lines = blocks.flatMap((block) => (block.type === 'text' ? block.text.split('\n') : []));
  const words = lines.filter((line) => !line.startsWith('#')).join(' ');
  return /[^.]*\./.exec(words)?.[0].trim() ?? '';
}
