import { isDeepStrictEqual } from 'node:util';

// biome-ignore lint/suspicious/noExplicitAny: a JSON document, walked by hand
type Json = any;

/** Whether clients send the values of a schema or receive them. A change that breaks one direction may be harmless in the other. */
type Direction = 'in' | 'out';

/**
 * Returns the changes between two OpenAPI documents that break a client of the earlier one; empty if there are only additions.
 * New error codes and new values of a field that the service sends count as additions.
 */
export function breakingChanges(earlier: Json, later: Json): string[] {
  const [before, after] = [withoutReferences(earlier), withoutReferences(later)];
  const found: string[] = [];
  for (const [path, item] of entries(before.paths)) {
    for (const [method, operation] of entries(item)) {
      const at = `${method.toUpperCase()} ${path}`;
      const now = after.paths[path]?.[method];
      if (!now) found.push(`${at} was removed`);
      else found.push(...ofOperation(operation, now).map((change) => `${at}: ${change}`));
    }
  }
  // Generated clients name their types after these.
  const types = Object.keys(earlier.components?.schemas ?? {});
  const gone = types.filter((name) => !later.components?.schemas?.[name]);
  found.push(...gone.map((name) => `the schema ${name} was removed`));
  return found;
}

/** Returns the breaking changes; none if the contract has a new major version, which allows them. */
export function forbiddenChanges(earlier: Json, later: Json): string[] {
  const majorOf = (document: Json) => Number(document.info.version.split('.')[0]);
  return majorOf(later) > majorOf(earlier) ? [] : breakingChanges(earlier, later);
}

function ofOperation(before: Json, after: Json): string[] {
  const found = ofSecurity(before, after);
  if (before.operationId !== after.operationId) found.push(`is now called ${after.operationId}`);
  const given = parametersOf(before);
  const taken = parametersOf(after);
  for (const [name, parameter] of given) {
    const now = taken.get(name);
    if (!now) found.push(`the parameter ${name} was removed`);
    else if (now.required && !parameter.required) found.push(`the parameter ${name} is now required`);
    else found.push(...compare(parameter.schema, now.schema, 'in', name));
  }
  for (const [name, { required }] of taken) {
    if (required && !given.has(name)) found.push(`the parameter ${name} is new and required`);
  }
  const sent = bodyOf(before.requestBody);
  const read = bodyOf(after.requestBody);
  if (sent && !read) found.push('no longer accepts a body');
  else if (read) {
    if (after.requestBody.required && !before.requestBody?.required) found.push('now requires a body');
    if (sent) found.push(...compare(sent, read, 'in', 'body'));
  }
  for (const [status, response] of entries(before.responses)) {
    const now = after.responses[status];
    if (Number(status) >= 300) {
      const codes: string[] = response['x-error-codes'] ?? [];
      const lost = codes.filter((code) => !now?.['x-error-codes']?.includes(code));
      found.push(...lost.map((code) => `${status} ${code} was removed`));
      continue;
    }
    if (!now) found.push(`the status ${status} was removed`);
    else found.push(...compare(bodyOf(response), bodyOf(now), 'out', status));
  }
  return found;
}

/** Returns the tokens, scopes and permissions that are newly required. */
function ofSecurity(before: Json, after: Json): string[] {
  if (before.security?.length === 0 && after.security?.length !== 0) return ['now requires a token'];
  const asked = (operation: Json): string[] =>
    [operation['x-required-scope'] ?? [], operation['x-required-permissions'] ?? []].flat();
  return asked(after)
    .filter((name) => !asked(before).includes(name))
    .map((name) => `now requires ${name}`);
}

function parametersOf(operation: Json): Map<string, Json> {
  const parameters = operation.parameters ?? [];
  return new Map(parameters.map((parameter: Json) => [`${parameter.in} ${parameter.name}`, parameter]));
}

/** Returns the document with every reference replaced by its target. */
function withoutReferences(document: Json): Json {
  const resolve = (node: Json): Json => {
    if (Array.isArray(node)) return node.map(resolve);
    if (typeof node !== 'object' || node === null) return node;
    if (typeof node.$ref === 'string') {
      const { $ref, ...rest } = node;
      const target = $ref
        .slice(2)
        .split('/')
        .reduce((at: Json, key: string) => at[key], document);
      return { ...resolve(target), ...resolve(rest) };
    }
    return Object.fromEntries(Object.entries(node).map(([key, member]) => [key, resolve(member)]));
  };
  return { paths: resolve(document.paths) };
}

function bodyOf(carrier: Json): Json {
  return carrier?.content?.['application/json']?.schema;
}

