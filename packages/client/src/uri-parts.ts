/** True when `uri` names `whole` or a part of it: what follows a separator, not what merely begins alike. */
export function isPartOf(uri: string, whole: string): boolean {
  if (!uri.startsWith(whole)) return false;
  const next = uri.charAt(whole.length);
  return next === '' || '/?#'.includes(next) || whole.endsWith('/');
}
