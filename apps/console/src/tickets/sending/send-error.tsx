import { errorText, reportId } from '../../ui/error-text.ts';

/** Shows why a message was not sent. The draft stays in the composer. */
export function SendError({ error }: { error: unknown }) {
  const id = reportId(error);
  return (
    <p role="alert" className="mx-3 mb-2 rounded-md bg-danger-surface px-2.5 py-1.5 text-danger">
      Not sent: {errorText(error)}
      {id && (
        <>
          {' '}
          <code className="text-xs select-all">{id}</code>
        </>
      )}
    </p>
  );
}
