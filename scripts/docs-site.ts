/**
 * `npm run docs-site` starts the page, and serves examples/docs-site as a site of another origin
 * whose examples run in it.
 */
import { readFileSync } from 'node:fs'
import { createServer as createSite } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { createServer } from 'vite'

const SITE = fileURLToPath(new URL('../examples/docs-site/index.html', import.meta.url))
/** The address in the example. */
const PLACEHOLDER = 'https://example.org/kubetab/'

const page = await createServer({ logLevel: 'warn' })
await page.listen()
const url = page.resolvedUrls?.local[0] ?? ''

const site = createSite((_request, response) => {
  const html = readFileSync(SITE, 'utf8').replaceAll(PLACEHOLDER, url)
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(html)
})
// Browsers treat `localhost` and the page's 127.0.0.1 as different sites.
site.listen(0, '127.0.0.1', () =>
  console.log(`http://localhost:${(site.address() as AddressInfo).port}/`),
)
