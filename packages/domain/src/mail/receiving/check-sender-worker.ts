/** The thread of `check-sender.ts`. */
import { Resolver } from 'node:dns/promises';
import { authenticate } from 'mailauth';
import { serveTasks } from '../../platform/process/serve-tasks.ts';
import type { SenderQuestion, SenderResults } from './check-sender.ts';
import type { MethodResult } from './sender-check.ts';

/** For all answers of the DNS together. What it has not answered by then counts as a temporary error. */
const DNS_MS = 3_000;
const LOOKUP_MS = 1_000;
/** A message with many signatures asks for more. */
const MAX_LOOKUPS = 100;

/** A signature of a part of the text (`l=`) says nothing about the rest, so it does not count. */

async function check({ raw, sender, trustReceived, servers }: SenderQuestion): Promise<SenderResults> {
  const resolver = new Resolver({ timeout: LOOKUP_MS, tries: 2 });
  if (servers.length > 0) resolver.setServers(servers);
  let lookups = 0;
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    resolver.cancel();
  }, DNS_MS);
  try {
    const { dkim, spf, dmarc, arc } = await authenticate(Buffer.from(raw), {
      ...(sender !== '' && { sender }),
      trustReceived,
      rejectRsaSha1: true,
      disableBimi: true,
      mta: 'localhost',
      resolver: (name, type) => {
        if (isLate || ++lookups > MAX_LOOKUPS)
          return Promise.reject(
            Object.assign(new Error('The DNS was asked too much.'), { code: 'ETIMEOUT' }),
          );
        return resolver.resolve(name, type) as Promise<string[][] | string[]>;
      },
    });
    const results: MethodResult[] = dkim.results.map(({ status, signingDomain }) => ({
      method: 'dkim',
      result: status.underSized ? 'policy' : status.result,
      domain: signingDomain?.toLowerCase() ?? null,
    }));
    if (spf) results.push({ method: 'spf', result: spf.status.result, domain: spf.domain || null });
    if (dmarc) {
      const { alignment, status } = dmarc;
      // Without a record there is no alignment, whatever its type says.
      const isPartial = Boolean(alignment?.dkim.underSized) && !alignment.spf.result;
      const result = isPartial && status.result === 'pass' ? 'none' : status.result;
      results.push({ method: 'dmarc', result, domain: status.header?.from ?? null });
    }
    const signature = arc && arc.status.result === 'pass' ? arc.signature : false;
    const sealer = signature ? (signature.signingDomain?.toLowerCase() ?? null) : null;
    return { results, sealer, senders: dkim.fromFields };
  } finally {
    clearTimeout(timer);
  }
}

serveTasks(check);
