/**
 * Workspaces are isolated: for every reference in an input, another workspace's id gets the same response as a nonexistent one,
 * byte for byte except the request id, after the same number of SQL statements, and changes nothing there.
 *
 * The procedures and fields come from the declarations; `references.ts` says what the fields refer to.
 */
import { appRouter, declaredProcedures, type ProcedureSpec } from '@firmdesk/domain';
import { suiteGateway } from '@firmdesk/testing/gateway';
import { describe, expect, test } from 'vitest';
import { countQueries } from './count-queries.ts';
import { exampleOf, needAnotherDevice, put } from './examples.ts';
import {
  createFixtures,
  type FixtureId,
  type FixtureKind,
  type Fixtures,
  nonexistentLike,
  ownToken,
  staffToken,
} from './fixtures.ts';
import { inputSchemaOf, referencesOf } from './references.ts';
import { everyRow } from './rows.ts';
import { type Caller, type ComparableResponse, callsByTransport } from './transports.ts';

/** Kinds that belong to one administrator, and not to others of the same firm. */
const personal = new Set<FixtureKind>([
  'command',
  'bulkChange',
  'calendar',
  'draft',
  'event',
  'invitation',
  'mailRule',
  'mailThread',
  'mailbox',
  'message',
  'notification',
  'ticketView',
  'token',
  'traderMail',
]);

/** Kinds that a firm and its sandbox share: the firm's name, accounts, and API keys, which are managed together. */
const shared = new Set<FixtureKind>(['firm', 'user', 'ownerId', 'apiKey', 'email', 'trader', 'traderEmail']);

const gateway = await suiteGateway();
const queries = countQueries(gateway.services);
const foreign = await createFixtures(gateway, { hasPassword: true });
const theirs = await everyRow(gateway);

interface Neighbourhood {
  /** The caller of those calls that change nothing. */
  reader: Fixtures;
  /** Another administrator of the callers' firm. */
  neighbour: Fixtures;
  /** The sandbox of the callers' firm. */
  sandbox: Fixtures;
}
/** How many callers a firm gets: it may have few of some records, and each caller adds one of every kind. */
const CALLERS_OF_A_FIRM = 8;
let neighbourhood: Promise<Neighbourhood> | undefined;
let callersLeft = 0;

/** Returns the firm of the next caller. */
function nextNeighbourhood({ kind }: ProcedureSpec): Promise<Neighbourhood> {
  if (neighbourhood === undefined || callersLeft === 0) {
    callersLeft = CALLERS_OF_A_FIRM;
    neighbourhood = (async () => {
      const neighbour = await createFixtures(gateway);
      const { home } = neighbour;
      return {
        neighbour,
        reader: await createFixtures(gateway, { home, hasPassword: true }),
        sandbox: await createFixtures(gateway, { home, isTest: true }),
      };
    })();
  }
  if (kind === 'mutation') callersLeft--;
  return neighbourhood;
}

/** Those of the service's own staff, who are of no firm: `app/firms/staff-firms.test.ts` and `named-firms.test.ts` test them. */
const ofStaff = ({ spec }: { spec: ProcedureSpec }) => spec.tag === 'Staff';

const procedures = declaredProcedures(appRouter).filter(
  (each) =>
    !ofStaff(each) &&
    !(needAnotherDevice.has(each.name) && referencesOf(each.name, inputSchemaOf(each.meta)).length === 0),
);

describe.each(procedures)('$name', ({ name, spec, meta }) => {
  const schema = inputSchemaOf(meta);
  const references = referencesOf(name, schema);
  const fixturesOf = ({ neighbour, reader }: Neighbourhood) =>
    spec.kind === 'mutation'
      ? createFixtures(gateway, {
          home: neighbour.home,
          hasPassword: JSON.stringify(schema).includes('password'),
        })
      : reader;

  // Procedures with references are called with valid input in the tests below.
  if (references.length === 0) {
    test('accepts the example of its schema', async () => {
      for (const call of callsByTransport(gateway, name, spec)) {
        const mine = await fixturesOf(await nextNeighbourhood(spec));
        const answer = await call(
          { token: await ownToken(gateway, spec, mine) },
          exampleOf(name, schema, mine),
        );
        expect(answer.ok, `add a valid value of the field to examples.ts: ${answer.text}`).toBe(true);
      }
    });
  }

  test.each(references)('$name: treats foreign ids like nonexistent ones', async (reference) => {
    const near = await nextNeighbourhood(spec);
    const { neighbour, sandbox } = near;
    const mine = await fixturesOf(near);
    const others = [foreign];
    if (personal.has(reference.kind)) others.push(neighbour);
    if (!shared.has(reference.kind)) others.push(sandbox);
    const nonexistent = nonexistentLike(reference.kind, foreign[reference.kind]);
    const callers = await callersOf(spec, mine);
    const calls = callsByTransport(gateway, name, spec);
    const ask = (caller: Caller, call: (typeof calls)[number], id: FixtureId) => {
      const input = exampleOf(name, schema, mine, reference);
      put(input, reference, id);
      return measure(() => call(caller, input), id);
    };
    for (const caller of callers) {
      for (const call of calls) {
        const first = await ask(caller, call, nonexistent);
        const absent = await ask(caller, call, nonexistent);
        expect(absent.sent, 'a second call').toEqual(first.sent);
        for (const other of others) {
          const foreignAnswer = await ask(caller, call, other[reference.kind]);
          expect(foreignAnswer.sent).toEqual(absent.sent);
          // A process also sends statements by itself: the fewest of some calls are those of the call.
          const counts = { foreign: foreignAnswer.statements, absent: absent.statements };
          for (let round = 0; counts.foreign !== counts.absent && round < 5; round++) {
            const again = await ask(caller, call, other[reference.kind]);
            counts.foreign = Math.min(counts.foreign, again.statements);
            counts.absent = Math.min(counts.absent, (await ask(caller, call, nonexistent)).statements);
          }
          expect(counts.foreign, 'statements').toBe(counts.absent);
        }
      }
    }
    if (needAnotherDevice.has(name)) return;
    // The same call with an id of the caller's own succeeds: only the id made the difference.
    const absent = await ask(callers[0]!, calls[0]!, nonexistent);
    const own = await ask(callers[0]!, calls[0]!, mine[reference.kind]);
    expect(own.sent.ok, own.sent.text).toBe(true);
    expect(own.sent.text).not.toBe(absent.sent.text);
  });
});

test('the other workspace is unchanged', async () => {
  const now = await everyRow(gateway);
  for (const [table, rows] of theirs) {
    const missing = [...rows].filter((row) => !now.get(table)!.has(row));
    expect(missing, table).toEqual([]);
  }
});

/** Returns the callers: the owner, and staff who may act in both firms. */
async function callersOf(spec: ProcedureSpec, mine: Fixtures): Promise<Caller[]> {
  const callers: Caller[] = [{ token: await ownToken(gateway, spec, mine) }];
  if (spec.access.level === 'workspace' || spec.access.level === 'admin') {
    const token = await staffToken(gateway, spec, [mine.home, foreign.home]);
    callers.push({ token, workspace: mine.home.slug });
  }
  return callers;
}

/** Returns the response without the id that was sent, and the number of statements. */
async function measure(
  send: () => Promise<ComparableResponse>,
  { text }: FixtureId,
): Promise<{ sent: ComparableResponse; statements: number }> {
  const before = queries();
  const sent = await send();
  const statements = queries() - before;
  // A small integer may be in a response by coincidence.
  return { sent: text.length > 9 ? { ...sent, text: sent.text.replaceAll(text, '…') } : sent, statements };
}
