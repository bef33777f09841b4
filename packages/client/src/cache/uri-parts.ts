/** True if `uri` names `whole` or a part of it, after a separator. */
export function isPartOf(uri: string, whole: string): boolean {
  if (!uri.startsWith(whole)) return false;
  const next = uri.charAt(whole.length);
  return next === '' || '/?#'.includes(next) || whole.endsWith('/');
}
