/** Returns a number with its noun, such as `1 tool` or `1,200 tools`. */
export function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`;
}
