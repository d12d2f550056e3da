/** The type of a procedure for its callers. `kind` tells them apart; no value of these types exists. */
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

/** An event of a stream, with the id after which the stream can resume. */
export interface Tracked<Event> {
  id: string;
  data: Event;
}
