import { escapeHtml, inline, layout, markdown, setupText } from './docs-layout.ts';
import { languages, type SampleCall, samplesOf } from './docs-samples.ts';
import type { Json } from './document-components.ts';

/** An operation of the document. */
interface Operation {
  id: string;
  method: string;
  path: string;
  /** With references to shared parameters resolved. */
  parameters: Json[];
  about: Json;
}

/** Returns the page with every operation of the document: its input, its responses, samples, and a form that calls it. */
export function referencePage(document: Json, publicUrl: string): string {
  const { tags, info } = document as { tags: Json[]; info: { description: string } };
  const operations = operationsOf(document);
  const ofTag = (tag: Json) =>
    operations.filter(({ about }) => (about['tags'] as unknown[]).includes(tag['name']));
  const contents = tags.map(
    (tag) =>
      `<li>${text(tag['name'])}<ul>${ofTag(tag)
        .map(({ id, about }) => `<li><a href="#${id}">${text(about['summary'])}</a></li>`)
        .join('')}</ul></li>`,
  );
  const sections = tags.map(
    (tag) => `<section><h2 id="${String(tag['name']).toLowerCase()}">${text(tag['name'])}</h2>
<p>${inline(String(tag['description']))}</p>
${ofTag(tag)
  .map((operation) => operationArticle(operation, document))
  .join('\n')}</section>`,
  );
  return layout({
    title: 'Reference',
    kind: 'reference',
    script: '/docs/reference.js',
    content: `<aside><details id="contents"><summary>Operations</summary><nav aria-label="Operations"><ul>${contents.join('')}</ul></nav></details></aside>
<div class="operations">
<h1>Reference</h1>
<p>${inline(info.description)}</p>
<form class="settings" id="settings">
  <label>Token <input name="token" type="password" autocomplete="off" placeholder="fd_live_…"></label>
  <label>Samples in <select name="language">${languages.map((name) => `<option>${name}</option>`).join('')}</select></label>
  <p role="status" id="identity">Enter a token to send calls from this page. It stays in this page until you close it.</p>
</form>
<details><summary>Variables of the samples</summary>${markdown.render(setupText(publicUrl))}</details>
${sections.join('\n')}
</div>`,
  });
}

function operationsOf(document: Json): Operation[] {
  return Object.entries(document['paths'] as Record<string, Record<string, Json>>).flatMap(([path, item]) =>
    Object.entries(item).map(([method, about]) => ({
      id: String(about['operationId']),
      method: method.toUpperCase(),
      path,
      parameters: ((about['parameters'] ?? []) as Json[]).map((parameter) => resolve(parameter, document)),
      about,
    })),
  );
}

function operationArticle(operation: Operation, document: Json): string {
  const { id, method, path, parameters, about } = operation;
  const places = [
    ['path', 'Path'],
    ['query', 'Query'],
    ['header', 'Headers'],
  ] as const;
  const inputs = places.flatMap(([place, title]) => {
    const rows = parameters.filter((parameter) => parameter['in'] === place);
    return rows.length === 0
      ? []
      : [`<h4>${title}</h4>${fieldList(rows.map((row) => parameterField(row, document)))}`];
  });
  const body = bodySchema(about['requestBody'] as Json | undefined);
  const permissions = about['description'] === undefined ? '' : paragraphs(String(about['description']));
  return `<article id="${id}">
<div class="about">
<h3>${text(about['summary'])}</h3>
<p class="target"><span class="method">${method}</span> <code>${text(path)}</code></p>
${permissions}
${inputs.join('\n')}
${body ? `<h4>Body</h4>${fieldList(fieldsOf(body, document))}` : ''}
<h4>Responses</h4>
${responses(about['responses'] as Record<string, Json>, document)}
</div>
<div class="use">
${sampleBlocks(operation)}
${successExample(about['responses'] as Record<string, Json>)}
${callForm(operation)}
</div>
</article>`;
}

/** A row of a list of fields. */
interface Field {
  name: string;
  type: string;
  isRequired: boolean;
  description: string;
  nested: Field[];
}

