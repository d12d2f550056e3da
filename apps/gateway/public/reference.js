// Sends calls from the reference. The token stays in the field: it is not stored.
const settings = document.querySelector('#settings');
const identity = document.querySelector('#identity');

const wide = matchMedia('(min-width: 84rem)');
const unfold = () => {
  document.querySelector('#contents').open = wide.matches;
};
wide.addEventListener('change', unfold);
unfold();

settings.addEventListener('submit', (event) => event.preventDefault());
settings.language.addEventListener('change', () => {
  document.body.dataset.language = settings.language.value;
});
document.body.dataset.language = settings.language.value;

// crypto.randomUUID is missing if the page was loaded over plain HTTP from another machine.
function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

async function get(path) {
  const response = await fetch(path, { headers: { authorization: `Bearer ${settings.token.value.trim()}` } });
  const body = await response.json();
  if (!response.ok) throw new Error(body.error.message ?? body.error.json.message);
  return body.data ?? body.result.data.json;
}

const rpc = (name, input) =>
  get(`/trpc/${name}?input=${encodeURIComponent(JSON.stringify({ json: input }))}`);

/** Each returns an id that exists and that the token can reach; undefined if there is none. */
const idOf = {
  ticket: async () => (await get('/v1/admin/tickets?status=open&limit=1'))[0]?.id,
  // Never the session of the token itself.
  session: async () => (await get('/v1/me/sessions')).find(({ current }) => !current)?.id,
  mailbox: async () => (await rpc('mail.mailboxes'))[0]?.id,
  calendar: async () => (await get('/v1/me/calendar/events'))[0]?.calendar_id,
  async message() {
    for (const { id } of await rpc('mail.mailboxes')) {
      const { data } = await rpc('mail.list', { address_id: id, folder: 'trash' });
      if (data.length > 0) return data[0].id;
    }
    return undefined;
  },
};

async function fillIds() {
  const fields = [...document.querySelectorAll('[data-fetch]')];
  for (const kind of new Set(fields.map((field) => field.dataset.fetch))) {
    // A token without the scope leaves the example.
    const id = await idOf[kind]().catch(() => undefined);
    if (id === undefined) continue;
    for (const field of fields.filter((one) => one.dataset.fetch === kind)) {
      if (field.tagName === 'INPUT') field.value = id;
      else field.value = JSON.stringify({ ...JSON.parse(field.value), [field.dataset.field]: id }, null, 2);
    }
  }
}

settings.token.addEventListener('change', async () => {
  try {
    const { tenant, environment } = await get('/v1/ping');
    identity.textContent = `The token acts in ${tenant.name} (${environment}).`;
    await fillIds();
    settings.dataset.state = 'ready';
  } catch (error) {
    identity.textContent = error.message;
  }
});

for (const form of document.querySelectorAll('.try form')) {
  const key = form.elements['Idempotency-Key'];
  if (key) key.value = newKey();
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const result = form.querySelector('.result');
    result.textContent = 'Sending …';
    try {
      result.replaceChildren(...(await send(form)));
    } catch (error) {
      result.textContent = `The call was not sent: ${error.message}`;
    }
    // Another submit is another intention.
    if (key) key.value = newKey();
  });
}

async function send(form) {
  const inputs = [...form.querySelectorAll('input[data-in]')].filter(({ value }) => value !== '');
  const ofPlace = (place) => inputs.filter((input) => input.dataset.in === place);
  const path = ofPlace('path').reduce(
    (text, { name, value }) => text.replace(`{${name}}`, encodeURIComponent(value)),
    form.dataset.path,
  );
  const query = new URLSearchParams(ofPlace('query').map(({ name, value }) => [name, value]));
  const headers = new Headers(ofPlace('header').map(({ name, value }) => [name, value]));
  const token = (form.elements['own-token'] ?? settings.token).value.trim();
  if (form.dataset.public !== 'true') {
    if (token === '') throw new Error('enter a token at the top of the page.');
    headers.set('authorization', `Bearer ${token}`);
  }
  const body = form.elements.body?.value;
  if (body !== undefined) headers.set('content-type', 'application/json');
  const response = await fetch(query.size > 0 ? `${path}?${query}` : path, {
    method: form.dataset.method,
    headers,
    ...(body !== undefined && { body }),
  });
  return describe(response);
}

async function describe(response) {
  const paragraph = (text) => Object.assign(document.createElement('p'), { textContent: text });
  const text = await response.text();
  const code = Object.assign(document.createElement('code'), {
    textContent: text === '' ? '' : JSON.stringify(JSON.parse(text), null, 2),
  });
  const pre = document.createElement('pre');
  pre.tabIndex = 0;
  pre.append(code);
  const ignored = response.headers.get('ignored-parameters');
  return [
    paragraph(`${response.status} · ${response.headers.get('x-request-id')}`),
    ...(ignored === null ? [] : [paragraph(`Ignored-Parameters: ${ignored}`)]),
    pre,
  ];
}
