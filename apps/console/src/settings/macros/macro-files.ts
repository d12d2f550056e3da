import { asFirmdeskError } from '@firmdesk/client';
import { MACRO_FILE_LIMIT, type MacroFile } from '@firmdesk/contract';
import { client } from '../../api.ts';
import { refreshMacros } from '../../macros/macro-queries.ts';
import { firm } from '../../session/firm.ts';
import { reportError } from '../../shell/report-error.ts';
import { toast } from '../../shell/toast.ts';
import { download } from '../download.ts';

/** Downloads all macros of the firm as a file. */
export async function exportMacros(): Promise<void> {
  try {
    const file = await client.macros.export.query();
    download(`macros-${firm}.json`, `${JSON.stringify(file, null, 2)}\n`, 'application/json');
  } catch (error) {
    reportError(error, 'Couldn’t export the macros');
  }
}

/** Imports the macros of a file. Returns what is wrong with it, or null. */
export async function importMacros(file: File): Promise<string | null> {
  if (file.size > MACRO_FILE_LIMIT) return `“${file.name}” is larger than 2 MB.`;
  let macros: MacroFile;
  try {
    macros = JSON.parse(await file.text());
  } catch {
    return `“${file.name}” is not JSON.`;
  }
  try {
    const { created, updated } = await client.macros.import.mutate(macros);
    toast.success(`Macros imported: ${created} new, ${updated} replaced`);
    return null;
  } catch (error) {
    const { message, fields, status } = asFirmdeskError(error);
    if (status === null)
      return `It is not known whether “${file.name}” was imported: ${message} Import it again. Macros with the same name are replaced.`;
    const details = fields.map((field) => field.message).join(' ');
    return `“${file.name}” was not imported, and nothing was changed. ${details || message}`;
  } finally {
    void refreshMacros();
  }
}
