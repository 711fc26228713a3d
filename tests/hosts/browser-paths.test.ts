import { describe, expect, it } from 'vitest'
import { engineTarget } from '../../src/hosts/shared/paths'

const target = (path: string, base: string) => engineTarget(new URL(path, 'http://127.0.0.1'), base)

describe('which addresses the API server in the browser answers', () => {
  it.each([
    '/api/v1/pods?limit=1',
    '/api',
    '/apis/apps/v1',
    '/openapi/v3',
    '/healthz',
    '/livez/ping?verbose',
    '/readyz',
    '/version',
    '/metrics',
    '/.well-known/openid-configuration',
    '/openid/v1/jwks',
  ])('%s, at the root and below the base path of the page', (path) => {
    expect(target(path, '/')).toBe(path)
    expect(target(`/some/where${path}`, '/some/where/')).toBe(path)
    expect(target(path, '/some/where/')).toBe(path)
  })

  it.each(['/', '/index.html', '/apiary', '/versions', '/assets/api/v1', '/elsewhere/api/v1/pods'])(
    'not %s: it is for the web server',
    (path) => {
      expect(target(path, '/')).toBeUndefined()
      expect(target(path, '/some/where/')).toBeUndefined()
    },
  )
})
