import type { AppCsp } from '../model/app-metadata.js';

const name = 'network';
const none = 'none';
/** Makes the path of a request an address. */
const anyBase = 'http://sandbox.invalid';

/** True if an app declares no origin that its view could connect to. */
function declaresNoOrigin({ connectDomains, resourceDomains, frameDomains }: AppCsp): boolean {
  return [connectDomains, resourceDomains, frameDomains].every((origins = []) => origins.length === 0);
}

/** Returns the address of the sandbox page for an app, with a note if its view reaches no origin. */
export function sandboxAddress(sandbox: URL, csp: AppCsp): string {
  const address = new URL(sandbox);
  if (declaresNoOrigin(csp)) address.searchParams.set(name, none);
  return address.href;
}

/** True if the address of the sandbox page notes that the view reaches no origin. @param url - an address, or the path of one. */
export function reachesNothing(url: string | undefined): boolean {
  if (url === undefined || !URL.canParse(url, anyBase)) return false;
  return new URL(url, anyBase).searchParams.get(name) === none;
}
