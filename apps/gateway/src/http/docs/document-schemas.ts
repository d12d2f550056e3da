import * as contract from '@firmdesk/contract';
import { z } from 'zod';
import type { Json } from './document-components.ts';

/** Whether clients send or receive a schema. Received values may gain fields, which must not break a generated client. */
export type Direction = 'in' | 'out';

const INT32_MAX = 2_147_483_647;

// Clients use the names of the contract's exports.
for (const [name, schema] of Object.entries(contract)) {
  if (!(schema instanceof z.ZodType)) continue;
  const known = z.globalRegistry.get(schema);
  if (!known?.title) z.globalRegistry.add(schema, { ...known, title: name });
}

/**
 * Rewrites a schema into the forms that generators of Swift and Kotlin clients support (docs/decisions/0006): no `const`, no
 * union, no closed object or enumeration in a response, integers with a width.
 */
export function plainSchema(schema: Json, direction: Direction): Json {
  const { anyOf, oneOf, ...rest } = schema as { anyOf?: Json[]; oneOf?: Json[] } & Json;
  const forms = anyOf ?? oneOf;
  if (forms) return plainUnion(forms, rest, direction);
  const plain: Json = { ...rest };
  for (const key of [
    'properties',
    'items',
    'additionalProperties',
    'propertyNames',
    'const',
    '$schema',
    '~standard',
  ]) {
    delete plain[key];
  }
  // The format already says what the regular expression says.
  if ('format' in plain) delete plain['pattern'];
  if (rest['properties']) {
    plain['properties'] = Object.fromEntries(
      Object.entries(rest['properties'] as Record<string, Json>).map(([name, member]) => [
        name,
        plainSchema(member, direction),
      ]),
    );
  } else if (rest['type'] === 'object') plain['additionalProperties'] = true;
  if (rest['items']) plain['items'] = plainSchema(rest['items'] as Json, direction);
  if (rest['type'] === 'integer') Object.assign(plain, plainInteger(plain));
  if (rest['const'] !== undefined && rest['type'] === 'string') plain['enum'] = [rest['const']];
  return plainEnum(plain, direction);
}

/** Rewrites a union: a nullable value becomes a list of two types, and a text that may be an integer becomes both. */
function plainUnion(forms: Json[], rest: Json, direction: Direction): Json {
  const known = forms.filter(({ type }) => type !== 'null').map((form) => plainSchema(form, direction));
  const text = known.find(({ type }) => type === 'string');
  if (known.length === 1 && known.length < forms.length) {
    return { ...known[0], ...rest, type: [known[0]!['type'], 'null'] };
  }
  if (known.length === 2 && text && known.some(({ type }) => type === 'integer')) {
    const described = [rest['description'], 'An integer is accepted too.'].filter(Boolean).join('. ');
    return { ...text, ...rest, description: described, 'x-also': 'integer' };
  }
  throw new Error(`Generated clients cannot represent the union ${JSON.stringify(forms)}.`);
}

/** Replaces zod's integer bounds, those of a JavaScript number, by a format with a width. */
function plainInteger({ minimum, maximum, exclusiveMinimum }: Json): Json {
  const least = typeof exclusiveMinimum === 'number' ? exclusiveMinimum + 1 : minimum;
  const isWide = typeof maximum === 'number' && maximum > INT32_MAX && maximum < Number.MAX_SAFE_INTEGER;
  return {
    format: isWide ? 'int64' : 'int32',
    exclusiveMinimum: undefined,
    minimum: least === Number.MIN_SAFE_INTEGER ? undefined : least,
    maximum: maximum === Number.MAX_SAFE_INTEGER ? undefined : maximum,
  };
}

/** Turns an enumeration that clients receive into a string, because a later version may add values. */
function plainEnum(schema: Json, direction: Direction): Json {
  const values = schema['enum'] as string[] | undefined;
  if (!values) return schema;
  if (values.length === 1) return { description: `Always \`${values[0]}\`.`, ...schema };
  if (direction === 'in') {
    const names = values.map((value) => value.replace(/^-(.*)/, '$1_descending'));
    const isNamed = names.some((name, index) => name !== values[index]);
    return { ...schema, ...(isNamed && { 'x-enum-varnames': names }) };
  }
  const { enum: _, description, ...open } = schema;
  const known = `One of ${values.map((value) => `\`${value}\``).join(', ')}; others may be added.`;
  return {
    ...open,
    description: description ? `${description}. ${known}` : known,
    'x-extensible-enum': values,
  };
}

/** Gives every object and enumeration a name, and collects them as components. */
export class NamedSchemas {
  readonly components: Record<string, Json> = {};

  /**
   * Returns the reference that replaces the schema. Its name is the schema's `title`, or `name`.
   *
   * @param name the name for a schema without a title: that of its operation or parent object, and that of the member
   */
  refer(schema: Json, name: string): Json {
    const { title, ...rest } = schema;
    const items = rest['items'] as Json | undefined;
    if (items) return { ...rest, items: this.refer(items, name.replace(/s$/, '')) };
    const properties = rest['properties'] as Record<string, Json> | undefined;
    const values = rest['enum'] as unknown[] | undefined;
    if (!properties && !(values && values.length > 1)) return rest;
    const isNullable = Array.isArray(rest['type']);
    const called = (title as string | undefined) ?? name;
    const component: Json = {
      ...rest,
      ...(properties && {
        properties: Object.fromEntries(
          Object.entries(properties).map(([key, member]) => [
            key,
            this.refer(member, `${called}${pascalCase(key)}`),
          ]),
        ),
      }),
    };
    // The type repeats the component's, because swagger-typescript-api reads it only beside the reference.
    return isNullable
      ? { ...this.#place(component, `Nullable${called}`, name), type: rest['type'] }
      : this.#place(component, called, name);
  }

  #place(component: Json, name: string, other: string): Json {
    const placed = this.components[name];
    const isSame = !placed || JSON.stringify(placed) === JSON.stringify(component);
    if (!isSame && name === other) throw new Error(`Two schemas are called ${name}.`);
    if (!isSame) return this.#place(component, other, other);
    this.components[name] = component;
    return { $ref: `#/components/schemas/${name}` };
  }
}

/** Converts `tickets.list` or `referral_code` to a part of a type's name. */
export function pascalCase(name: string): string {
  const words = name.split(/[^A-Za-z0-9]+/);
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}
