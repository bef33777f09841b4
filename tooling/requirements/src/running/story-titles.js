const prefix = 'requirement ';

/**
 * The title that a matrix story has in a report, by which its rows are found again.
 *
 * @param {readonly string[]} ids
 */
export function storyTitle(ids) {
  return prefix + ids.join(' ');
}

/**
 * The ids that the full name of a test names, if it is a matrix story.
 *
 * @param {string} fullName
 * @returns {readonly string[]}
 */
export function idsInTitle(fullName) {
  const [first = ''] = fullName.split(' > ');
  return first.startsWith(prefix) ? first.slice(prefix.length).split(' ') : [];
}

/**
 * The revision a matrix story was told in.
 *
 * @param {string} fullName
 * @returns {string | undefined}
 */
export function revisionInTitle(fullName) {
  return / > '?(\S+?)'? over '?\w+'?$/.exec(fullName)?.[1];
}