function parameterField(parameter: Json, document: Json): Field {
  const schema = resolve(parameter['schema'] as Json, document);
  return {
    name: String(parameter['name']),
    type: typeOf(schema, document),
    isRequired: parameter['required'] === true,
    description: String(parameter['description'] ?? ''),
    nested: [],
  };
}

/** Returns the fields of an object, or of the items of an array, with those of the objects in it. */
function fieldsOf(schema: Json, document: Json): Field[] {
  const object = resolve(schema, document);
  if (object['items']) return fieldsOf(object['items'] as Json, document);
  const required = (object['required'] ?? []) as string[];
  return Object.entries((object['properties'] ?? {}) as Record<string, Json>).map(([name, property]) => {
    const own = resolve(property, document);
    return {
      name,
      type: typeOf(own, document),
      isRequired: required.includes(name),
      description: String(property['description'] ?? own['description'] ?? ''),
      nested: fieldsOf(own, document),
    };
  });
}

function typeOf(schema: Json, document: Json): string {
  const values = (schema['enum'] ?? schema['x-extensible-enum']) as unknown[] | undefined;
  const types = [schema['type']].flat().filter((type) => type !== 'null');
  const isNullable = [schema['type']].flat().includes('null');
  const base = schema['items']
    ? `array of ${typeOf(resolve(schema['items'] as Json, document), document)}`
    : values
      ? values
          .filter((value) => value !== null)
          .map((value) => `"${String(value)}"`)
          .join(', ')
      : String(types[0] ?? 'any');
  const limit =
    schema['maxLength'] !== undefined
      ? `, at most ${Number(schema['maxLength']).toLocaleString('en')} characters`
      : '';
  return `${base}${limit}${isNullable ? ' or null' : ''}`;
}

function fieldList(fields: Field[]): string {
  const items = fields.map(
    ({ name, type, isRequired, description, nested }) =>
      `<dt><code>${text(name)}</code> <span class="type">${text(type)}</span>${
        isRequired ? ' <span class="required">required</span>' : ''
      }</dt><dd>${inline(description)}${nested.length > 0 ? `<details><summary>Fields of <code>${text(name)}</code></summary>${fieldList(nested)}</details>` : ''}</dd>`,
  );
  return `<dl class="fields">${items.join('')}</dl>`;
}

function responses(all: Record<string, Json>, document: Json): string {
  const successes = Object.entries(all).filter(([status]) => Number(status) < 400);
  const errors = Object.entries(all).filter(([status]) => Number(status) >= 400);
  const shown = successes.map(([status, response]) => {
    const schema = bodySchema(response);
    const fields = schema ? fieldList(fieldsOf(schema, document)) : '';
    return `<details><summary><code>${status}</code> ${text(response['description'])}</summary>${fields}</details>`;
  });
  const codes = errors.flatMap(([status, response]) =>
    (response['x-error-codes'] as string[]).map(
      (code) =>
        `<li><code>${status}</code> <a href="/docs/guides/errors#${code}"><code>${code}</code></a></li>`,
    ),
  );
  return `${shown.join('')}<details><summary>Errors (${codes.length})</summary><ul class="codes">${codes.join('')}</ul></details>`;
}

function sampleBlocks(operation: Operation): string {
  const samples = samplesOf(sampleCall(operation));
  return languages
    .map(
      (language) =>
        `<pre class="sample" data-language="${language}" tabindex="0" aria-label="Sample in ${language}"><code>${text(samples[language])}</code></pre>`,
    )
    .join('\n');
}

/** Returns the recorded call of an operation. */
export function sampleCall({ method, path, parameters, about }: Operation): SampleCall {
  const valuesIn = (place: string) =>
    Object.fromEntries(
      parameters
        .filter((parameter) => parameter['in'] === place && parameter['example'] !== undefined)
        .map((parameter) => [String(parameter['name']), String(parameter['example'])]),
    );
  return {
    method,
    template: path,
    params: valuesIn('path'),
    query: valuesIn('query'),
    hasToken: (about['security'] as unknown[]).length > 0,
    hasKey: parameters.some(({ name }) => name === 'Idempotency-Key'),
    body: exampleBody(about['requestBody'] as Json | undefined),
  };
}

