import type { Calendar } from './event.ts';

const calendar = (key: string, name: string, owner: string, about: Partial<Calendar> = {}): Calendar => ({
  key,
  firm: 'northgate',
  name,
  owner,
  ...about,
});

export const supportDesk = calendar('support-desk', 'Support desk', 'maya', {
  shares: [
    { user: 'tom', level: 'write' },
    { user: 'lena', level: 'write' },
    { user: 'nadia', level: 'read' },
    { user: 'sofia', level: 'busy' },
  ],
});

export const company = calendar('company', 'Northgate', 'priya', {
  shares: [
    { user: 'maya', level: 'write' },
    { user: 'tom', level: 'read' },
    { user: 'lena', level: 'read' },
    { user: 'diego', level: 'read' },
    { user: 'nadia', level: 'read' },
    { user: 'sofia', level: 'read' },
  ],
});

export const markets = calendar('markets', 'Market releases', 'nadia', {
  shares: [
    { user: 'maya', level: 'read' },
    { user: 'tom', level: 'read' },
    { user: 'lena', level: 'read' },
  ],
});

export const mayaOwn = calendar('maya', 'Maya', 'maya', { shares: [{ user: 'lena', level: 'read' }] });
export const tomOwn = calendar('tom', 'Tom', 'tom', { shares: [{ user: 'maya', level: 'busy' }] });
export const lenaOwn = calendar('lena', 'Lena', 'lena', { shares: [{ user: 'maya', level: 'write' }] });
export const diegoOwn = calendar('diego', 'Diego', 'diego', { shares: [{ user: 'maya', level: 'read' }] });

export const harborDesk = calendar('harbor', 'Desk', 'owen', {
  firm: 'harbor-point',
  shares: [{ user: 'ruth', level: 'write' }],
});

export const operations = calendar('operations', 'Operations', 'iris', {
  firm: 'platform',
  shares: [{ user: 'jon', level: 'read' }],
});

export const calendars: Calendar[] = [
  supportDesk,
  company,
  markets,
  mayaOwn,
  tomOwn,
  lenaOwn,
  diegoOwn,
  harborDesk,
  operations,
];
