/** Requests that switch protocols, each on its own connection (RFC 9110, section 7.8). */
import { type IncomingMessage, request as requestPlain } from 'node:http'
import { request as requestSecure } from 'node:https'
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Passage } from '../../engine/http/messages'
import type { Cancellation, Exchange, Reply, Target } from './outbound-exchange'

export interface UpgradedReply extends Omit<Reply, 'body'> {
  passage: Passage
}

/** @throws the network's error */
export function upgradeOver(
  target: Target,
  exchange: Exchange,
  cancellation: Cancellation,
): Promise<Reply | UpgradedReply> {
  const { secure, host, port, servername, tls } = target
  const { method, path, headers, body } = exchange
  return new Promise((resolve, reject) => {
    const start = secure ? requestSecure : requestPlain
    const options = { host, port, method, path, headers, agent: false as const }
    const request = start({
      ...options,
      ...(secure ? { ...tls, servername, ALPNProtocols: ['http/1.1'] } : {}),
    })
    const headOf = ({ statusCode = 0, headersDistinct }: IncomingMessage) => ({
      status: statusCode,
      headers: headersDistinct as Reply['headers'],
    })
    request.on('error', reject)
    request.on('response', (response) => resolve({ ...headOf(response), body: response }))
    request.on('upgrade', (response, socket, first) =>
      resolve({ ...headOf(response), passage: passageOf(socket, first) }),
    )
    cancellation.endBy(() => request.destroy())
    request.end(body)
  })
}

/** @param first bytes that came with the response head */
function passageOf(server: Duplex, first: Buffer): Passage {
  server.on('error', () => server.destroy())
  return {
    join(client) {
      if (!(client instanceof Socket)) throw new TypeError('no connection of this host')
      // Pipes both directions with backpressure; both end together.
      client.write(first)
      server.pipe(client)
      client.pipe(server)
      server.on('close', () => client.destroySoon())
      client.on('close', () => server.destroy())
      if (server.destroyed) client.destroySoon()
      if (client.destroyed) server.destroy()
    },
  }
}
