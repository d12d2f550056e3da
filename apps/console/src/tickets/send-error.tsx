import { asFirmdeskError } from '@firmdesk/client';

/** Why something was not sent; what was written stands above, as it was. */
export function SendError({ error }: { error: unknown }) {
  const { message, requestId } = asFirmdeskError(error);
  return (
    <p role="alert" className="mx-3 mb-2 rounded-md bg-danger-surface px-2.5 py-1.5 text-danger">
      This was not sent: {message}
      {requestId && (
        <>
          {' '}
          <code className="text-xs select-all">{requestId}</code>
        </>
      )}
    </p>
  );
}
