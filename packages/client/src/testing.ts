export {
  createTestGateway,
  type ReceivedCall,
  type RestOperation,
  type TestGateway,
} from './test-gateway.ts';
