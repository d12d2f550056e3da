/** The close codes (RFC 6455 §7.4). Those from 4000 are ours, derived from the HTTP statuses. */
export const closeCodes = {
  unauthenticated: 4401,
  authTimeout: 4408,
  tooMany: 4429,
  malformed: 1008,
  restart: 1012,
  unavailable: 1013,
};
