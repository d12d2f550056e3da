import { expect, test } from 'vitest';
import { isProgramName } from './program-names.ts';

test.each([
  'setup.exe',
  'SETUP.EXE',
  'statement.pdf.exe',
  'statement.pdf                     .exe',
  'photo.jpg.scr',
  'Invoice\u202efdp.exe',
  'run.bat.',
  'run.cmd . .',
  'run.e\u200bxe',
  'run.exe\u200b',
  'page.html',
  'logo.svg',
  'link.lnk',
  'disk.iso',
  'macro.docm',
])('%j is the name of a program', (name) => {
  expect(isProgramName(name)).toBe(true);
});

test.each([
  'statement.pdf',
  'exe',
  'exe.pdf',
  'my.exe.txt',
  'trades.csv',
  'photo.jpeg',
  '',
  '.',
  'README',
  'report.docx',
  'constructor.toString',
])('%j is not', (name) => {
  expect(isProgramName(name)).toBe(false);
});
