/** The probability of each fault, per message. */
const shares = Object.freeze({
  drop: 0.01,
  duplicate: 0.01,
  corrupt: 0.005,
  reorder: 0.02,
  delay: 0.05,
  close: 0.004,
});

/**
 * Returns a plan with every kind of fault on messages, active during the storm.
 *
 * @param {import('./servers/server-paths.js').ClientSetup} setup
 * @returns {import('@tenon/mcp-testing').FaultPlan}
 */
export function restlessPlan({ isOver, random, options }) {
  const directionFaults = () => {
    const faults = Object.entries(shares).map(([fault, share]) => [
      fault,
      () => !isOver() && random.chance(share),
    ]);
    return { ...Object.fromEntries(faults), delayMs: /** @type {const} */ ([1, 40]) };
  };
  return {
    seed: random.whole(1, 1_000_000),
    outgoing: directionFaults(),
    incoming: directionFaults(),
    ...(options.clock !== undefined && { clock: options.clock }),
  };
}
