import { createModelAssistant } from '@firmdesk/domain';
import { afterAll } from 'vitest';
import { type FakeOpenAiServer, startFakeOpenAiServer } from '../stand-ins/fake-openai-server.ts';
import { suiteGateway } from './suite-gateway.ts';
import type { TestGateway } from './test-gateway.ts';

/** Opens a gateway whose assistant uses a fake model server, for the duration of a test file. */
export async function openAssistantGateway(): Promise<{ model: FakeOpenAiServer; gateway: TestGateway }> {
  const model = await startFakeOpenAiServer();
  afterAll(() => model[Symbol.asyncDispose]());
  const assistant = createModelAssistant({ baseUrl: model.baseUrl, apiKey: null, model: 'stand-in' });
  return { model, gateway: await suiteGateway({ assistant }) };
}
