import type { ListTicketsInput } from '@firmdesk/contract';
import { ticketSorts } from '@firmdesk/contract';
import type { Pool } from 'pg';
import { FIRM_ID } from './fill-firm.ts';

/** Queries of one kind. */
export interface QueryClass {
  name: string;
  queries: string[];
}

/** Returns queries of one to three words of every kind: how many tickets have the words, and what kind of words they are. */
export async function queryClasses(pool: Pool): Promise<QueryClass[]> {
  const wordsOf = async (pattern: string) => {
    const { rows } = await pool.query<{ word: string }>(
      `select word from search_words where workspace_id = $1 and word ~ $2 order by postings desc, word`,
      [FIRM_ID, pattern],
    );
    return rows.map(({ word }) => word);
  };
  const latin = await wordsOf('^[a-z]{3,}$');
  const other = await wordsOf('^[^ -~]+$');
  /** A word by its rank among words of its kind: 0 is the most common, 1 the rarest. */
  const at = (words: string[], rank: number) => words[Math.floor(rank * (words.length - 1))]!;
  const common = latin.slice(0, 3);
  const [frequent, middling, rare] = [
    [0.0003, 0.0005, 0.001],
    [0.003, 0.006, 0.01],
    [0.5, 0.7, 0.9],
  ].map((ranks) => ranks.map((rank) => at(latin, rank))) as [string[], string[], string[]];
  const upToThree = (words: string[]) => words.map((_, i) => words.slice(0, i + 1).join(' '));
  return [
    { name: 'common', queries: upToThree(common) },
    { name: 'frequent', queries: upToThree(frequent) },
    { name: 'middling', queries: upToThree(middling) },
    { name: 'rare', queries: upToThree(rare) },
    {
      name: 'mixed',
      queries: [
        `${common[0]} ${rare[0]}`,
        `${frequent[0]} ${middling[0]}`,
        `${common[0]} ${middling[1]} ${frequent[1]}`,
        `${common[1]} ${frequent[1]} ${rare[1]}`,
      ],
    },
    { name: 'absent', queries: ['qqxzqqx', `${common[0]} vvwqzzy`, `${middling[0]} ${rare[0]} vvwqzzy`] },
    {
      name: 'short',
      queries: [
        'a',
        'st',
        'tra',
        '7',
        `o ${middling[0]!.slice(0, 2)}`,
        `e ${rare[0]!.slice(0, 3)}`,
        'tra ea ou',
      ],
    },
    {
      name: 'part of a word',
      queries: [common[0]!.slice(1), frequent[0]!.slice(1), middling[0]!.slice(0, -1), rare[0]!.slice(1, -1)],
    },
    {
      name: 'not Latin',
      queries: [
        at(other, 0),
        at(other, 0.01),
        at(other, 0.7),
        at(other, 0).slice(0, 1),
        at(other, 0.01).slice(0, 2),
        `${at(other, 0)} ${at(other, 0.02)}`,
      ],
    },
    {
      name: 'part of an address',
      queries: [
        'trader777',
        'trader77',
        'trader7',
        'trader777@example',
        '777@',
        'example.com',
        `trader77 ${common[0]}`,
        `trader77 ${middling[0]}`,
        'trader777 trader888',
      ],
    },
  ];
}

export type ListFilter = Partial<Omit<ListTicketsInput, 'sort' | 'q'>>;

/** Returns every filter in each of its kinds, and combinations, with every sort. */
export async function filterCases(pool: Pool): Promise<Partial<ListTicketsInput>[]> {
  const { rows } = await pool.query<{ assignee_id: string }>(
    'select assignee_id from tickets where assignee_id is not null limit 1',
  );
  const assignee = rows[0]!.assignee_id;
  const filters: ListFilter[] = [
    {},
    { status: 'waiting' },
    { status: 'ended' },
    { assignee: 'none' },
    { assignee },
    { team: '3' },
    { priority: 'urgent' },
    { tag: '7' },
    { status: 'open', team: '3', priority: 'urgent' },
    { status: 'ended', tag: '7', priority: 'low' },
  ];
  return filters.flatMap((filter) => ticketSorts.map((sort) => ({ ...filter, sort })));
}
