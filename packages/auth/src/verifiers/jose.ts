// Imported with the first token, so that a server starts without loading jose.
export { decodeProtectedHeader } from 'jose/decode/protected_header';
export { JOSEError, JWKSMultipleMatchingKeys } from 'jose/errors';
export { calculateJwkThumbprint } from 'jose/jwk/thumbprint';
export { createLocalJWKSet } from 'jose/jwks/local';
export { decodeJwt } from 'jose/jwt/decode';
export { jwtVerify } from 'jose/jwt/verify';
