import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { errorTable } from '@firmdesk/contract';
import { expect, test } from 'vitest';

/** The words of the console that stand for one thing, by page. Each is written in exactly this form. */
const words = {
  tickets: [
    'Needs reply',
    'Waiting on trader',
    'AI handling',
    'Done',
    'Unassigned',
    'Assigned to me or my teams',
    'Can’t be reopened',
    'or type /ai to ask the assistant',
    'Auto-reply',
    'Stays off once a teammate replies.',
    'Trader can request AI',
    'Stream replies',
    'Applies to this browser.',
    'The assistant’s reply is sent directly to',
    'Add an instruction after /ai.',
    'Image URL',
    'Alt text',
    'Enter a valid image URL.',
    'just replied',
    'before sending.',
    '1 ticket changed',
    'List may be out of date',
    'Add filters to save a view',
    'Saves filters and sort order.',
    'Clear search',
    'Remove filter: ',
    'No messages yet',
    'You don’t have access to tickets',
  ],
  'every page': ['Not found', 'Page not found', 'Go to tickets', 'Couldn’t load this', 'No results'],
  account: [
    'Account settings',
    'System',
    'Sign out other sessions',
    'Sign out',
    'This device',
    'Push devices',
    'Push notifications',
    'Show pop-ups',
    'Ticket needs a reply',
    'Notifications will appear here.',
  ],
  assistant: ['Allow agents to use AI', 'Replies in progress will finish.', 'Resets on the 1st (UTC).'],
  mail: [
    'Not saved: check the highlighted fields',
    'Enter a valid email address.',
    'Separate addresses with commas',
    'No recipients',
    'Discard mine',
    'Remote images blocked to protect your privacy.',
  ],
  calendar: [
    'Going?',
    'Going',
    'Not going',
    'Organizer',
    'This can’t be undone.',
    'Custom…',
    'Create',
    'This event',
    'All events',
  ],
  reservations: ['Status', 'Email (exact match)', 'Expires', 'Never', 'No matching reservations'],
};

/** Words that were replaced. */
const replaced =
  /Waiting for (us|trader)|Assistant answers|\bNobody\b|Held by|For good:|is to write|by its address|What it shows|has replied meanwhile|Empty the search|Without urgent|Nothing was said|You may not see|This is not here|part of the desk|Nothing of that name|Like the system|End all others|Show new ones|told here|as it must be|To nobody|Take theirs|Images from elsewhere|Do you come|brought back|Times of|rule of its own|Make it|All of them|None like this|No end\b/;

const sources = await textsOf(join(import.meta.dirname, '../../apps/console/src'));

test.each(Object.entries(words))('the words of %s', (_page, of) => {
  const missing = of.filter((word) => !new RegExp(`['"\`>\\s]${escaped(word)}`).test(sources));
  expect(missing).toEqual([]);
});

test('the words that were replaced are gone', () => {
  expect(replaced.exec(sources)?.[0]).toBe(undefined);
});

test('a failed sign-in', () => {
  expect(errorTable.invalid_credentials.message).toBe('Incorrect email or password.');
});

/** Returns the code of all components, without comments and line breaks. */
async function textsOf(directory: string): Promise<string> {
  const names = await readdir(directory, { recursive: true });
  const own = names.filter((name) => /\.tsx?$/.test(name) && !name.endsWith('.test.ts'));
  const texts = await Promise.all(own.map((name) => readFile(join(directory, name), 'utf8')));
  return texts
    .map((text) => text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, ''))
    .join('\n')
    .replace(/\s+/g, ' ');
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
