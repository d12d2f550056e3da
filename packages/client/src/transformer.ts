import superjson, { type SuperJSONResult } from 'superjson';

/** superjson, without its notes about equal objects: the service takes none, and each object is sent in full. */
export const transformer = {
  input: {
    serialize(input: unknown): SuperJSONResult {
      const { json, meta } = superjson.serialize(input);
      const { referentialEqualities: _, ...notes } = meta ?? {};
      return meta?.values ? { json, meta: notes } : { json };
    },
    deserialize: superjson.deserialize,
  },
  output: superjson,
};
