// biome-ignore lint/suspicious/noExplicitAny: a JSON document, walked by hand
type Json = any;

/** Whether a schema describes what clients send or what they are sent: what narrows the one widens the other. */
type Direction = 'in' | 'out';

/**
 * What of the earlier OpenAPI document the later one takes away from a client that was written for it; empty for
 * additions alone. New values of an enumeration that the service sends, and new error codes, count as additions.
 */
export function breakingChanges(before: Json, after: Json): string[] {
  const found: string[] = [];
  for (const [path, item] of entries(before.paths)) {
    for (const [method, operation] of entries(item)) {
      const at = `${method.toUpperCase()} ${path}`;
      const now = after.paths[path]?.[method];
      if (!now) found.push(`${at} is gone`);
      else found.push(...ofOperation(operation, now, before, after).map((change) => `${at}: ${change}`));
    }
  }
  return found;
}

function ofOperation(before: Json, after: Json, old: Json, current: Json): string[] {
  const found: string[] = [];
  if (before.security?.length === 0 && after.security?.length !== 0) found.push('needs a token now');
  const given = parametersOf(before, old);
  const taken = parametersOf(after, current);
  for (const [name, parameter] of given) {
    const now = taken.get(name);
    if (!now) found.push(`the parameter ${name} is gone`);
    else if (now.required && !parameter.required) found.push(`the parameter ${name} is required now`);
    else found.push(...compare(parameter.schema, now.schema, 'in', name));
  }
  for (const [name, { required }] of taken) {
    if (required && !given.has(name)) found.push(`the parameter ${name} is new and required`);
  }
  const sent = bodyOf(before.requestBody);
  const read = bodyOf(after.requestBody);
  if (sent && !read) found.push('takes no body any more');
  else if (read) {
    if (after.requestBody.required && !before.requestBody?.required) found.push('needs a body now');
    if (sent) found.push(...compare(sent, read, 'in', 'body'));
  }
  for (const [status, response] of entries(before.responses)) {
    if (Number(status) >= 300) continue;
    const now = after.responses[status];
    if (!now) found.push(`the status ${status} is gone`);
    else found.push(...compare(bodyOf(response), bodyOf(now), 'out', status));
  }
  return found;
}

function parametersOf(operation: Json, document: Json): Map<string, Json> {
  const parameters = (operation.parameters ?? []).map((parameter: Json) =>
    parameter.$ref ? document.components.parameters[parameter.$ref.split('/').at(-1)] : parameter,
  );
  return new Map(parameters.map((parameter: Json) => [`${parameter.in} ${parameter.name}`, parameter]));
}

function bodyOf(carrier: Json): Json {
  return carrier?.content?.['application/json']?.schema;
}

/** What the client's own view of a value (`before`) loses under `after`. */
function compare(before: Json, after: Json, direction: Direction, at: string): string[] {
  const [was, is] = [alternatives(before), alternatives(after)];
  if (was.length === 1 && is.length === 1) return compareOne(was[0], is[0], direction, at);
  // Each form that a client sends must still be taken; each that it is sent must be one that it knows.
  const [needed, offered] = direction === 'in' ? [was, is] : [is, was];
  return needed
    .filter(
      (form) =>
        !offered.some((other) => {
          const [earlier, later] = direction === 'in' ? [form, other] : [other, form];
          return compareOne(earlier, later, direction, at).length === 0;
        }),
    )
    .map((form) => `${at} ${direction === 'in' ? 'no longer takes' : 'can now be'} ${nameOf(form)}`);
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
  if (direction === 'out') return was && !is ? [`${at} can now be any text`] : [];
  if (!is) return [];
  const lost = was ? was.filter((value: unknown) => !is.includes(value)) : ['other values'];
  return lost.map((value: unknown) => `${at} no longer takes ${value}`);
}

const upper = ['maxLength', 'maximum', 'exclusiveMaximum', 'maxItems', 'maxProperties'];
const lower = ['minLength', 'minimum', 'exclusiveMinimum', 'minItems', 'minProperties'];

/** Only what is sent can be refused for its size or form. */
function compareBounds(before: Json, after: Json, direction: Direction, at: string): string[] {
  if (direction === 'out') return [];
  const isTighter = (bound: string, isLess: boolean) =>
    after[bound] !== undefined &&
    (before[bound] === undefined || (isLess ? after[bound] < before[bound] : after[bound] > before[bound]));
  const tighter = [
    ...upper.filter((bound) => isTighter(bound, true)),
    ...lower.filter((bound) => isTighter(bound, false)),
    ...['pattern', 'format'].filter((form) => after[form] !== undefined && after[form] !== before[form]),
  ];
  return tighter.map((bound) => `${at} has a tighter ${bound}`);
}

function compareMembers(before: Json, after: Json, direction: Direction, at: string): string[] {
  const found: string[] = [];
  const requiredBefore: string[] = before.required ?? [];
  const requiredAfter: string[] = after.required ?? [];
  for (const [name, schema] of entries(before.properties)) {
    const now = after.properties?.[name];
    if (!now) found.push(`${at}.${name} is gone`);
    else found.push(...compare(schema, now, direction, `${at}.${name}`));
    if (now && direction === 'out' && requiredBefore.includes(name) && !requiredAfter.includes(name)) {
      found.push(`${at}.${name} can now be absent`);
    }
  }
  if (direction === 'in') {
    for (const name of requiredAfter) {
      if (!requiredBefore.includes(name)) found.push(`${at}.${name} is required now`);
    }
  }
  return found;
}

/** The forms that a value can have: a list of types is that many forms. */
function alternatives(schema: Json): Json[] {
  const forms = schema?.anyOf ?? schema?.oneOf;
  if (forms) return forms.flatMap(alternatives);
  if (Array.isArray(schema?.type)) {
    return schema.type.map((type: string) => (type === 'null' ? { type } : { ...schema, type }));
  }
  return [schema ?? {}];
}

function valuesOf(schema: Json): unknown[] | undefined {
  return schema.const === undefined ? schema.enum : [schema.const];
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
