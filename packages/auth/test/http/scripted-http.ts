import type { OauthHttp, OauthRequest, OauthResponse } from '../../src/http/oauth-http.js';

/** The response at one URL. */
export interface Scripted {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON, or a string that is sent unchanged. */
  readonly body?: unknown;
}

/** Answers from a script, and other URLs with 404. A promise that never settles hangs; one that rejects fails. */
export class ScriptedHttp implements OauthHttp {
  readonly requests: OauthRequest[] = [];
  readonly #answers = new Map<string, (request: OauthRequest) => Scripted | Promise<Scripted>>();

  on(url: string, answer: Scripted | ((request: OauthRequest) => Scripted | Promise<Scripted>)): this {
    this.#answers.set(url, typeof answer === 'function' ? answer : () => answer);
    return this;
  }

  /** Returns the number of requests to a URL. */
  count(url: string): number {
    return this.requests.filter((request) => request.url.href === url).length;
  }

  async send(request: OauthRequest): Promise<OauthResponse> {
    this.requests.push(request);
    const scripted = await (this.#answers.get(request.url.href)?.(request) ?? { status: 404 });
    const { status = 200, headers = {}, body = '' } = scripted;
    return {
      status,
      mediaType: (headers['content-type'] ?? 'application/json').split(';')[0] ?? '',
      header: (name) => headers[name],
      text: typeof body === 'string' ? body : JSON.stringify(body),
    };
  }
}
