import { describe, expect, inject, test } from 'vitest';
import { entities } from '../../app/entities.ts';
import { migrations } from '../../app/migrations/index.ts';
import { openTestServices } from '../../testing/index.ts';
import { wireTime } from './wire-types.ts';

describe('the tables', () => {
  test('match the entities: columns, types, nullability', async () => {
    await using opened = await openTestServices(inject('postgresUrl'));
    const { pool, orm } = opened.services;
    const { rows } = await pool.query<{ table: string; column: string; type: string; nullable: boolean }>(
      `select c.relname as table, a.attname as column, format_type(a.atttypid, a.atttypmod) as type,
         not a.attnotnull as nullable
       from pg_attribute a join pg_class c on c.oid = a.attrelid
       where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped
         and a.attgenerated = ''`,
    );
    const migrated = new Map(rows.map((row) => [`${row.table}.${row.column}`, row]));
    const differences: string[] = [];
    const mapped = new Set<string>();
    for (const { tableName, properties } of orm.getMetadata().getAll().values()) {
      for (const property of Object.values(properties)) {
        if (property.persist === false || property.fieldNames.length === 0) continue;
        const name = `${tableName}.${property.fieldNames[0]}`;
        mapped.add(tableName);
        const column = migrated.get(name);
        if (!column) {
          differences.push(`${name}: the table has no such column`);
          continue;
        }
        migrated.delete(name);
        if (Boolean(property.nullable) !== column.nullable)
          differences.push(`${name}: nullable in ${column.nullable ? 'the table' : 'the entity'} only`);
        const declared = aliases[property.columnTypes[0]!] ?? property.columnTypes[0];
        if (declared !== column.type)
          differences.push(`${name}: ${declared} in the entity, ${column.type} in the table`);
      }
    }
    const unmapped = [...migrated.values()].filter(({ table }) => mapped.has(table));
    expect(differences).toEqual([]);
    expect(unmapped.map(({ table, column }) => `${table}.${column}`)).toEqual([]);
    expect(mapped.size).toBe(entities.length);
  });

  test('numbers migrations in order', () => {
    const numbers = migrations.map(({ name }) => Number(name.slice(0, 4)));
    expect(numbers).toEqual(numbers.map((_, i) => i + 1));
  });
});

/** PostgreSQL's names of the ORM's types. */
const aliases: Record<string, string> = {
  'varchar(255)': 'character varying(255)',
  'timestamptz(3)': 'timestamp(3) with time zone',
  'timestamptz(6)': 'timestamp(6) with time zone',
  int: 'integer',
  serial: 'integer',
};

test('returns times from Kysely in the form of the contract', async () => {
  expect(wireTime('2026-11-21 09:30:00+00')).toBe('2026-11-21T09:30:00.000Z');
  expect(wireTime('2026-11-21 09:30:00.5+00')).toBe('2026-11-21T09:30:00.500Z');
  expect(wireTime('2026-11-21 09:30:00.123+00')).toBe('2026-11-21T09:30:00.123Z');
  expect(wireTime('2026-11-21 09:30:00.1234+00')).toBe('2026-11-21T09:30:00.123400Z');
  await using opened = await openTestServices(inject('postgresUrl'));
  const { rows } = await opened.services.pool.query(
    `select '2026-03-29T01:30:00.25+02:00'::timestamptz as at`,
  );
  expect(rows[0].at).toBe('2026-03-28T23:30:00.250Z');
});
