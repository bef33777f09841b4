/**
 * Returns the flags of Node for a process that writes a CPU profile when it ends.
 *
 * @param {string} folder
 * @param {string} name
 */
export function profiling(folder, name) {
  const file = `${name.replaceAll(/[ ,]+/g, '-')}.cpuprofile`;
  return ['--cpu-prof', `--cpu-prof-dir=${folder}`, `--cpu-prof-name=${file}`];
}
