import { expect, test } from 'vitest';
import { type AnswerKind, answerRecipients, answerSubject, answerText } from './reply.ts';

const people = (...emails: string[]) => emails.map((email) => ({ email, name: null }));
const OWN = 'support@firm.example';

test.each<[string, AnswerKind, Parameters<typeof answerRecipients>[0], { to: string[]; cc: string[] }]>([
  [
    'a reply goes to the sender only',
    'reply',
    {
      from: people('ann@x.example')[0]!,
      reply_to: [],
      to_recipients: people(OWN, 'bob@x.example'),
      cc_recipients: [],
    },
    { to: ['ann@x.example'], cc: [] },
  ],
  [
    'a reply to all leaves out the own address in any case, and names nobody twice',
    'replyAll',
    {
      from: people('ann@x.example')[0]!,
      reply_to: [],
      to_recipients: people('Support@Firm.example', 'bob@x.example', 'ANN@x.example'),
      cc_recipients: people('cy@x.example', 'Bob@x.example'),
    },
    { to: ['ann@x.example'], cc: ['bob@x.example', 'cy@x.example'] },
  ],
  [
    'a reply goes to whom the sender names for answers',
    'reply',
    {
      from: people('ann@x.example')[0]!,
      reply_to: people('list@x.example', 'Support@firm.example', 'cy@x.example'),
      to_recipients: people(OWN, 'bob@x.example'),
      cc_recipients: [],
    },
    { to: ['list@x.example', 'cy@x.example'], cc: [] },
  ],
  [
    'a reply to a message that names only the own address for answers goes to its sender',
    'reply',
    {
      from: people('ann@x.example')[0]!,
      reply_to: people(OWN),
      to_recipients: people(OWN),
      cc_recipients: [],
    },
    { to: ['ann@x.example'], cc: [] },
  ],
  [
    'a reply to an own message goes to its recipients',
    'reply',
    {
      from: people(OWN)[0]!,
      reply_to: [],
      to_recipients: people('ann@x.example'),
      cc_recipients: people('cy@x.example'),
    },
    { to: ['ann@x.example'], cc: [] },
  ],
  [
    'a reply to all of an own message keeps who had a copy',
    'replyAll',
    {
      from: people(OWN)[0]!,
      reply_to: [],
      to_recipients: people('ann@x.example'),
      cc_recipients: people('cy@x.example'),
    },
    { to: ['ann@x.example'], cc: ['cy@x.example'] },
  ],
  [
    'a reply to a message to oneself goes to oneself',
    'replyAll',
    { from: people(OWN)[0]!, reply_to: [], to_recipients: people(OWN), cc_recipients: [] },
    { to: [OWN], cc: [] },
  ],
  [
    'a forwarded message has no recipients yet',
    'forward',
    { from: people('ann@x.example')[0]!, reply_to: [], to_recipients: people(OWN), cc_recipients: [] },
    { to: [], cc: [] },
  ],
])('%s', (_name, kind, message, expected) => {
  expect(answerRecipients(message, kind, OWN)).toEqual(expected);
});

test.each<[string, AnswerKind, string]>([
  ['Terms', 'reply', 'Re: Terms'],
  ['Re: Terms', 'reply', 'Re: Terms'],
  ['RE: re: AW: Re[2]: Terms', 'replyAll', 'Re: Terms'],
  ['Fwd: Terms', 'reply', 'Re: Fwd: Terms'],
  ['Re: Terms', 'forward', 'Fwd: Re: Terms'],
  ['FW: Fwd: Terms', 'forward', 'Fwd: Terms'],
  ['Report: Terms', 'reply', 'Re: Report: Terms'],
  ['', 'reply', 'Re:'],
])('the subject of an answer to %j (%s) is %j', (subject, kind, expected) => {
  expect(answerSubject(subject, kind)).toBe(expected);
});

test('quotes the message below an empty line', () => {
  const message = {
    id: 'msg_1',
    from: { email: 'ann@x.example', name: 'Ann Lee' },
    reply_to: [],
    to_recipients: people('bob@x.example'),
    cc_recipients: [],
    subject: 'Terms',
    message_at: '2026-11-27T10:00:00.000000Z',
  };
  const about = { text: 'Yes.\n\n> No?', at: 'Friday at 10:00' };
  expect(answerText(message, 'reply', about)).toBe(
    '\n\nOn Friday at 10:00, Ann Lee <ann@x.example> wrote:\n> Yes.\n>\n>> No?',
  );
  expect(answerText(message, 'forward', about)).toBe(
    '\n\n---------- Forwarded message ----------\nFrom: Ann Lee <ann@x.example>\nDate: Friday at 10:00\nSubject: Terms\nTo: bob@x.example\n\nYes.\n\n> No?',
  );
});

test.each(['x'.repeat(60_000), 'x\n'.repeat(3_000)])(
  'quotes the beginning of a long message, and says so',
  (text) => {
    const message = {
      id: 'msg_1',
      from: { email: 'ann@x.example', name: null },
      reply_to: [],
      to_recipients: [],
      cc_recipients: [],
      subject: '',
      message_at: '2026-11-27T10:00:00.000000Z',
    };
    const quoted = answerText(message, 'reply', { text, at: 'Friday' });
    expect(quoted.split('\n').length).toBeLessThan(2_010);
    expect(quoted.length).toBeLessThan(51_000);
    expect(quoted.endsWith('> [The rest is left out.]')).toBe(true);
  },
);
