import superjson, { type SuperJSONResult } from 'superjson';

/** Encodes an input as the typed client does: without notes about equal objects, which the service refuses. */
export function rpcInput(input: unknown): SuperJSONResult {
  const { json, meta } = superjson.serialize(input);
  const { referentialEqualities: _, ...notes } = meta ?? {};
  return meta?.values ? { json, meta: notes } : { json };
}
