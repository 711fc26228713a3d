/** Listens on the loopback interface, for plain HTTP or for HTTPS. */
import { createServer, type Server, type ServerOptions } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { type Handle, requestListener } from './adapter'
import type { ClientAuthorities } from './client-certificates'
import { tunnelListener } from './tunnels'
import { answerUnknownMethod } from './unknown-method'

export interface Listener {
  /** `http://127.0.0.1:8080` */
  address: string
  /** Takes no new connections, ends those that wait for their next request and resolves when the last one has ended. */
  close(): Promise<void>
}

/** Watches last; a connection that waits for its next request is the client's to close. */
const OPTIONS: ServerOptions = { keepAliveTimeout: 120_000, requestTimeout: 0, maxHeaderSize: 1024 * 1024, noDelay: true }

/** How often a closing server looks for connections that have nothing left to answer. */
const SWEEP_MILLISECONDS = 20

export interface ListenOptions {
  /** 0 takes a free one. */
  port: number
  /** Key and certificate in PEM: speak HTTPS. */
  identity?: { key: string; cert: string }
  /** Who vouches for clients that bring a certificate. */
  authorities?: ClientAuthorities | undefined
  report(message: string, cause: unknown): void
}

/**
 * @throws the system's error if the port cannot be had
 */
export async function listen(handle: Handle, { port, identity, authorities, report }: ListenOptions): Promise<Listener> {
  const answer = requestListener(handle, report, authorities?.certificateOf)
  const server: Server = identity
    ? createSecureServer({ ...OPTIONS, ...identity, ...authorities?.options }, answer)
    : createServer(OPTIONS, answer)
  const plain = createServer(OPTIONS, answer)
  server.on('upgrade', tunnelListener({ handle, plain, certificateOf: authorities?.certificateOf, report }))
  server.on('clientError', (error, socket) => {
    if (answerUnknownMethod(error, socket, handle)) return
    if (socket.writable)
      socket.end('HTTP/1.1 400 Bad Request\r\nconnection: close\r\ncontent-type: text/plain; charset=utf-8\r\n\r\n400 Bad Request')
    else socket.destroy()
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  return {
    address: `${identity ? 'https' : 'http'}://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        // A connection whose last answer was a watch becomes idle only when the watch has ended.
        const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MILLISECONDS)
        server.close(() => {
          clearInterval(sweep)
          resolve()
        })
        server.closeIdleConnections()
      }),
  }
}
