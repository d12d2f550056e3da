import type { TraderProfile as Profile, ProfileSection, VerificationStatus } from '@firmdesk/contract';
import { type ReactNode, useSyncExternalStore } from 'react';
import { Badge, type Tone } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { languageName, regionName } from '../ui/display-names.ts';
import { Skeleton } from '../ui/states.tsx';
import { currentMinute, followMinutes } from '../ui/time/current-minute.ts';
import { formatClock, formatInFull } from '../ui/time/time.ts';
import { isKnownZone } from '../ui/time/time-zones.ts';
import { Timestamp } from '../ui/time/timestamp.tsx';
import { entriesOf, type ShownEntry, type ShownValue } from './profile-values.ts';
import { useTraderContext } from './use-trader-context.ts';

const verificationLabels: Record<VerificationStatus, { label: string; tone: Tone }> = {
  unverified: { label: 'Not verified', tone: 'neutral' },
  pending: { label: 'Verification pending', tone: 'warning' },
  verified: { label: 'Verified', tone: 'success' },
  rejected: { label: 'Verification rejected', tone: 'danger' },
};

/** What the platform says about a trader: country, language, local time, verification, and the sections of its layout. */
export function TraderProfile({ trader }: { trader: string }) {
  const { data, error, refetch } = useTraderContext(trader);
  if (error && !data)
    return <Button onClick={() => void refetch()}>Couldn’t load the profile. Try again</Button>;
  if (!data) return <Skeleton className="h-10" />;
  const { profile } = data;
  if (!profile) return null;
  return (
    <div className="mt-3 space-y-3">
      <Facts profile={profile} />
      {profile.layout.map((section, index) => (
        <Section key={index} section={section} data={profile.data} />
      ))}
    </div>
  );
}

function Facts({ profile: { country, language, timezone, verification } }: { profile: Profile }) {
  const now = useSyncExternalStore(followMinutes, currentMinute);
  const at = new Date(now);
  return (
    <>
      {verification && (
        <Badge tone={verificationLabels[verification].tone}>{verificationLabels[verification].label}</Badge>
      )}
      {(country ?? language ?? timezone) && (
        <dl className="grid grid-cols-[auto_1fr] gap-x-3 gap-y-1">
          {country && <Row label="Country">{regionName(country)}</Row>}
          {language && <Row label="Language">{languageName(language)}</Row>}
          {timezone && isKnownZone(timezone) && (
            <Row label="Local time">
              <time dateTime={at.toISOString()} title={`${formatInFull(at, timezone)}, ${timezone}`}>
                {formatClock(at, timezone)}
              </time>
            </Row>
          )}
        </dl>
      )}
    </>
  );
}

function Section({ section, data }: { section: ProfileSection; data: unknown }) {
  const entries = entriesOf(section, data);
  if (entries.length === 0) return null;
  return (
    <section aria-label={section.title}>
      <h3 className="mb-1 text-xs font-medium text-muted wrap-anywhere">{section.title}</h3>
      {entries.map((entry, index) => (
        <Entry key={index} entry={entry} isFirst={index === 0} />
      ))}
    </section>
  );
}

function Entry({ entry, isFirst }: { entry: ShownEntry; isFirst: boolean }) {
  return (
    <dl
      className={`grid grid-cols-[minmax(0,auto)_1fr] gap-x-3 gap-y-1 ${isFirst ? '' : 'mt-2 border-t border-line pt-2'}`}
    >
      {entry.map(({ label, value }) => (
        <Row key={label} label={label}>
          <Value value={value} />
        </Row>
      ))}
    </dl>
  );
}

function Value({ value }: { value: ShownValue }) {
  if (value.kind === 'date') return <Timestamp at={value.at} />;
  if (value.kind === 'text') return value.text;
  return (
    <a
      href={value.href}
      target="_blank"
      rel="noopener noreferrer"
      className="text-accent underline wrap-anywhere"
    >
      {value.text}
    </a>
  );
}

function Row({ label, children }: { label: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-muted wrap-anywhere">{label}</dt>
      <dd className="wrap-anywhere">{children}</dd>
    </>
  );
}
