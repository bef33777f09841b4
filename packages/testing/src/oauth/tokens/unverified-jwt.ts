import { decodeJwt, decodeProtectedHeader, type JWTPayload } from 'jose';

/** What a JWT says, before anybody knows whether it is true. */
export interface UnverifiedJwt {
  readonly claims: JWTPayload;
  readonly typ: string | undefined;
}

/** Reads a JWT without verifying it; undefined for what is none. */
export function unverified(text: string): UnverifiedJwt | undefined {
  try {
    return { claims: decodeJwt(text), typ: decodeProtectedHeader(text).typ };
  } catch {
    return undefined;
  }
}
