/** A check in the results of a fake suite. */
export interface FakeCheck {
  readonly id: string;
  readonly status: string;
  readonly errorMessage?: string;
}

/** The behaviour of a fake suite. */
export interface FakeRun {
  /** The checks of each scenario; null for a scenario that throws. */
  readonly scenarios: Readonly<Record<string, readonly FakeCheck[] | null>>;
  /** Text after the scenarios. */
  readonly end?: string;
  readonly exitCode?: number;
  /** True to wait for a signal after the scenarios. */
  readonly hangs?: boolean;
}

/** Returns a program in JavaScript that behaves as the official suite, for `node -e` or as a file. */
export function fakeSuite(run: FakeRun): string {
  return `
    const { mkdirSync, writeFileSync } = require('node:fs');
    const { scenarios, end = '', exitCode = 0, hangs = false } = ${JSON.stringify(run)};
    const folder = process.argv[process.argv.indexOf('-o') + 1];
    mkdirSync(folder, { recursive: true });
    process.once('SIGINT', () => {
      writeFileSync(folder + '/interrupted.json', 'true');
      process.exit(130);
    });
    writeFileSync(folder + '/words.json', JSON.stringify(process.argv.slice(process.argv.indexOf('server'))));
    for (const [name, checks] of Object.entries(scenarios)) {
      console.log("Running client scenario '" + name + "' against server: x");
      if (checks === null) {
        console.log('Failed to run scenario ' + name + ': it threw');
        continue;
      }
      const own = folder + '/server-' + name + '-2026-01-01T00-00-00-000Z';
      mkdirSync(own, { recursive: true });
      writeFileSync(own + '/checks.json', JSON.stringify(checks));
    }
    console.log(end);
    if (hangs) setInterval(() => {}, 1000);
    else process.exitCode = exitCode;
  `;
}
