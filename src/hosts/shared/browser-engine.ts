/** The engine in a browser, on the service worker or on the page: built when first needed, from what IndexedDB keeps. */
import type { KubeObject } from '../../engine/object'
import { builtinResourceKey } from '../../engine/registry/keys'
import { type ApiServer, createApiServer } from '../../engine/server'
import { createMemoryStorage } from '../../engine/storage/memory'
import { openPersistentStore, type PersistentStore } from '../../persistence/indexeddb'
import type { ChannelAnswer, ChannelRequest } from './channel'
import { consoleLog, systemClock, systemRandom } from './environment'
import { PAGE_TOKENS } from './tokens'

export const DATABASE = 'kubetab'

export class BrowserEngine {
  private running: Promise<{ server: ApiServer; store: PersistentStore }> | undefined

  constructor(private readonly databaseName = DATABASE) {}

  /** Starts the engine if it is not running. A failed start is tried again by the next request. */
  start(): Promise<{ server: ApiServer; store: PersistentStore }> {
    this.running ??= this.build().catch((error: unknown) => {
      this.running = undefined
      throw error
    })
    return this.running
  }

  private async build(): Promise<{ server: ApiServer; store: PersistentStore }> {
    const store = await openPersistentStore(this.databaseName)
    const initial = await store.load()
    const storage = createMemoryStorage({ backend: store, initial })
    const server = createApiServer({ clock: systemClock, random: systemRandom, log: consoleLog, storage, tokens: PAGE_TOKENS })
    return { server, store }
  }

  /** @param target path and query for the engine, without the page's base path */
  async fetch(request: Request, target: string): Promise<Response> {
    try {
      const { server } = await this.start()
      return await server.fetchTarget(request, target)
    } catch (error) {
      return unavailable(error)
    }
  }

  /** Ends watches; new ones are asked to come back. For a worker that is about to be replaced. */
  async drain(): Promise<void> {
    const running = await this.running?.catch(() => undefined)
    running?.server.drain()
  }

  /** The replacement did not come: watches are welcome again. */
  async resume(): Promise<void> {
    const running = await this.running?.catch(() => undefined)
    running?.server.resume()
  }

  async answer(request: ChannelRequest): Promise<ChannelAnswer> {
    try {
      return { ok: true, answer: await this.handle(request) }
    } catch (error) {
      return { ok: false, message: error instanceof Error ? error.message : String(error) }
    }
  }

  private async handle(request: ChannelRequest): Promise<unknown> {
    const { server, store } = await this.start()
    switch (request.kind) {
      case 'status':
        return { revision: server.storage.currentRevision(), objects: await server.storage.count('/registry/') }
      case 'export': {
        const { revision, items } = await server.storage.range('/registry/')
        return { revision, objects: items.map((item) => item.object) }
      }
      case 'reset':
        await this.restartWith(server, store, [])
        return undefined
      case 'import':
        await this.restartWith(server, store, request.ask.objects)
        return { objects: request.ask.objects.length }
    }
  }

  private async restartWith(server: ApiServer, store: PersistentStore, objects: KubeObject[]): Promise<void> {
    const rows = objects.map((object) => ({ key: builtinResourceKey(object), object }))
    this.running = undefined
    await server.close()
    await store.replace(rows)
    store.close()
  }
}

/** The engine cannot start: said as a Status, so that every client can show it. */
function unavailable(error: unknown): Response {
  const message = `the API server could not start: ${error instanceof Error ? error.message : String(error)}`
  const status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, reason: 'ServiceUnavailable', code: 503 }
  return new Response(JSON.stringify(status), { status: 503, headers: { 'content-type': 'application/json', 'retry-after': '1' } })
}
