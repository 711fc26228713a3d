/**
 * The bridge of `npm start` and `npm run preview`: relays API requests of local programs such as
 * kubectl to the open tab. The API is also served over HTTPS with a new certificate, because
 * kubectl sends credentials over HTTPS alone.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import type { Connect, Plugin, PreviewServer, ViteDevServer } from 'vite'
import { WebSocketServer } from 'ws'
import { BRIDGE_PATH, type BridgeOffer } from '../src/hosts/bridge/frames.ts'
import { isFromPage, rejectionOf, rejectRemoteAddress } from '../src/hosts/bridge/guard.ts'
import { Relay } from '../src/hosts/bridge/relay.ts'
import { selfSignedCertificate } from '../src/hosts/node/certificate.ts'
import { kubeconfig } from '../src/hosts/node/kubeconfig.ts'
import { engineTarget, workspacePath } from '../src/hosts/shared/paths.ts'
import { PAGE_TOKENS } from '../src/hosts/shared/tokens.ts'

type Server = ViteDevServer | PreviewServer

export function bridge(): Plugin {
  return {
    name: 'bridge',
    configureServer: (server) => carry(server),
    configurePreviewServer: (server) => carry(server),
  }
}

function carry(server: Server): void {
  const { base, root } = server.config
  const relay = new Relay()
  const token = randomBytes(24).toString('base64url')
  server.middlewares.use(apiMiddleware(relay, base, token))
  const { httpServer } = server
  if (httpServer === null) return
  const sockets = new WebSocketServer({ noServer: true, maxPayload: 64 * 1024 * 1024 })
  httpServer.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const url = urlOf(request.url)
    // Other upgrades belong to the development server.
    if (url?.pathname !== base + BRIDGE_PATH) return
    const rejection =
      rejectionOf(request.headers) ?? rejectRemoteAddress(request.socket.remoteAddress)
    if (
      rejection !== undefined ||
      !isFromPage(request.headers) ||
      !isSame(url.searchParams.get('token') ?? '', token)
    ) {
      socket.end('HTTP/1.1 403 Forbidden\r\n\r\n')
      return
    }
    sockets.handleUpgrade(request, socket, head, (tab) => relay.connect(tab))
  })
  httpServer.once('listening', () => serveSecurely(relay, base, join(root, '.cache'), httpServer))
}

function apiMiddleware(relay: Relay, base: string, token: string): Connect.NextHandleFunction {
  return (request, response, next) => {
    const url = urlOf(request.originalUrl ?? request.url)
    if (url === undefined) return void response.writeHead(400).end()
    if (url.pathname === base + BRIDGE_PATH) return offer(request, response, { token })
    const target = relayed(url, base)
    if (target === undefined) return next()
    void relay.handle(request, response, target)
  }
}

/** undefined for an invalid URL, such as `//` with an empty host. */
function urlOf(target: string | undefined): URL | undefined {
  const address = `http://localhost${target ?? '/'}`
  return target?.startsWith('/') !== false && URL.canParse(address) ? new URL(address) : undefined
}

/** Path and query below the page's base path; undefined unless for the API. */
function relayed(url: URL, base: string): string | undefined {
  const found = engineTarget(url, base)
  return found && `/${workspacePath(found.workspace)}${found.target.slice(1)}`
}

function offer(request: IncomingMessage, response: ServerResponse, content: BridgeOffer): void {
  const rejection =
    rejectionOf(request.headers) ?? rejectRemoteAddress(request.socket.remoteAddress)
  if (rejection !== undefined)
    response.writeHead(403, { 'content-type': 'text/plain' }).end(rejection)
  else
    response
      .writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-store' })
      .end(JSON.stringify(content))
}

function isSame(given: string, token: string): boolean {
  return given.length === token.length && timingSafeEqual(Buffer.from(given), Buffer.from(token))
}

function serveSecurely(
  relay: Relay,
  base: string,
  folder: string,
  httpServer: { once(event: 'close', run: () => void): unknown },
): void {
  const identity = selfSignedCertificate('kubetab', Date.now())
  const server = createServer({ key: identity.key, cert: identity.cert }, (request, response) => {
    const url = urlOf(request.url)
    const target = url && relayed(url, base)
    if (target === undefined) response.writeHead(404).end()
    else void relay.handle(request, response, target)
  })
  httpServer.once('close', () => server.close())
  server.listen(0, '127.0.0.1', () => {
    const address = `https://127.0.0.1:${(server.address() as AddressInfo).port}`
    const [token = ''] = PAGE_TOKENS.split(',')
    mkdirSync(folder, { recursive: true })
    const file = join(folder, 'tab.kubeconfig')
    writeFileSync(file, kubeconfig(address, identity.cert, token), { mode: 0o600 })
    console.log(`\n  kubectl reaches the open tab: export KUBECONFIG=${file}\n`)
  })
}
