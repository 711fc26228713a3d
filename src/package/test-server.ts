/** How tests get a cluster: one for a test, or one for a file. */

import { provideTables } from '../engine/release-tables/provide-tables'
import { releaseOf } from '../engine/server/option-checks'
import { Cluster } from './cluster'
import type { TestHooks, TestServer, TestServerOptions } from './types'

/**
 * Creates a cluster in memory: in this process, without a port, ready in milliseconds. Its clock is
 * paused until a test advances it. Equal options and requests give equal clusters, UIDs included.
 *
 *     const cluster = await createTestServer({ objects: manifests })
 *     await cluster.client.create({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } })
 *
 * @throws Error for invalid options; ApiFailure for objects that the server rejects
 */
export async function createTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  provideTables(releaseOf(options.release))
  const cluster = new Cluster(options)
  await cluster.begin()
  return cluster
}

/**
 * A cluster for all tests of a file, reset before each test. For vitest, jest and node:test:
 *
 *     import { afterAll, beforeEach } from 'vitest'
 *     const cluster = sharedTestServer({ beforeEach, afterAll }, { objects: manifests })
 *     test('…', async () => { await cluster().client.get(…) })
 *
 * @returns a function that returns the cluster inside a test
 */
export function sharedTestServer(
  { beforeEach, afterAll }: TestHooks,
  options: TestServerOptions = {},
): () => TestServer {
  let cluster: TestServer | undefined
  beforeEach(async () => {
    if (cluster === undefined) cluster = await createTestServer(options)
    else await cluster.reset()
  })
  afterAll(async () => {
    await cluster?.close()
    cluster = undefined
  })
  return () => {
    if (cluster === undefined) throw new Error('the cluster is there inside a test')
    return cluster
  }
}

/**
 * A new cluster for each test, as a fixture of vitest:
 *
 *     const test = base.extend({ cluster: testServerFixture({ objects: manifests }) })
 *     test('…', async ({ cluster }) => { await cluster.client.get(…) })
 *
 * @returns the argument for `test.extend`
 */
export function testServerFixture(
  options: TestServerOptions = {},
): (context: object, use: (cluster: TestServer) => Promise<void>) => Promise<void> {
  // Vitest reads from the parameters which other fixtures are needed: none.
  // biome-ignore lint/correctness/noEmptyPattern: the form that vitest requires
  return async ({}, use) => {
    const cluster = await createTestServer(options)
    try {
      await use(cluster)
    } finally {
      await cluster.close()
    }
  }
}
