/** Looks up all addresses that a name stands for. */
export type Lookup = (hostname: string) => Promise<readonly string[]>;

/** As the system does it. Node only. */
export const systemLookup: Lookup = async (hostname) => {
  const { lookup } = await import('node:dns/promises');
  const found = await lookup(hostname, { all: true });
  return found.map(({ address }) => address);
};
