import type { PushApp, PushEnvironment } from '@firmdesk/contract';
import { delay } from '../../platform/process/delay.ts';
import type { Services } from '../../platform/services.ts';
import { type PushResult, saveResults } from '../outbox.ts';
import { type AttemptResult, reasonLabel } from '../push-metrics.ts';

/** How long results are collected before one statement stores them. */
const COLLECT_MS = 25;

/** A registration whose token the provider rejected. */
interface InvalidDevice {
  token_id: string;
  app: PushApp;
  device_token: string;
  /** When the token became invalid. A registration that was renewed later is kept. Null: the registration is always removed. */
  since: string | null;
}

/** An attempt to send a push, with its result. */
export interface Attempt {
  app: PushApp;
  result: PushResult;
  /** Missing if the device is no longer registered. */
  environment?: PushEnvironment;
  invalidDevice?: InvalidDevice;
}

/** Stores the results of attempts in batches, while others are being sent. */
export class ResultWriter {
  readonly #services: Services;
  #unsaved: Attempt[] = [];
  #saving: Promise<void> | null = null;
  readonly #ending = new AbortController();
  #failures: unknown[] = [];

  constructor(services: Services) {
    this.#services = services;
  }

  get hasFailed(): boolean {
    return this.#failures.length > 0;
  }

  add(attempt: Attempt): void {
    this.#unsaved.push(attempt);
    this.#saving ??= this.#saveAll();
  }

  /** Stores the rest. Throws if results could not be stored: their pushes are sent again when their leases have ended. */
  async end(): Promise<void> {
    this.#ending.abort();
    await this.#saving;
    if (this.hasFailed) throw this.#failures[0];
  }

  async #saveAll(): Promise<void> {
    while (this.#unsaved.length > 0) {
      await delay(COLLECT_MS, this.#ending.signal);
      const attempts = this.#unsaved;
      this.#unsaved = [];
      await this.#save(attempts).catch((error: unknown) => void this.#failures.push(error));
    }
    // Nothing is awaited between the last look at the list and this line, so that a result that is added later starts another save.
    this.#saving = null;
  }

  async #save(attempts: readonly Attempt[]): Promise<void> {
    const services = this.#services;
    const invalid = attempts.flatMap(({ invalidDevice }) => invalidDevice ?? []);
    // Devices are removed before the results are saved: if the process dies in between, the next attempt finds no device.
    if (invalid.length > 0) await removeInvalidDevices(services, invalid);
    await saveResults(
      services,
      attempts.map(({ result }) => result),
    );
    for (const { app, environment = 'unknown', result } of attempts) {
      const { state, reason } = result;
      services.pushMetrics.onAttempt({
        app,
        environment,
        result: resultLabels[state],
        reason: reasonLabel(reason),
      });
    }
  }
}

/** The metric label of each state. */
const resultLabels: Readonly<Record<PushResult['state'], AttemptResult>> = {
  sent: 'delivered',
  refused: 'failed',
  dropped: 'dropped',
  unsent: 'dropped',
  waiting: 'retried',
};

/** Removes registrations, except those made or renewed after the provider found their token invalid. */
async function removeInvalidDevices({ pool }: Services, devices: readonly InvalidDevice[]): Promise<void> {
  await pool.query(
    `delete from devices d
    using jsonb_to_recordset($1::jsonb) as i (token_id text, app text, device_token text, since timestamptz)
    where d.token_id = i.token_id and d.app = i.app and d.device_token = i.device_token
      and (i.since is null or d.last_seen_at <= i.since)`,
    [JSON.stringify(devices)],
  );
}
