/** zod's default texts. */
const ZOD_DEFAULT =
  /\bInvalid (?:input|option|string|number|key|value|discriminator|[A-Za-z0-9]+$)|Too (?:big|small)|Unrecognized key|, received /;

interface ErrorBody {
  message: string;
  fields?: { path: string; message: string }[];
}

/** Returns what is unclear in the messages of an error; null if they are sentences that name their fields. */
export function unclearMessage({ message, fields = [] }: ErrorBody): string | null {
  for (const text of [message, ...fields.map((field) => field.message)]) {
    if (ZOD_DEFAULT.test(text)) return `a default text of zod: ${text}`;
    if (!/^["A-Z0-9].*\.$/s.test(text)) return `a message that is not a sentence: ${text}`;
  }
  const nameless = fields.find(({ path, message }) => {
    const name = path === '' ? 'The body ' : `"${path}" `;
    return !message.startsWith(name) || message === `${name}.`;
  });
  return nameless ? `a message that does not name "${nameless.path}": ${nameless.message}` : null;
}
