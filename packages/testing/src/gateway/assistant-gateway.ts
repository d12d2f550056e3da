import { createModelAssistant } from '@firmdesk/domain';
import { type FakeOpenAiServer, startFakeOpenAiServer } from '@firmdesk/domain/testing';
import { afterAll } from 'vitest';
import { suiteGateway } from './suite-gateway.ts';
import type { TestGateway } from './test-gateway.ts';

/** Opens a gateway whose assistant uses a fake model server, for the duration of a test file. */
export async function openAssistantGateway(): Promise<{ model: FakeOpenAiServer; gateway: TestGateway }> {
  const model = await startFakeOpenAiServer();
  afterAll(() => model[Symbol.asyncDispose]());
  const assistant = createModelAssistant({ baseUrl: model.baseUrl, apiKey: null, model: 'stand-in' });
  return { model, gateway: await suiteGateway({ assistant }) };
}
