/** A procedure as its callers see it. `kind` tells them apart; no value of these types exists. */
export interface Query<Input, Output> {
  kind: 'query';
  input: Input;
  output: Output;
}

export interface Mutation<Input, Output> {
  kind: 'mutation';
  input: Input;
  output: Output;
}

export interface Subscription<Input, Event> {
  kind: 'subscription';
  input: Input;
  output: Tracked<Event>;
}

/** An event of a stream with its id, by which the stream is resumed. */
export interface Tracked<Event> {
  id: string;
  data: Event;
}
