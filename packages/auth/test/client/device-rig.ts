import { otherBounds } from '@tenon/foundation';
import { FakeClock } from '../../../testing/src/fake-clock.js';
import type { DeviceCode, Interaction } from '../../src/oauth/interaction.js';
import type { OauthOptions, UserProvider } from '../../src/providers/oauth.js';
import { serverUrl } from './authorizer-rig.js';
import { CodeFlowWeb } from './code-flow-web.js';
import { failureOf } from './grant-tools.js';
import { begin } from './user-program.js';

/** The answer of a device authorization endpoint. */
export const codes = {
  device_code: 'device-5be1f04c7a9d2683',
  user_code: 'WDJB-MJHT',
  verification_uri: 'https://auth.example/code',
  verification_uri_complete: 'https://auth.example/code?user_code=WDJB-MJHT',
  expires_in: 900,
};

/** Differs from all waits. */
const answerTimeout = 9_999;

/** A clock that knows the waits before token requests: they keep the process alive, as only time limits of requests do besides. */
class PollClock extends FakeClock {
  #wake = (_ms: number): void => {};

  override schedule(run: () => void, ms: number, holds = false): () => void {
    if (holds && ms !== answerTimeout) this.#wake(ms);
    return super.schedule(run, ms);
  }

  /** Resolves with the next wait before a token request. */
  wait(): Promise<number> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }
}

/** A user who signs in with a code on another device, at once unless `answers` has something else. */
export class DeviceRig {
  readonly web = new CodeFlowWeb();
  readonly clock = new PollClock();
  readonly shown: DeviceCode[] = [];
  /** The answers of the token endpoint before it issues tokens: an `error`, or the exception of a connection. */
  answers: (string | Error)[] = [];

  constructor() {
    this.web.onDevice = () => ({ body: codes });
    this.web.onToken = () => {
      const answer = this.answers.shift();
      if (answer instanceof Error) throw answer;
      return answer === undefined ? undefined : { status: 400, body: { error: answer } };
    };
  }

  /** An interaction that shows codes and opens nothing. */
  interaction(device: Partial<Interaction['device']> = {}): Interaction {
    return {
      redirectUris: ['http://127.0.0.1/callback'],
      applicationType: 'native',
      begin: () => {
        throw new Error('A browser was wanted.');
      },
      device: { show: (code) => void this.shown.push(code), ...device },
    };
  }

  program(more: Partial<OauthOptions> = {}): UserProvider {
    const { clock } = this;
    return begin(this.web, {
      interaction: this.interaction(),
      clock,
      ...otherBounds({ answerTimeout }),
      ...more,
    });
  }

  /** Signs in. Returns the milliseconds before each token request. */
  async signIn(more: Partial<OauthOptions> = {}): Promise<number[]> {
    return this.#waitsOf(this.program(more).signIn(serverUrl));
  }

  /** Returns the error that a sign-in ends with. */
  async failure(provider: UserProvider = this.program()): Promise<unknown> {
    const failed = failureOf(provider.signIn(serverUrl));
    await this.#waitsOf(failed);
    return failed;
  }

  async #waitsOf(signIn: Promise<unknown>): Promise<number[]> {
    const waits: number[] = [];
    let next = this.clock.wait();
    const over = signIn.then(() => undefined);
    for (;;) {
      const ms = await Promise.race([next, over]);
      if (ms === undefined) return waits;
      waits.push(ms);
      next = this.clock.wait();
      await this.clock.advance(ms);
    }
  }
}
