// Shows the reference with Scalar, and fills its calls with ids that the reader's token can reach.
const form = document.querySelector('#token');
const identity = document.querySelector('#identity');
const published = await fetch('/v1/openapi.json').then((response) => response.json());

/** The operation that ends the token with which it is called. It gets a token of its own, never that of the page. */
const SIGN_OUT = 'sessions_signOut';

/** The parameters and fields that take an id, by operation, with the kind of the id. */
const idFields = {
  tickets_askAssistant: { ticket: 'ticket' },
  sessions_end: { id: 'session' },
  mail_restore: { id: 'deleted' },
  mail_saveDraft: { address_id: 'mailbox' },
  mail_send: { address_id: 'mailbox', in_reply_to: 'received' },
  mail_cancelSending: { id: 'draft' },
  mail_get: { id: 'received' },
  mail_mark: { ids: 'messages' },
  mail_move: { ids: 'messages' },
  mail_delete: { ids: 'messages' },
  mail_createAttachment: { address_id: 'mailbox' },
  affiliates_resend: { id: 'preRegistration' },
  calendar_list: { 'calendars[]': 'calendar' },
};

/** Returns the id of a message in a folder; undefined if the token reaches none. */
async function messageIn(folder, token) {
  for (const { id } of await rpc('mail.mailboxes', {}, token)) {
    const { data } = await rpc('mail.list', { address_id: id, folder }, token);
    if (data.length > 0) return data[0].id;
  }
  return undefined;
}

/** Each returns an id that exists and that the token can reach, or a list with one; undefined if there is none. */
const idOf = {
  ticket: async (token) => (await get('/v1/admin/tickets?status=open&limit=1', token))[0]?.id,
  // Never the session of the token itself.
  session: async (token) => (await get('/v1/me/sessions', token)).find(({ current }) => !current)?.id,
  mailbox: async (token) => (await rpc('mail.mailboxes', {}, token))[0]?.id,
  calendar: async (token) => (await get('/v1/me/calendar/events', token))[0]?.calendar_id,
  preRegistration: async (token) => (await get('/v1/affiliates/pre-registrations?limit=1', token))[0]?.id,
  received: (token) => messageIn('inbox', token),
  draft: (token) => messageIn('drafts', token),
  deleted: (token) => messageIn('trash', token),
  async messages(token) {
    const id = await messageIn('inbox', token);
    return id && [id];
  },
};

async function get(path, token) {
  const response = await fetch(path, { headers: { authorization: `Bearer ${token}` } });
  const body = await response.json();
  if (!response.ok) throw new Error(body.error.message ?? body.error.json.message);
  return body.data ?? body.result.data.json;
}

const rpc = (name, input, token) =>
  get(`/trpc/${name}?input=${encodeURIComponent(JSON.stringify({ json: input }))}`, token);

// crypto.randomUUID is missing if the page was loaded over plain HTTP from another machine.
function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** The idempotency keys of the samples. */
const sampleKeys = new Set();

/** Returns the published document with examples that can be sent from this page. */
function sendable(ids) {
  const document = structuredClone(published);
  const { parameters: shared, securitySchemes } = document.components;
  securitySchemes.tokenToEnd = {
    type: 'http',
    scheme: 'bearer',
    description: 'The token to end: one from “Sign in”. The token of the page is not used.',
  };
  for (const operation of Object.values(document.paths).flatMap(Object.values)) {
    if (operation.operationId === SIGN_OUT) operation.security = [{ tokenToEnd: [] }];
    operation.parameters = operation.parameters?.map((parameter) =>
      parameter.$ref?.endsWith('/Idempotency-Key')
        ? withSampleKey(shared['Idempotency-Key'])
        : withoutUnsentExample(parameter),
    );
    const body = operation.requestBody?.content['application/json'].examples?.demo.value;
    for (const [name, kind] of Object.entries(idFields[operation.operationId] ?? {})) {
      // A token without the scope leaves the example.
      if (ids[kind] === undefined) continue;
      const parameter = operation.parameters?.find((each) => each.name === name);
      if (parameter) parameter.example = ids[kind];
      else body[name] = ids[kind];
    }
  }
  return document;
}

function withSampleKey(parameter) {
  const example = newKey();
  sampleKeys.add(example);
  const description = `${parameter.description} A call from this page replaces the key of the sample by a new one.`;
  return { ...parameter, description, example };
}

/** Leaves out a parameter's example if the recorded call has no value for it, because Scalar would send it. */
function withoutUnsentExample(parameter) {
  if (parameter.example !== undefined || !parameter.schema?.examples) return parameter;
  const { examples: _, ...schema } = parameter.schema;
  return { ...parameter, schema };
}

/** Sends a call. Another call is another intention, unless the reader has set the key. */
function send(input, init) {
  const request = new Request(input, init);
  if (sampleKeys.has(request.headers.get('idempotency-key')))
    request.headers.set('idempotency-key', newKey());
  return fetch(request);
}

/** Scalar's settings: it loads nothing from other servers, sends nothing to them, and stores no token. */
const configurationOf = (token, ids) => ({
  content: sendable(ids),
  servers: [{ url: location.origin }],
  authentication: { securitySchemes: { bearer: { token } } },
  customFetch: send,
  persistAuth: false,
  telemetry: false,
  withDefaultFonts: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: 'never',
  hideClientButton: true,
  hideDarkModeToggle: true,
  documentDownloadType: 'none',
  hideModels: true,
  generateOperationSlug: ({ operationId }) => operationId,
  featuredClients: ['shell/curl', 'js/fetch', 'swift/nsurlsession', 'kotlin/okhttp'],
});

const reference = window.Scalar.createApiReference('#reference', configurationOf('', {}));

form.addEventListener('submit', (event) => event.preventDefault());
form.token.addEventListener('change', async () => {
  const token = form.token.value.trim();
  try {
    const { tenant, environment } = await get('/v1/ping', token);
    const kinds = Object.entries(idOf);
    const found = await Promise.all(kinds.map(([, read]) => read(token).catch(() => undefined)));
    reference.updateConfiguration(
      configurationOf(token, Object.fromEntries(kinds.map(([kind], index) => [kind, found[index]]))),
    );
    identity.textContent = `The token acts in ${tenant.name} (${environment}).`;
    form.dataset.state = 'ready';
  } catch (error) {
    identity.textContent = error.message;
  }
});
