import { type ReactNode, useId } from 'react';

/** A section of the account page with its heading. */
export function Section({
  title,
  anchor,
  description,
  actions,
  children,
}: {
  title: string;
  /** The id to which links lead. */
  anchor?: string;
  description?: string;
  actions?: ReactNode;
  children: ReactNode;
}) {
  const id = useId();
  return (
    <section id={anchor} aria-labelledby={id} className="rounded-lg border border-line bg-surface">
      <header className="flex flex-wrap items-center justify-between gap-2 border-b border-line px-4 py-3">
        <div>
          <h2 id={id} className="font-semibold">
            {title}
          </h2>
          {description && <p className="text-muted">{description}</p>}
        </div>
        {actions}
      </header>
      {children}
    </section>
  );
}
