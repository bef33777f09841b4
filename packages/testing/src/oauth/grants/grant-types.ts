/** Values of `grant_type` that the token endpoint knows. */
export const grantTypes = {
  code: 'authorization_code',
  refresh: 'refresh_token',
  clientCredentials: 'client_credentials',
  jwtBearer: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
  tokenExchange: 'urn:ietf:params:oauth:grant-type:token-exchange',
} as const;

/** Type of the grant that an identity provider gives for another authorization server. */
export const idJagType = 'urn:ietf:params:oauth:token-type:id-jag';
