/** Values of `grant_type` the token endpoint supports. */
export const grantTypes = {
  code: 'authorization_code',
  refresh: 'refresh_token',
  clientCredentials: 'client_credentials',
  jwtBearer: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
  tokenExchange: 'urn:ietf:params:oauth:grant-type:token-exchange',
} as const;

/** Token type of the grant an identity provider issues for another authorization server. */
export const idJagType = 'urn:ietf:params:oauth:token-type:id-jag';
