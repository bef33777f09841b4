import { decodeJwt, decodeProtectedHeader, type JWTPayload } from 'jose';

/** The contents of a JWT before verification. */
export interface UnverifiedJwt {
  readonly claims: JWTPayload;
  readonly typ: string | undefined;
}

/** Reads a JWT without verifying it; undefined if the text is not a JWT. */
export function unverified(text: string): UnverifiedJwt | undefined {
  try {
    return { claims: decodeJwt(text), typ: decodeProtectedHeader(text).typ };
  } catch {
    return undefined;
  }
}
