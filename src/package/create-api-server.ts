/** The server alone, for whoever speaks HTTP to it. */
import type { Clock } from '../engine/environment'
import { createMemoryStorage } from '../engine/storage/memory'
import { engineOf } from './engine'
import type { ApiServer, ServerOptions } from './types'

/** The machine's clock; what waits for it keeps no process alive. */
const systemClock: Clock = {
  now: Date.now,
  after(milliseconds, run) {
    const timer = setTimeout(run, Math.min(milliseconds, 2 ** 31 - 1))
    if (typeof timer === 'object') timer.unref()
    return () => clearTimeout(timer)
  },
}

/**
 * An API server in memory, in this process and without a port, whose time is the machine's.
 *
 *     const server = createApiServer({ tokens: 'secret,admin,,"system:masters"' })
 *     await server.fetch(new Request('http://cluster/api/v1/pods', { headers: { authorization: 'Bearer secret' } }))
 *
 * @throws Error for options that contradict each other or name nothing
 */
export function createApiServer(options: ServerOptions = {}): ApiServer {
  const engine = engineOf(options, { clock: systemClock, storage: createMemoryStorage() })
  return { fetch: (request) => engine.fetch(request), close: () => engine.close() }
}
