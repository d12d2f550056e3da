import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';

const tones = {
  neutral: 'bg-hover text-muted',
  accent: 'bg-selected text-accent',
  ai: 'bg-ai text-ai-text',
  success: 'bg-success-surface text-success',
  warning: 'bg-warning-surface text-warning',
  danger: 'bg-danger-surface text-danger',
} as const;
export type Tone = keyof typeof tones;

export function Badge({ tone = 'neutral', children }: { tone?: Tone; children: ReactNode }) {
  return (
    <span
      className={classNames(
        'inline-flex items-center gap-1 rounded px-1.5 py-0.5 text-xs font-medium whitespace-nowrap',
        tones[tone],
      )}
    >
      {children}
    </span>
  );
}

/** A tag of the firm. Its colour is shown as a dot, so that the name stays readable in each theme. */
export function TagBadge({ name, color }: { name: string; color: string }) {
  return (
    <Badge>
      <span aria-hidden="true" className="tag-dot" style={{ backgroundColor: color }} />
      {name}
    </Badge>
  );
}
