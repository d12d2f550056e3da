import { type DataRequest, dataFilePath } from '@firmdesk/contract';
import { Download } from 'lucide-react';
import type { MouseEvent } from 'react';
import { confirmIdentity } from '../../api.ts';
import { useAccount } from '../../session/account.ts';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { Timestamp } from '../../ui/time/timestamp.tsx';
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
export function RequestsList({
  requests,
  label,
  mayDownload,
}: {
  requests: readonly DataRequest[];
  label: string;
  mayDownload: boolean;
}) {
  return (
    <ul aria-label={label} className="divide-y divide-line rounded-lg border border-line bg-surface">
      {requests.map((request) => (
        <li key={request.id} className="space-y-1.5 px-3 py-2.5">
          <Row request={request} mayDownload={mayDownload} />
        </li>
      ))}
    </ul>
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

function Row({ request, mayDownload }: { request: DataRequest; mayDownload: boolean }) {
  const { workspace } = useAccount();
  const { id, kind, person, state, counts, left_out, problem, file, requested_by, created_at } = request;
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1.5">
        <span className="min-w-0">
          <span className="flex flex-wrap items-center gap-2">
            <span className="font-medium wrap-anywhere">{titleOf(request)}</span>
            <Badge tone={states[state].tone}>{states[state].label}</Badge>
          </span>
          <span className="block text-xs text-muted wrap-anywhere">
            {requested_by.name}, <Timestamp at={created_at} />
            {total > 0 && `. ${recordsText(total)}`}
          </span>
        </span>
        {file && mayDownload && (
          <span className="shrink-0 sm:text-right">
            <a
              href={dataFilePath(workspace.slug, id)}
              download
              onClick={(event) => void download(event)}
              className="inline-flex min-h-8 items-center gap-1.5 rounded-md border border-line px-3 font-medium hover:bg-hover pointer-coarse:min-h-11"
            >
              <Download size={15} aria-hidden="true" />
              Download
              <span className="sr-only">
                {' '}
                the {kind === 'export_firm' ? 'firm' : (person?.name ?? 'person')}
              </span>
            </a>
            <span className="block text-xs text-muted">
              {sizeText(file.size)}, until <Timestamp at={file.expires_at} />
            </span>
          </span>
        )}
      </div>
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
    </>
  );
}

function titleOf({ kind, person }: DataRequest): string {
  if (kind === 'export_firm') return 'Export of the firm';
  return `${kind === 'erase_person' ? 'Erasure' : 'Export'} of ${person?.name ?? 'a person'}`;
}
