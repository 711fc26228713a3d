/** The server without a client, for tests that use HTTP. */

import { loadTables } from '../engine/release-tables/load-tables'
import { tablesOf } from '../engine/release-tables/tables'
import { releaseOf } from '../engine/server/option-checks'
import { createMemoryStorage } from '../engine/storage/memory'
import { engineOf } from './engine'
import { systemClock } from './time'
import type { ApiServer, ServerOptions } from './types'

/**
 * An API server in memory, in this process and without a port, whose time is the machine's.
 *
 *     const server = createApiServer({ tokens: 'secret,admin,,"system:masters"' })
 *     await server.fetch(new Request('http://cluster/api/v1/pods', { headers: { authorization: 'Bearer secret' } }))
 *
 * @throws Error for options that contradict each other or name nothing. The first server of a
 *   release above 1.32 loads its tables: such an error then rejects every `fetch`.
 */
export function createApiServer(options: ServerOptions = {}): ApiServer {
  const release = releaseOf(options.release)
  const start = () => engineOf(options, { clock: systemClock, storage: createMemoryStorage() })
  if (tablesOf(release) !== undefined) {
    const engine = start()
    return { fetch: (request) => engine.fetch(request), close: () => engine.close() }
  }
  const started = loadTables(release).then(start)
  // Every fetch reports it.
  started.catch(() => undefined)
  return {
    fetch: async (request) => (await started).fetch(request),
    close: async () => (await started.catch(() => undefined))?.close(),
  }
}
