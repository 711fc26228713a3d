import { describe, expect, it } from 'vitest'
import { engineTarget, isWorkspaceName, workspacePath } from '../../src/hosts/shared/paths'

const found = (path: string, base: string) => engineTarget(new URL(path, 'http://127.0.0.1'), base)
const target = (path: string, base: string) => found(path, base)?.target

describe('paths that the API server in the browser handles', () => {
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
    '/kubetab/v1/causes?resourceVersion=3',
  ])('include %s, at the root and below the base path of the page', (path) => {
    expect(target(path, '/')).toBe(path)
    expect(target(`/some/where${path}`, '/some/where/')).toBe(path)
    expect(target(path, '/some/where/')).toBe(path)
  })

  it.each(['/', '/index.html', '/apiary', '/versions', '/assets/api/v1', '/elsewhere/api/v1/pods'])(
    'exclude %s, which the web server handles',
    (path) => {
      expect(target(path, '/')).toBeUndefined()
      expect(target(path, '/some/where/')).toBeUndefined()
    },
  )
})

it('exclude the files of a page that is served below /kubetab/', () => {
  for (const path of ['/kubetab/', '/kubetab/index.html', '/kubetab/assets/index.js'])
    expect(target(path, '/kubetab/'), path).toBeUndefined()
  expect(target('/kubetab/kubetab/v1/causes', '/kubetab/')).toBe('/kubetab/v1/causes')
})

describe('workspaces', () => {
  it('have URLs below their names, except the first workspace', () => {
    expect(found('/api/v1/pods', '/')).toEqual({ workspace: '', target: '/api/v1/pods' })
    for (const base of ['/', '/some/where/']) {
      const path = `${base}${workspacePath('lesson-1')}apis/apps/v1?x=1`
      expect(found(path, base), path).toEqual({
        workspace: 'lesson-1',
        target: '/apis/apps/v1?x=1',
      })
    }
  })

  it.each([
    '/~/api',
    '/~Upper/api',
    '/~-a/api',
    '/~a-/api',
    `/~${'a'.repeat(41)}/api`,
    '/~a/index.html',
    '/~a',
  ])('do not match %s', (path) => {
    expect(found(path, '/')).toBeUndefined()
  })

  it('have labels of at most 40 characters as names', () => {
    expect(['a', 'a1', 'shared-2', 'a'.repeat(40)].every(isWorkspaceName)).toBe(true)
    expect(['', '-a', 'a-', 'A', 'a b', 'a/b', 'a'.repeat(41)].some(isWorkspaceName)).toBe(false)
  })
})
