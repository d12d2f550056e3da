/** An operation of `/v1` with the responses that were recorded from the service. */
export interface RecordedOperation {
  method: string;
  path: string;
  isPublic: boolean;
  success: { status: number; body: object };
  /** By error code. `error` is what differs from the example that all operations share. */
  errors: Record<string, { status: number; error?: object }>;
}
