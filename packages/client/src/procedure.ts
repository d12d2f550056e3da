// The types of procedures for their callers. `kind` tells them apart. No values of these types exist.

/** A procedure that only reads. */
export interface Query<Input, Output> {
  kind: 'query';
  input: Input;
  output: Output;
}

/** A procedure that changes data. */
export interface Mutation<Input, Output> {
  kind: 'mutation';
  input: Input;
  output: Output;
}

/** A procedure that returns a stream of events. */
export interface Subscription<Input, Event> {
  kind: 'subscription';
  input: Input;
  output: Tracked<Event>;
}

/** An event of a stream, with the id after which the stream can resume. */
export interface Tracked<Event> {
  id: string;
  data: Event;
}
