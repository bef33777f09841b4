import { describe, expect, it } from 'vitest';
import { counted } from '../../hostile-server/counted.js';
import { authErrorIn, everyWay, Scene, type SceneSettings, stateless, told, type Way } from './scene.js';

/** What comes of an attack on a client. */
export type Outcome =
  /** Nothing: what the application asked for is answered, with this text. */
  | { readonly result: string | RegExp }
  /** The application hears of it: an AuthError with this reason, or another error of that name. */
  | { readonly error: string; readonly text?: RegExp };

/** One attack, and what has to come of it. */
export interface ClientRow {
  readonly name: string;
  /** What is different from the world in which everybody is honest. */
  readonly attack: (scene: Scene) => unknown;
  readonly settings?: SceneSettings;
  /** What the application does: it connects and calls the tool `who` by default. */
  readonly act?: (scene: Scene) => Promise<unknown>;
  readonly outcome: Outcome;
  /** How often the user is sent to sign in; once by default, and never where it goes wrong. */
  readonly prompts?: number;
  /** How often tokens are asked for at the honest authorization server; as often as the user was sent there by default. */
  readonly grants?: number;
  /** What else must be true afterwards. */
  readonly afterwards?: (scene: Scene) => unknown;
  /** By default one way, which stands for all. */
  readonly ways?: readonly Way[];
}

/** The ways in which what a server says is heard by different code. */
export const allWays = { ways: everyWay } as const;

/** Runs each row over its ways, and prints how many that were. Whoever should hear nothing hears nothing in any of them. */
export function clientTable(title: string, groups: Readonly<Record<string, readonly ClientRow[]>>): void {
  let cases = 0;
  for (const [group, rows] of Object.entries(groups)) {
    describe(group, () => {
      for (const row of rows) {
        for (const way of row.ways ?? [stateless]) {
          cases++;
          const name = row.ways === undefined ? row.name : `${row.name} (${way.name})`;
          it(name, () => hold(row, way));
        }
      }
    });
  }
  counted(title, () => cases);
}

async function hold(row: ClientRow, way: Way): Promise<void> {
  const scene = await Scene.open(way, row.settings);
  try {
    await row.attack(scene);
    await expectOutcome(scene, row.act?.(scene) ?? scene.call(), row.outcome);
    const isError = 'error' in row.outcome;
    const { prompts = isError ? 0 : 1 } = row;
    expect({ prompts: scene.prompts, grants: scene.issuer.count('token') }).toEqual({
      prompts,
      grants: row.grants ?? prompts,
    });
    await row.afterwards?.(scene);
  } finally {
    await scene.close();
  }
}

/** Holds what the application got to what it should get. */
export async function expectOutcome(
  scene: Scene,
  promise: Promise<unknown>,
  outcome: Outcome,
): Promise<void> {
  let result: unknown;
  try {
    result = await promise;
  } catch (error) {
    scene.thrown.push(error);
    if ('result' in outcome) expect.fail(`expected ${outcome.result}, got ${told(error)}`);
    const { name } = error as Error;
    expect(authErrorIn(error)?.reason ?? name, told(error)).toBe(outcome.error);
    if (outcome.text !== undefined) expect((error as Error).message).toMatch(outcome.text);
    return;
  }
  if ('error' in outcome) expect.fail(`expected ${outcome.error}, got ${JSON.stringify(result)}`);
  expect(result).toEqual(
    typeof outcome.result === 'string' ? outcome.result : expect.stringMatching(outcome.result),
  );
}
