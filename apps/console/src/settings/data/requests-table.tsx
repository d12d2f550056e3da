import { DATA_FILE_DAYS, type DataRequest, dataFilePath } from '@firmdesk/contract';
import { Download } from 'lucide-react';
import type { MouseEvent } from 'react';
import { confirmIdentity } from '../../api.ts';
import { useAccount } from '../../session/account.ts';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { Timestamp } from '../../ui/time/timestamp.tsx';
import { SettingsTable } from '../settings-table.tsx';
import { recordsText, sizeText, tableLabel } from './data-texts.ts';

const states: Record<DataRequest['state'], { label: string; tone: Tone }> = {
  waiting: { label: 'Waiting', tone: 'neutral' },
  running: { label: 'Running', tone: 'accent' },
  done: { label: 'Done', tone: 'success' },
  failed: { label: 'Failed', tone: 'danger' },
};

const POLL_MS = 1_500;

/** Asks again while a request runs. */
export function pollUnfinished(query: { state: { data?: { data: readonly DataRequest[] } | undefined } }) {
  return query.state.data?.data.some(({ finished_at }) => finished_at === null) ? POLL_MS : false;
}

/** Exports and erasures with their progress, the file of each export, and the report of each erasure. */
export function RequestsTable({
  requests,
  caption,
  hasFilter = false,
}: {
  requests: readonly DataRequest[];
  caption: string;
  hasFilter?: boolean;
}) {
  return (
    <SettingsTable
      caption={caption}
      rows={requests}
      idOf={({ id }) => id}
      nameOf={titleOf}
      {...(hasFilter && {
        textOf: (request: DataRequest) =>
          `${titleOf(request)} ${request.requested_by.name} ${states[request.state].label}`,
      })}
      columns={[
        { label: 'Request', sortBy: titleOf, cell: (request) => <Report request={request} /> },
        {
          label: 'State',
          className: 'w-28 max-sm:w-24',
          sortBy: ({ state }) => states[state].label,
          cell: ({ state }) => <Badge tone={states[state].tone}>{states[state].label}</Badge>,
        },
        {
          label: 'File',
          className: 'w-40 max-sm:w-36',
          cell: (request) => <FileLink request={request} />,
        },
      ]}
      empty={
        <EmptyState title="No exports or erasures yet">
          They are listed here for {DATA_FILE_DAYS} days.
        </EmptyState>
      }
    />
  );
}

/** Downloads a file. Like the call that asked for it, this needs a fresh sign-in. */
async function download(event: MouseEvent<HTMLAnchorElement>): Promise<void> {
  const link = event.currentTarget;
  // Clicked below.
  if (!event.isTrusted) return;
  event.preventDefault();
  const { status } = await fetch(link.href, { method: 'HEAD' }).catch(() => ({ status: 0 }));
  if (status !== 403 || (await confirmIdentity())) link.click();
}

function FileLink({ request: { id, kind, person, file } }: { request: DataRequest }) {
  const { workspace } = useAccount();
  return (
    file && (
      <>
        <a
          href={dataFilePath(workspace.slug, id)}
          download
          onClick={(event) => void download(event)}
          className="inline-flex min-h-8 items-center gap-1.5 rounded-md border border-line px-3 font-medium hover:bg-hover pointer-coarse:min-h-11"
        >
          <Download size={15} aria-hidden="true" />
          Download
          <span className="sr-only"> the {kind === 'export_firm' ? 'firm' : (person?.name ?? 'person')}</span>
        </a>
        <span className="block text-xs text-muted">
          {sizeText(file.size)}, until <Timestamp at={file.expires_at} />
        </span>
      </>
    )
  );
}

function Report({ request }: { request: DataRequest }) {
  const { kind, state, counts, left_out, problem, requested_by, created_at } = request;
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  return (
    <div className="space-y-1.5">
      <span className="block font-medium wrap-anywhere">{titleOf(request)}</span>
      <span className="block text-xs text-muted wrap-anywhere">
        {requested_by.name}, <Timestamp at={created_at} />
        {total > 0 && `. ${recordsText(total)}`}
      </span>
      {problem && <p className="text-danger">{problem}</p>}
      {left_out.length > 0 && (
        <details className="text-muted">
          <summary>
            {left_out.length === 1 ? '1 thing is not in it' : `${left_out.length} things are not in it`}
          </summary>
          <ul className="mt-1 list-disc space-y-1 pl-5 text-xs wrap-anywhere">
            {left_out.map((reason) => (
              <li key={reason}>{reason}</li>
            ))}
          </ul>
        </details>
      )}
      {kind === 'erase_person' && state === 'done' && (
        <details className="text-muted">
          <summary>What was deleted or changed</summary>
          <ul className="mt-1 list-disc pl-5 text-xs">
            {Object.entries(counts).map(([table, count]) => (
              <li key={table}>
                {tableLabel(table)}: {count.toLocaleString('en')}
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}

function titleOf({ kind, person }: DataRequest): string {
  if (kind === 'export_firm') return 'Export of the firm';
  return `${kind === 'erase_person' ? 'Erasure' : 'Export'} of ${person?.name ?? 'a person'}`;
}
