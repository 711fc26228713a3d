/**
 * The Content-Security-Policy, written into the page so that any static host serves it; `npm start` and
 * `npm run preview` send headers too, which also state who may frame the page.
 */
import { createHash } from 'node:crypto'
import type { Connect, Plugin } from 'vite'
import { handlerFrameText } from './vite-handler-frame.ts'

const hashOf = (script: string): string =>
  `'sha256-${createHash('sha256').update(script).digest('base64')}'`

/** @param scripts the inline scripts of the page: the policy blocks all others, and `eval` */
export function contentPolicy(scripts: readonly string[]): string {
  return Object.entries({
    'default-src': ["'none'"],
    'script-src': ["'self'", ...scripts.map(hashOf)],
    // Scripts of a person run in workers made of their text.
    'worker-src': ["'self'", 'blob:'],
    // The editor and the console write style sheets of their own while they run.
    'style-src': ["'self'", "'unsafe-inline'"],
    'img-src': ["'self'", 'data:'],
    // Small fonts are part of the style sheets.
    'font-src': ["'self'", 'data:'],
    // The bridge's WebSocket is of the page's own origin.
    'connect-src': ["'self'"],
    'manifest-src': ["'self'"],
    'base-uri': ["'none'"],
    'form-action': ["'none'"],
  })
    .map(([directive, sources]) => `${directive} ${sources.join(' ')}`)
    .join('; ')
}

const INLINE = /<script>([\s\S]*?)<\/script>|<script type="module">([\s\S]*?)<\/script>/g

/** Before anything that it is to bind. */
function withPolicy(html: string, frame: string): string {
  const scripts = [...html.matchAll(INLINE)].map(([, classic, module]) => classic ?? module ?? '')
  const meta = `<meta http-equiv="Content-Security-Policy" content="${contentPolicy([...scripts, frame])}" />`
  return html.replace('<head>', `<head>\n    ${meta}`)
}

/** Only as the quiet frame of `?embed=1`, which keeps nothing and holds nothing of the reader's, the page may be framed by others. */
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
