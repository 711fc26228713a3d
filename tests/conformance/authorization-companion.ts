/**
 * Webhooks of the recorded servers, run inside this process: their request handler is taken out of
 * them, and their waiting passes under the replay's clock.
 */
import { readFileSync } from 'node:fs'
import { runInNewContext } from 'node:vm'
import type { Clock } from '../../src/engine/core/environment'
import { type Outbound, OutboundError, type OutboundResponse } from '../../src/engine/core/outbound'

export const AUTHORIZATION_COMPANION = 'access-authz-webhook.mjs'

type Listener = (data?: string) => void

/** The parts of Node's requests and responses that the programs use. */
interface CompanionRequest {
  method: string
  url: string
  headers: Record<string, string>
  on(event: 'data' | 'end', listener: Listener): void
}
interface CompanionResponse {
  writeHead(code: number, headers?: Record<string, string>): CompanionResponse
  end(body?: string): void
}
type Handler = (request: CompanionRequest, response: CompanionResponse) => void

/** A program's handler and the address at which it listens. */
interface Companion {
  handler: Handler
  address: string
}

const IMPORT = /^import .* from 'node:http';$/m

/** @param path of a program that makes one plain HTTP server */
export function loadCompanion(path: string, clock: Clock): Companion {
  const source = readFileSync(path, 'utf8').replace(/^#!.*$/m, '')
  if (!IMPORT.test(source)) throw new Error(`${path} does not make a server as expected`)
  const loaded: Partial<Companion> = {}
  const createServer = (handler: Handler) => {
    loaded.handler = handler
    return {
      listen(port: number, host: string) {
        loaded.address = `${host}:${port}`
      },
    }
  }
  const globals = {
    createServer,
    process: { argv: [] },
    setTimeout: (run: () => void, milliseconds: number) => clock.after(milliseconds, run),
  }
  runInNewContext(source.replace(IMPORT, ''), globals)
  if (loaded.handler === undefined || loaded.address === undefined)
    throw new Error(`${path} made no server`)
  return { handler: loaded.handler, address: loaded.address }
}

/** Other addresses are unreachable in a replay. */
export function outboundTo(companions: readonly Companion[]): Outbound {
  return {
    async post({ url, headers, body }) {
      const { host, pathname, search } = new URL(url)
      const companion = companions.find(({ address }) => address === host)
      if (companion === undefined)
        throw new OutboundError(`dial tcp ${host}: connect: connection refused`)
      return responseOf(
        companion.handler,
        { method: 'POST', url: pathname + search, headers: { ...headers } },
        body,
      )
    },
  }
}

function responseOf(
  handler: Handler,
  head: Omit<CompanionRequest, 'on'>,
  body: string,
): Promise<OutboundResponse> {
  return new Promise((resolve) => {
    const listeners = new Map<string, Listener>()
    let status = 200
    let contentType = ''
    const response: CompanionResponse = {
      writeHead(code, headers = {}) {
        status = code
        contentType = headers['Content-Type'] ?? ''
        return response
      },
      end: (text = '') => resolve({ status, contentType, body: text }),
    }
    handler({ ...head, on: (event, listener) => void listeners.set(event, listener) }, response)
    listeners.get('data')?.(body)
    listeners.get('end')?.()
  })
}
