import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ColumnReader } from './data-row.ts';
import { dataRowOf } from './testing/data-row.ts';

const columns = fc.array(fc.option(fc.string({ unit: 'grapheme' })), { maxLength: 30 });

test('a row has the texts of its columns', () => {
  fc.assert(fc.property(columns, (texts) => void expect(dataRowOf(texts).fields).toEqual(texts)));
});

test('reads the columns of one row after the other', () => {
  const reader = new ColumnReader();
  fc.assert(
    fc.property(columns, (texts) => {
      reader.open(dataRowOf(texts));
      const { bytes, nulls } = reader;
      texts.forEach((text, column) => {
        expect(reader.text(column)).toBe(text);
        expect(reader.isNull(column)).toBe(text === null);
        expect((nulls & (1 << column)) !== 0).toBe(text === null);
        const start = reader.startOf(column);
        expect(bytes.toString('utf8', start, start + reader.sizeOf(column))).toBe(text ?? '');
      });
    }),
  );
});

test('reads whole numbers', () => {
  fc.assert(
    fc.property(fc.maxSafeNat(), (n) => {
      expect(new ColumnReader().open(dataRowOf([null, String(n)])).integer(1)).toBe(n);
    }),
  );
});
