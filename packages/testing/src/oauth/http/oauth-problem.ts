import { oauthError, type TestAnswer } from './answer.js';

/** A rejected request, as an OAuth error. */
export class OauthProblem extends Error {
  override readonly name: string = 'OauthProblem';
  /** Such as `invalid_grant`. */
  readonly error: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    error: string,
    description: string,
    { status = 400, headers = {} }: { status?: number; headers?: Readonly<Record<string, string>> } = {},
  ) {
    super(description);
    this.error = error;
    this.status = status;
    this.headers = headers;
  }

  get answer(): TestAnswer {
    return { ...oauthError(this.error, this.message, this.status), headers: this.headers };
  }
}
