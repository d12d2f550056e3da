/**
 * What the records of a world file say about each other: keys and ids are unique, and a reference names a
 * record that exists and lies in the same firm. The index sees every record twice: `add` all of them, then
 * `check` all of them. So lists may come in any order, and a big file can be read record by record.
 */
import { PLATFORM } from '@firmdesk/contract';
import { formatPath, type Path, type Problem, problemsOf, SeedError } from './problems.ts';
import { references, singular, type Target } from './references.ts';
import { Seed, type SeedList, type SeedRecord, seedLists } from './schema.ts';
import { type UniqueKey, uniqueKeysInFile, uniqueKeysInRecord } from './unique-keys.ts';

type Seen = Map<string, Map<string, string>>;

export class SeedIndex {
  /** Where each unique value was first seen: `users key` `anna` at `users[3].key`. */
  readonly #seen: Seen = new Map();
  /** The firm of every record that others may refer to; null where it is of none. */
  readonly #firms = new Map<Target, Map<string, string | null>>();

  /** @param knownFirms slugs of firms that the database holds already: a file may add to them. */
  constructor(knownFirms: Iterable<string> = []) {
    for (const slug of [PLATFORM, ...knownFirms]) this.#name('firms', slug, null);
  }

  /** First pass: takes the record in, and tells what it has that another record has, or that it has twice. */
  add<L extends SeedList>(list: L, record: SeedRecord<L>, at: Path): Problem[] {
    if (list in singular) this.#name(list as Target, nameOf(record), firmOf(record));
    return [
      ...duplicates(uniqueKeysInFile[list](record), at, this.#seen),
      ...duplicates(uniqueKeysInRecord[list]?.(record) ?? [], at, new Map()),
    ];
  }

  /** Second pass, when every record has been added: tells which references of the record lead nowhere. */
  check<L extends SeedList>(list: L, record: SeedRecord<L>, at: Path): Problem[] {
    const firmOfCalendar = (key: string) => this.#firms.get('calendars')?.get(key) ?? undefined;
    return references[list](record, firmOfCalendar).flatMap(({ path, to, key, firm }) => {
      const problem = this.#problemWith(to, key, firm);
      return problem === undefined ? [] : [{ path: formatPath([...at, ...path]), message: problem }];
    });
  }

  /** Whether a record of the file has this value, among those `of` its kind that one record alone may have. */
  has({ of, value }: Pick<UniqueKey, 'of' | 'value'>): boolean {
    return this.#seen.get(of)?.has(value) ?? false;
  }

  #problemWith(to: Target, key: string, firm: string | undefined): string | undefined {
    const owner = this.#firms.get(to)?.get(key);
    if (owner === undefined) return `there is no ${singular[to]} "${key}"`;
    if (firm === undefined || owner === null || owner === firm) return undefined;
    return `the ${singular[to]} "${key}" belongs to "${owner}", not to "${firm}"`;
  }

  #name(target: Target, key: string, firm: string | null): void {
    const named = this.#firms.get(target) ?? new Map<string, string | null>();
    this.#firms.set(target, named.set(key, firm));
  }
}

/**
 * A whole seed in memory, parsed and with its references checked; `index` then knows all of it.
 * @throws SeedError with every problem found
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
  for (const { path, of, value } of values) {
    const here = formatPath([...at, ...path]);
    const places = seen.get(of) ?? new Map<string, string>();
    const before = places.get(value);
    if (before === undefined) seen.set(of, places.set(value, here));
    else problems.push({ path: here, message: `"${value}" is already used by ${before}` });
  }
  return problems;
}

function nameOf(record: object): string {
  return String('slug' in record ? record.slug : 'key' in record ? record.key : '');
}

/** A user or a token belongs to no firm in this sense: a person may act in several. */
function firmOf(record: object): string | null {
  return 'firm' in record && !('user' in record) ? String(record.firm) : null;
}
