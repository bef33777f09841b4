import { apps } from '@tenon/mcp-apps/client';
import type { ClientOptions, OnSample } from '@tenon/mcp-client';

type Answers = Required<Pick<ClientOptions, 'onElicit' | 'onElicitUrl' | 'onSample' | 'onLog' | 'onError'>>;

/** Answers input requests in place of a user and a model, offline, and records what the client receives. */
export class ScriptedUser {
  /** The user's answer to every elicitation. */
  decision: 'accept' | 'decline' = 'accept';
  /** Methods of requests in order, with their senders. */
  readonly requests: { readonly from: 'client' | 'server'; readonly method: string }[] = [];
  /** Levels of the received log messages. */
  readonly logged: string[] = [];
  /** Errors that either end reported. */
  readonly reported: string[] = [];

  /** @param rootUri - the client's only root. */
  options(rootUri: string): ClientOptions & Answers {
    return {
      info: { name: 'demo', version: '1.0.0' },
      roots: [{ uri: rootUri, name: 'rootFolder' }],
      extensions: [apps()],
      reconnect: false,
      onElicit: () =>
        this.decision === 'accept' ? { action: 'accept', content: { sure: true } } : { action: 'decline' },
      onElicitUrl: ({ url }) => ({
        action: url.startsWith('https://notes.example/') ? this.decision : 'decline',
      }),
      onSample: (params) => ({
        role: 'assistant',
        content: { type: 'text', text: gist(params) },
        model: 'offline-model',
        stopReason: 'endTurn',
      }),
      onLog: ({ level }) => this.logged.push(level),
      onError: (error, where) => this.report(`client, ${where}: ${error}`),
      middleware: [
        (call, next) => {
          const from = call.direction === 'outbound' ? 'client' : 'server';
          this.requests.push({ from, method: call.method });
          return next();
        },
      ],
    };
  }

  report(what: string): void {
    this.reported.push(what);
  }
}

/** Returns the first sentence that is not a heading: the answer of the simulated model. */
function gist({ messages }: Parameters<OnSample>[0]): string {
  const blocks = messages.flatMap(({ content }) => content);
  const lines = blocks.flatMap((block) => (block.type === 'text' ? block.text.split('\n') : []));
  const words = lines.filter((line) => !line.startsWith('#')).join(' ');
  return /[^.]*\./.exec(words)?.[0].trim() ?? '';
}
