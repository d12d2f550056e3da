/**
 * The prefixes of opaque ids, by the type of resource. The service makes ids with a body of 26 characters in lower-case
 * Crockford base32 (128 bits, ordered by time); imported ids stay as they are. Clients compare ids as strings and never parse
 * them (contract §1.4).
 */
export const idPrefixes = {
  user: 'usr_',
  token: 'key_',
  mailMessage: 'msg_',
  ticket: 'tkt_',
  ticketMessage: 'tmsg_',
  attachment: 'att_',
  mailAttachment: 'matt_',
  macro: 'mac_',
  ticketRule: 'rule_',
  article: 'art_',
  ticketView: 'view_',
  bulkChange: 'blk_',
  invite: 'inv_',
  preRegistration: 'aff_pre_',
  dataRequest: 'dreq_',
  webhookEndpoint: 'whe_',
  webhookEvent: 'evt_',
  webhookDelivery: 'whd_',
  request: 'req_',
} as const;

export type IdKind = keyof typeof idPrefixes;

/** The pattern of an id without its prefix. */
export const ID_BODY = '[0-9A-Za-z]{6,64}';
