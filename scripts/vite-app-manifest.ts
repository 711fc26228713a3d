/** What a browser needs to install the page as an app: the manifest (W3C, Web Application Manifest) and icons. */
import type { Plugin } from 'vite'
import { ICON_SVG, iconPng } from './icon.ts'

/** Addresses are relative to the manifest: the page may lie under any path. */
const MANIFEST = {
  id: './',
  name: 'kubetab: the Kubernetes API in a tab',
  short_name: 'kubetab',
  description: 'The Kubernetes API server in a browser tab: a simulator and learning playground.',
  start_url: './',
  scope: './',
  display: 'standalone',
  background_color: '#eff1f5',
  theme_color: '#3558d6',
  categories: ['developer', 'education'],
  icons: [
    { src: 'icon.svg', sizes: 'any', type: 'image/svg+xml' },
    { src: 'icon-192.png', sizes: '192x192', type: 'image/png' },
    { src: 'icon-512.png', sizes: '512x512', type: 'image/png' },
    { src: 'icon-maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
  ],
}

const FILES: Record<string, { type: string; make(): string | Buffer }> = {
  'manifest.webmanifest': { type: 'application/manifest+json', make: () => JSON.stringify(MANIFEST, null, 2) },
  'icon.svg': { type: 'image/svg+xml', make: () => ICON_SVG },
  'icon-192.png': { type: 'image/png', make: () => iconPng(192) },
  'icon-512.png': { type: 'image/png', make: () => iconPng(512) },
  'icon-maskable-512.png': { type: 'image/png', make: () => iconPng(512, true) },
}

export function appManifest(): Plugin {
  return {
    name: 'app-manifest',
    transformIndexHtml: () => [
      { tag: 'link', attrs: { rel: 'manifest', href: './manifest.webmanifest' }, injectTo: 'head' },
      { tag: 'link', attrs: { rel: 'apple-touch-icon', href: './icon-192.png' }, injectTo: 'head' },
      // The ground of theme.css: what the browser draws around the page belongs to it.
      { tag: 'meta', attrs: { name: 'theme-color', content: '#eff1f5', media: '(prefers-color-scheme: light)' }, injectTo: 'head' },
      { tag: 'meta', attrs: { name: 'theme-color', content: '#090b0f', media: '(prefers-color-scheme: dark)' }, injectTo: 'head' },
    ],
    configureServer(server) {
      server.middlewares.use((request, response, next) => {
        const { pathname } = new URL(request.url ?? '/', 'http://localhost')
        const { base } = server.config
        const file = pathname.startsWith(base) ? FILES[pathname.slice(base.length)] : undefined
        if (file === undefined) return next()
        response.setHeader('content-type', file.type)
        response.end(file.make())
      })
    },
    generateBundle() {
      for (const [fileName, { make }] of Object.entries(FILES)) this.emitFile({ type: 'asset', fileName, source: make() })
    },
  }
}
