/** `npm start` serves the worker's files, also those that only some pages request. */
import { fileURLToPath } from 'node:url'
import { createServer, type ViteDevServer } from 'vite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { STEPS } from '../../src/engine/release-tables/tables'

describe('the development server', () => {
  let server: ViteDevServer
  let url = ''

  beforeAll(async () => {
    server = await createServer({
      root: fileURLToPath(new URL('../../', import.meta.url)),
      configLoader: 'runner',
      logLevel: 'warn',
      optimizeDeps: { noDiscovery: true, include: [] },
      server: { host: '127.0.0.1', port: 0, watch: null, hmr: false },
    })
    await server.listen()
    url = server.resolvedUrls?.local[0] ?? ''
  })

  afterAll(() => server.close())

  it.each(['descriptions.json', ...STEPS.map((release) => `release-${release}.json`)])(
    'serves %s',
    async (name) => {
      const response = await fetch(url + name)
      expect([response.status, response.headers.get('content-type')]).toEqual([
        200,
        'application/json',
      ])
      expect(Object.keys(await response.json())).not.toEqual([])
    },
  )
})
