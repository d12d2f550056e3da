import type { Json } from './document-components.ts';

/** A call for which samples are shown. */
export interface SampleCall {
  method: string;
  /** The path template: `/v1/admin/tickets/{ticket}/ai`. */
  template: string;
  params: Record<string, string>;
  query: Record<string, string>;
  hasToken: boolean;
  /** Whether the call needs an `Idempotency-Key`. */
  hasKey: boolean;
  body: Json | null;
}

export const languages = ['curl', 'TypeScript', 'Swift', 'Kotlin'] as const;
export type Language = (typeof languages)[number];

/** Returns the code that makes the call, by language. It uses the variables URL and TOKEN, or `url` and `token`. */
export function samplesOf(call: SampleCall): Record<Language, string> {
  return { curl: curl(call), TypeScript: typeScript(call), Swift: swift(call), Kotlin: kotlin(call) };
}

function pathOf({ template, params, query }: SampleCall): string {
  const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name]!));
  const search = Object.entries(query).map(
    ([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`,
  );
  return search.length > 0 ? `${path}?${search.join('&')}` : path;
}

function curl(call: SampleCall): string {
  const { method, hasToken, hasKey, body } = call;
  const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
  return [
    `curl -s${method === 'GET' ? '' : ` -X ${method}`} "$URL${pathOf(call)}"`,
    ...(hasToken ? ['-H "Authorization: Bearer $TOKEN"'] : []),
    ...(hasKey ? ['-H "Idempotency-Key: $(uuid)"'] : []),
    ...(body ? [`-H 'Content-Type: application/json'`, `-d ${quoted(JSON.stringify(body))}`] : []),
  ].join(' \\\n  ');
}

function typeScript({ method, template, params, query, body }: SampleCall): string {
  const isEmpty = (values: object) => Object.keys(values).length === 0;
  const typed = Object.fromEntries(
    Object.entries(query).map(([name, value]) => [name, name === 'limit' ? Number(value) : value]),
  );
  const lists = Object.fromEntries(
    Object.entries(typed).map(([name, value]) => [name, name.endsWith('[]') ? [Number(value)] : value]),
  );
  const parts = {
    ...(isEmpty(params) ? {} : { path: params }),
    ...(isEmpty(lists) ? {} : { query: lists }),
  };
  const init = { ...(isEmpty(parts) ? {} : { params: parts }), ...(body && { body }) };
  const options = isEmpty(init) ? '' : `, ${literal(init)}`;
  return `import { createRestClient } from '@firmdesk/client';

const client = createRestClient({ url, token });
const { data } = await client.${method}('${template}'${options});`;
}

/** Returns a JavaScript literal: JSON without quotes around names that need none. */
function literal(value: object): string {
  return JSON.stringify(value, null, 2).replaceAll(/^( *)"([A-Za-z_]\w*)":/gm, '$1$2:');
}

function swift(call: SampleCall): string {
  const { method, hasToken, hasKey, body } = call;
  const header = (value: string, name: string) => `request.setValue(${value}, forHTTPHeaderField: "${name}")`;
  return [
    'import Foundation',
    '',
    `var request = URLRequest(url: URL(string: url + "${pathOf(call)}")!)`,
    ...(method === 'GET' ? [] : [`request.httpMethod = "${method}"`]),
    ...(hasToken ? [header('"Bearer \\(token)"', 'Authorization')] : []),
    ...(hasKey ? [header('UUID().uuidString', 'Idempotency-Key')] : []),
    ...(body
      ? [
          header('"application/json"', 'Content-Type'),
          `request.httpBody = Data(#"${JSON.stringify(body)}"#.utf8)`,
        ]
      : []),
    'let (data, response) = try await URLSession.shared.data(for: request)',
  ].join('\n');
}

function kotlin(call: SampleCall): string {
  const { method, hasToken, hasKey, body } = call;
  const text = JSON.stringify(body ?? {}).replaceAll('$', `\${'$'}`);
  const content = `"""${text}""".toRequestBody("application/json".toMediaType())`;
  const verb =
    method === 'GET' ? [] : [method === 'DELETE' ? '.delete()' : `.${method.toLowerCase()}(${content})`];
  const imports = [
    'okhttp3.OkHttpClient',
    'okhttp3.Request',
    ...(verb.length > 0 && method !== 'DELETE'
      ? ['okhttp3.MediaType.Companion.toMediaType', 'okhttp3.RequestBody.Companion.toRequestBody']
      : []),
    ...(hasKey ? ['java.util.UUID'] : []),
  ];
  return [
    ...imports.toSorted().map((name) => `import ${name}`),
    '',
    'val request = Request.Builder()',
    `    .url(url + "${pathOf(call)}")`,
    ...(hasToken ? ['    .header("Authorization", "Bearer $token")'] : []),
    ...(hasKey ? ['    .header("Idempotency-Key", UUID.randomUUID().toString())'] : []),
    ...verb.map((line) => `    ${line}`),
    '    .build()',
    'val body = OkHttpClient().newCall(request).execute().use { it.body?.string() }',
  ].join('\n');
}