/** Returns every operation of the document with its recorded call. */
export function sampleCalls(document: Json): SampleCall[] {
  return operationsOf(document).map((operation) => sampleCall(operation));
}

function successExample(all: Record<string, Json>): string {
  const success = Object.entries(all).find(([status]) => Number(status) < 300);
  const example = success && exampleBody(success[1]);
  if (!example) return '';
  return `<details><summary>Response <code>${success[0]}</code></summary><pre tabindex="0"><code>${text(JSON.stringify(example, null, 2))}</code></pre></details>`;
}

/** The names of the path parameters and fields for which the page fetches an id that exists, by operation. */
const fetchedIds: Record<string, Record<string, string>> = {
  tickets_askAssistant: { ticket: 'ticket' },
  sessions_end: { id: 'session' },
  mail_restore: { id: 'message' },
  mail_saveDraft: { address_id: 'mailbox' },
  calendar_list: { 'calendars[]': 'calendar' },
};

/** The operation that ends the token with which it is called. The form asks for a token of its own. */
const SIGN_OUT = 'sessions_signOut';

function callForm({ id, method, path, parameters, about }: Operation): string {
  const ids = fetchedIds[id] ?? {};
  const fields = parameters.map((parameter) => {
    const name = String(parameter['name']);
    const isRequired = parameter['required'] === true;
    const attributes = [
      `name="${text(name)}" data-in="${String(parameter['in'])}"`,
      `value="${text(parameter['example'] ?? '')}"`,
      ...(ids[name] ? [`data-fetch="${ids[name]}"`] : []),
      ...(isRequired ? ['required'] : []),
    ];
    return `<label>${text(name)}${isRequired ? ' <span class="required">required</span>' : ''} <input ${attributes.join(' ')}></label>`;
  });
  const body = about['requestBody'] as Json | undefined;
  const example = exampleBody(body);
  const bodyIds = Object.entries(ids).filter(([name]) => example && name in example);
  const content = body
    ? `<label>Body <textarea name="body" rows="8" spellcheck="false"${bodyIds.map(([name, kind]) => ` data-field="${name}" data-fetch="${kind}"`).join('')}>${text(JSON.stringify(example ?? {}, null, 2))}</textarea></label>`
    : '';
  const own =
    id === SIGN_OUT
      ? `<p>This call ends the token that it is sent with. The token above is not used: enter one from “Sign in”.</p>
<label>Token to end <span class="required">required</span> <input name="own-token" type="password" autocomplete="off" required></label>`
      : '';
  return `<details class="try"><summary>Try it</summary>
<form data-method="${method}" data-path="${text(path)}" data-public="${(about['security'] as unknown[]).length === 0}">
${own}${fields.join('\n')}${content}
<button type="submit">Send</button>
<div class="result" role="status"></div>
</form></details>`;
}

function bodySchema(content: Json | undefined): Json | null {
  const media = (content?.['content'] as Json | undefined)?.['application/json'] as Json | undefined;
  return (media?.['schema'] as Json | undefined) ?? null;
}

function exampleBody(content: Json | undefined): Json | null {
  const media = (content?.['content'] as Json | undefined)?.['application/json'] as Json | undefined;
  const examples = media?.['examples'] as { demo?: { value: Json } } | undefined;
  return examples?.demo?.value ?? null;
}

/** Returns the component that a reference names, or the value itself. */
function resolve(value: Json, document: Json): Json {
  const { $ref } = value as { $ref?: string };
  if ($ref === undefined) return value;
  const [, , kind, name] = $ref.split('/') as [string, string, string, string];
  return (document['components'] as Record<string, Record<string, Json>>)[kind]![name]!;
}

function paragraphs(markdown: string): string {
  return markdown
    .split('\n\n')
    .map((paragraph) => `<p>${inline(paragraph)}</p>`)
    .join('');
}

function text(value: unknown): string {
  return escapeHtml(String(value));
}