/** Returns the changes from `before`, which the client was written for, to `after` that break the client. */
function compare(before: Json, after: Json, direction: Direction, at: string): string[] {
  const [was, is] = [alternatives(before), alternatives(after)];
  if (was.length === 1 && is.length === 1) return compareOne(was[0], is[0], direction, at);
  // Every type that a client sends must still be accepted; every type that it receives must be one that it knows.
  const [needed, offered] = direction === 'in' ? [was, is] : [is, was];
  return needed
    .filter(
      (form) =>
        !offered.some((other) => {
          const [earlier, later] = direction === 'in' ? [form, other] : [other, form];
          return compareOne(earlier, later, direction, at).length === 0;
        }),
    )
    .map((form) => `${at} ${direction === 'in' ? 'no longer accepts' : 'can now be'} ${nameOf(form)}`);
}

function compareOne(before: Json, after: Json, direction: Direction, at: string): string[] {
  if (direction === 'in' ? isAnything(after) : isAnything(before)) return [];
  if (
    before.type !== after.type &&
    !(direction === 'in' && before.type === 'integer' && after.type === 'number')
  ) {
    return [`${at} was ${nameOf(before)} and is ${nameOf(after)}`];
  }
  return [
    ...compareValues(before, after, direction, at),
    ...compareBounds(before, after, direction, at),
    ...compareMembers(before, after, direction, at),
    ...(before.items && after.items ? compare(before.items, after.items, direction, `${at}[]`) : []),
  ];
}

function compareValues(before: Json, after: Json, direction: Direction, at: string): string[] {
  const [was, is] = [valuesOf(before), valuesOf(after)];
  if (direction === 'out') {
    if (was && !is) return [`${at} can now be any text`];
    const gone = (was ?? []).filter((value: unknown) => !is?.includes(value));
    return gone.map((value: unknown) => `${at} is no longer ${value}`);
  }
  if (defaultOf(before) !== undefined && !isDeepStrictEqual(defaultOf(before), defaultOf(after))) {
    return [`${at} has another default`];
  }
  if (before['x-also'] !== after['x-also'] && before['x-also'])
    return [`${at} no longer accepts ${before['x-also']}`];
  if (!is) return [];
  const lost = was ? was.filter((value: unknown) => !is.includes(value)) : ['other values'];
  return lost.map((value: unknown) => `${at} no longer accepts ${value}`);
}

const upper = ['maxLength', 'maximum', 'exclusiveMaximum', 'maxItems', 'maxProperties'];
const lower = ['minLength', 'minimum', 'exclusiveMinimum', 'minItems', 'minProperties'];

/** For a JSON Schema format, the formats that accept all its values. */
const widened: Record<string, string> = { email: 'idn-email' };

/** Limits on size and format break only values that clients send. A received value of another format has another type. */
function compareBounds(before: Json, after: Json, direction: Direction, at: string): string[] {
  if (direction === 'out') {
    return before.format === after.format ? [] : [`${at} has another format`];
  }
  const isTighter = (bound: string, isLess: boolean) =>
    after[bound] !== undefined &&
    (before[bound] === undefined || (isLess ? after[bound] < before[bound] : after[bound] > before[bound]));
  const tighter = [
    ...upper.filter((bound) => isTighter(bound, true)),
    ...lower.filter((bound) => isTighter(bound, false)),
    ...['pattern', 'format'].filter(
      (form) =>
        after[form] !== undefined && after[form] !== before[form] && widened[before[form]] !== after[form],
    ),
  ];
  return tighter.map((bound) => `${at} has a tighter ${bound}`);
}

function compareMembers(before: Json, after: Json, direction: Direction, at: string): string[] {
  const found: string[] = [];
  const requiredBefore: string[] = before.required ?? [];
  const requiredAfter: string[] = after.required ?? [];
  for (const [name, schema] of entries(before.properties)) {
    const now = after.properties?.[name];
    if (!now) found.push(`${at}.${name} was removed`);
    else found.push(...compare(schema, now, direction, `${at}.${name}`));
    if (now && direction === 'out' && requiredBefore.includes(name) && !requiredAfter.includes(name)) {
      found.push(`${at}.${name} can now be absent`);
    }
  }
  if (direction === 'in') {
    for (const name of requiredAfter) {
      if (!requiredBefore.includes(name)) found.push(`${at}.${name} is now required`);
    }
  }
  return found;
}

/** Returns the alternatives of a schema: a list of types is one alternative for each. */
function alternatives(schema: Json): Json[] {
  const forms = schema?.anyOf ?? schema?.oneOf;
  if (forms) return forms.flatMap(alternatives);
  if (Array.isArray(schema?.type)) {
    return schema.type.map((type: string) => (type === 'null' ? { type } : { ...schema, type }));
  }
  return [schema ?? {}];
}

function valuesOf(schema: Json): unknown[] | undefined {
  return schema.enum ?? schema['x-extensible-enum'];
}

function isAnything(schema: Json): boolean {
  return schema.type === undefined && valuesOf(schema) === undefined;
}

function nameOf(schema: Json): string {
  return schema.type ?? 'anything';
}

function entries(members: Json): [string, Json][] {
  return Object.entries(members ?? {});
}

/** Returns the default of a parameter, or of a field of a body. */
function defaultOf(schema: Json): Json {
  return schema.default ?? schema['x-default'];
}
