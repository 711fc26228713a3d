/**
 * The Content-Security-Policy as a meta element, for any static host. `npm start` and `npm run
 * preview` also send headers, including `frame-ancestors`, which a meta element cannot set.
 */
import { createHash } from 'node:crypto'
import type { Connect, Plugin } from 'vite'
import { handlerFrameText } from './vite-handler-frame.ts'

const hashOf = (script: string): string =>
  `'sha256-${createHash('sha256').update(script).digest('base64')}'`

/** @param scripts inline scripts; the policy blocks all others, and `eval` */
export function contentPolicy(scripts: readonly string[]): string {
  return Object.entries({
    'default-src': ["'none'"],
    'script-src': ["'self'", ...scripts.map(hashOf)],
    // Scripts of the user run in Blob workers.
    'worker-src': ["'self'", 'blob:'],
    // The editor and the console create style sheets.
    'style-src': ["'self'", "'unsafe-inline'"],
    'img-src': ["'self'", 'data:'],
    // Style sheets contain small fonts as data URLs.
    'font-src': ["'self'", 'data:'],
    // The bridge's WebSocket has the page's own origin.
    'connect-src': ["'self'"],
    'manifest-src': ["'self'"],
    'base-uri': ["'none'"],
    'form-action': ["'none'"],
  })
    .map(([directive, sources]) => `${directive} ${sources.join(' ')}`)
    .join('; ')
}

const INLINE = /<script>([\s\S]*?)<\/script>|<script type="module">([\s\S]*?)<\/script>/g

/** Before all elements that it restricts. */
function withPolicy(html: string, frame: string): string {
  const scripts = [...html.matchAll(INLINE)].map(([, classic, module]) => classic ?? module ?? '')
  const meta = `<meta http-equiv="Content-Security-Policy" content="${contentPolicy([...scripts, frame])}" />`
  return html.replace('<head>', `<head>\n    ${meta}`)
}

/** Other sites may frame only `?embed=1`, which stores nothing and shows no user data. */
const headers: Connect.NextHandleFunction = (request, response, next) => {
  const { searchParams } = new URL(request.url ?? '/', 'http://localhost')
  response.setHeader(
    'content-security-policy',
    `frame-ancestors ${searchParams.has('embed') ? '*' : "'self'"}`,
  )
  response.setHeader('x-content-type-options', 'nosniff')
  response.setHeader('referrer-policy', 'no-referrer')
  next()
}

export function contentSecurity(): Plugin {
  return {
    name: 'content-security',
    transformIndexHtml: {
      order: 'post',
      handler: async (html) => withPolicy(html, await handlerFrameText()),
    },
    configureServer: (server) => void server.middlewares.use(headers),
    configurePreviewServer: (server) => void server.middlewares.use(headers),
  }
}
