import { describe, expect, it } from 'vitest';
import { counted } from '../../hostile-server/counted.js';
import { authErrorIn, everyWay, reported, Scene, type SceneSettings, stateless, type Way } from './scene.js';

/** The outcome of an attack on a client. */
export type Outcome =
  /** The attack has no effect: the application gets a result with this text. */
  | { readonly result: string | RegExp }
  /** The application gets an AuthError with this reason, or another error of that name. */
  | { readonly error: string; readonly text?: RegExp };

/** One attack, and its expected outcome. */
export interface ClientRow {
  readonly name: string;
  /** Sets up the attack in a scene that is honest otherwise. */
  readonly attack: (scene: Scene) => unknown;
  readonly settings?: SceneSettings;
  /** The application's actions. Default: connects and calls the tool `who`. */
  readonly act?: (scene: Scene) => Promise<unknown>;
  readonly outcome: Outcome;
  /** Number of sign-ins by the user. Default: one, or none if an error is expected. */
  readonly prompts?: number;
  /** Number of token requests to the honest authorization server. Default: the number of sign-ins there. */
  readonly grants?: number;
  /** Further checks after the outcome. */
  readonly afterwards?: (scene: Scene) => unknown;
  /** Default: one way, which represents all. */
  readonly ways?: readonly Way[];
}

/** All ways to connect that use different code to read the server's responses. */
export const allWays = { ways: everyWay } as const;

/** Runs each row over its ways, and prints the number of cases. Checks in each that secrets reach no third party. */
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

/** Checks the application's outcome against the expected one. */
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
    if ('result' in outcome) expect.fail(`expected ${outcome.result}, got ${reported(error)}`);
    const { name } = error as Error;
    expect(authErrorIn(error)?.reason ?? name, reported(error)).toBe(outcome.error);
    if (outcome.text !== undefined) expect((error as Error).message).toMatch(outcome.text);
    return;
  }
  if ('error' in outcome) expect.fail(`expected ${outcome.error}, got ${JSON.stringify(result)}`);
  expect(result).toEqual(
    typeof outcome.result === 'string' ? outcome.result : expect.stringMatching(outcome.result),
  );
}
