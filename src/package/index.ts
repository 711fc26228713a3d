/**
 * The public API of the package: the Kubernetes API server in memory, for tests.
 *
 *     import { createTestServer } from 'kubetab'
 */
export { ApiFailure } from './api-failure'
export { createApiServer } from './create-api-server'
export { createTestServer, sharedTestServer, testServerFixture } from './test-server'
export type {
  ApiObject,
  ApiObjectMeta,
  ApiServer,
  KindReference,
  KubernetesRelease,
  ListOptions,
  ObjectReference,
  RecordedRequest,
  ServerOptions,
  Snapshot,
  TestClient,
  TestClock,
  TestHooks,
  TestServer,
  TestServerOptions,
  TestUser,
  WatchEvent,
  WriteOptions,
} from './types'
