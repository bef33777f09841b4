const maxParts = 1_000;

/** True for a value of at most a thousand parts; stops counting there. */
export function isSmall(value: unknown): boolean {
  const open: unknown[] = [value];
  let parts = 1;
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next !== 'object' || next === null) continue;
    const inner: readonly unknown[] = Array.isArray(next) ? next : Object.values(next);
    parts += inner.length;
    if (parts > maxParts) return false;
    open.push(...inner);
  }
  return true;
}
