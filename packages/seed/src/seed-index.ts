/**
 * Checks the records of an import file against each other: keys and ids are unique, and references name existing records of
 * the same firm. Call `add` for all records and then `check` for all records. Lists may be in any order, and a large file
 * can be read record by record.
 */
import { PLATFORM } from '@firmdesk/contract';
import { formatPath, type Path, type Problem, problemsOf, SeedError } from './problems.ts';
import { type ReferenceTarget, references, singular } from './references.ts';
import { Seed, type SeedList, type SeedRecord, seedLists } from './schema.ts';
import { TicketMerges } from './ticket-merges.ts';
import { type UniqueKey, uniqueKeysInFile, uniqueKeysInRecord } from './unique-keys.ts';

type Seen = Map<string, Map<string, string>>;

/** The keys, ids and unique values of the records that were added. */
export class SeedIndex {
  /** Where each unique value was first seen: `users key` `anna` at `users[3].key`. */
  readonly #seen: Seen = new Map();
  /** The firm of every record that others may refer to; null if it belongs to none. */
  readonly #firms = new Map<ReferenceTarget, Map<string, string | null>>();
  readonly #merges = new TicketMerges();

  /** @param knownFirms slugs of existing firms, to which a file may add records */
  constructor(knownFirms: Iterable<string> = []) {
    for (const slug of [PLATFORM, ...knownFirms]) this.#name('firms', slug, null);
  }

  /** First pass: adds the record and returns its duplicate values. */
  add<L extends SeedList>(list: L, record: SeedRecord<L>, at: Path): Problem[] {
    if (list in singular) this.#name(list as ReferenceTarget, nameOf(record), firmOf(record));
    if (list === 'tickets') this.#merges.addTicket(record as SeedRecord<'tickets'>);
    return [
      ...duplicates(uniqueKeysInFile[list](record), at, this.#seen),
      ...duplicates(uniqueKeysInRecord[list]?.(record) ?? [], at, new Map()),
    ];
  }

  /** Second pass, after all records were added: returns the invalid references of the record. */
  check<L extends SeedList>(list: L, record: SeedRecord<L>, at: Path): Problem[] {
    const firmOfCalendar = (key: string) => this.#firms.get('calendars')?.get(key) ?? undefined;
    const problems = references[list](record, firmOfCalendar).flatMap(({ path, to, key, firm }) => {
      const problem = this.#problemWith(to, key, firm);
      return problem === undefined ? [] : [{ path: formatPath([...at, ...path]), message: problem }];
    });
    if (list !== 'ticket_merges' || problems.length > 0) return problems;
    return this.#merges.add(record as SeedRecord<'ticket_merges'>, at);
  }

  /** Returns whether a record of the file has this unique value. */
  has({ kind, value }: Pick<UniqueKey, 'kind' | 'value'>): boolean {
    return this.#seen.get(kind)?.has(value) ?? false;
  }

  #problemWith(to: ReferenceTarget, key: string, firm: string | undefined): string | undefined {
    const owner = this.#firms.get(to)?.get(key);
    if (owner === undefined) return `there is no ${singular[to]} "${key}"`;
    if (firm === undefined || owner === null || owner === firm) return undefined;
    return `the ${singular[to]} "${key}" belongs to "${owner}", not to "${firm}"`;
  }

  #name(target: ReferenceTarget, key: string, firm: string | null): void {
    const named = this.#firms.get(target) ?? new Map<string, string | null>();
    this.#firms.set(target, named.set(key, firm));
  }
}

/**
 * Parses a seed in memory and checks its references. `index` then contains all records.
 * @throws SeedError with every problem
 */
export function parseSeed(input: unknown, index = new SeedIndex()): Seed {
  const parsed = Seed.safeParse(input);
  if (!parsed.success) throw new SeedError(problemsOf(parsed.error));
  const seed = parsed.data;
  const eachRecord = (visit: <L extends SeedList>(list: L, record: SeedRecord<L>, at: Path) => Problem[]) =>
    (Object.keys(seedLists) as SeedList[]).flatMap((list) =>
      seed[list].flatMap((record, position) => visit(list, record, [list, position])),
    );
  const problems = [
    ...eachRecord((list, record, at) => index.add(list, record, at)),
    ...eachRecord((list, record, at) => index.check(list, record, at)),
  ];
  if (problems.length > 0) throw new SeedError(problems);
  return seed;
}

function duplicates(values: readonly UniqueKey[], at: Path, seen: Seen): Problem[] {
  const problems: Problem[] = [];
  for (const { path, kind, value } of values) {
    const here = formatPath([...at, ...path]);
    const places = seen.get(kind) ?? new Map<string, string>();
    const before = places.get(value);
    if (before === undefined) seen.set(kind, places.set(value, here));
    else problems.push({ path: here, message: `"${value}" is already used by ${before}` });
  }
  return problems;
}

function nameOf(record: object): string {
  return String('slug' in record ? record.slug : 'key' in record ? record.key : '');
}

/** Returns the firm of a record. Users and tokens have none, because a person may act in several. */
function firmOf(record: object): string | null {
  return 'firm' in record && !('user' in record) ? String(record.firm) : null;
}
