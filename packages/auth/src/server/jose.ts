// What keys and signatures take, for those who load it with the first token: a server that starts needs none of it.
export { decodeProtectedHeader } from 'jose/decode/protected_header';
export { JOSEError, JWKSMultipleMatchingKeys } from 'jose/errors';
export { calculateJwkThumbprint } from 'jose/jwk/thumbprint';
export { createLocalJWKSet } from 'jose/jwks/local';
export { decodeJwt } from 'jose/jwt/decode';
export { jwtVerify } from 'jose/jwt/verify';
