import { readFile } from 'node:fs/promises';
import {
  type Assistant,
  type Clock,
  createModelAssistant,
  type Log,
  type PushProvider,
} from '@firmdesk/domain';
import type { ApnsConfig, AssistantConfig } from '../config.ts';

/** The push provider with the key of a file, which can be read again while pushes are sent. */
export class ReloadablePush implements PushProvider {
  readonly #create: () => Promise<PushProvider>;
  #current: PushProvider;
  readonly #closing: Promise<void>[] = [];

  private constructor(create: () => Promise<PushProvider>, current: PushProvider) {
    this.#create = create;
    this.#current = current;
  }

  static async open(config: ApnsConfig, clock: Clock, log: Log): Promise<ReloadablePush> {
    const create = () => openApns(config, clock, log);
    return new ReloadablePush(create, await create());
  }

  /** Sends further pushes with the key that the file has now. Those in flight are finished with the last one. */
  async reload(): Promise<void> {
    const last = this.#current;
    this.#current = await this.#create();
    this.#closing.push(last.close());
  }

  send(...args: Parameters<PushProvider['send']>): ReturnType<PushProvider['send']> {
    return this.#current.send(...args);
  }

  pauses(): ReturnType<PushProvider['pauses']> {
    return this.#current.pauses();
  }

  async close(): Promise<void> {
    await Promise.all([...this.#closing, this.#current.close()]);
  }
}

async function openApns(config: ApnsConfig, clock: Clock, log: Log): Promise<PushProvider> {
  const { keyFile, keyId, teamId, topics, productionUrl, sandboxUrl, caFile } = config;
  // The library for pushes is loaded only where pushes are sent.
  const { createApnsProvider } = await import('@firmdesk/domain/apns');
  return createApnsProvider({
    key: await readFile(keyFile, 'utf8'),
    keyId,
    teamId,
    ca: caFile && (await readFile(caFile, 'utf8')),
    topics,
    urls: { production: productionUrl, sandbox: sandboxUrl },
    clock,
    log,
  });
}

/** The assistant with the key of a file, which can be read again while replies are written. */
export class ReloadableAssistant implements Assistant {
  readonly #config: AssistantConfig;
  #current: Assistant;

  private constructor(config: AssistantConfig, current: Assistant) {
    this.#config = config;
    this.#current = current;
  }

  static async open(config: AssistantConfig): Promise<ReloadableAssistant> {
    return new ReloadableAssistant(config, await openAssistant(config));
  }

  /** Requests further replies with the key that the file has now. */
  async reload(): Promise<void> {
    this.#current = await openAssistant(this.#config);
  }

  reply(...args: Parameters<Assistant['reply']>): ReturnType<Assistant['reply']> {
    return this.#current.reply(...args);
  }
}

async function openAssistant(config: AssistantConfig): Promise<Assistant> {
  const { baseUrl, model } = config;
  return createModelAssistant({ baseUrl, model, apiKey: await readAssistantKey(config) });
}

/** Returns the key of the model's endpoint, from its file if there is one. Throws if a header cannot carry it. */
export async function readAssistantKey({ apiKey, apiKeyFile }: AssistantConfig): Promise<string | null> {
  const key = apiKeyFile === null ? apiKey : (await readFile(apiKeyFile, 'utf8')).trim();
  if (key !== null && !/^[\x21-\x7e]*$/.test(key))
    throw new TypeError(
      `${apiKeyFile === null ? 'ASSISTANT_API_KEY' : `ASSISTANT_API_KEY_FILE ${apiKeyFile}`} contains blanks, line breaks or letters outside ASCII: it is no key`,
    );
  return key;
}
