import { provideTables } from '../engine/release-tables/provide-tables'
import { releaseOf } from '../engine/server/option-checks'
import { createMemoryStorage } from '../engine/storage/memory'
import { engineOf } from './engine'
import { systemClock } from './time'
import type { ApiServer, ServerOptions } from './types'

/**
 * Creates an API server in memory: in this process, without a port, in real time.
 *
 *     const server = createApiServer({ tokens: 'secret,admin,,"system:masters"' })
 *     await server.fetch(new Request('http://cluster/api/v1/pods', { headers: { authorization: 'Bearer secret' } }))
 *
 * @throws Error for invalid options
 */
export function createApiServer(options: ServerOptions = {}): ApiServer {
  provideTables(releaseOf(options.release))
  const engine = engineOf(options, { clock: systemClock, storage: createMemoryStorage() })
  return { fetch: (request) => engine.fetch(request), close: () => engine.close() }
}
