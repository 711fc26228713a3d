/**
 * Parses request paths (kubernetes.io, "Kubernetes API concepts"); a trie walk must agree with
 * splitting at slashes.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { RequestInfoError, requestInfo } from '../../src/engine/http/request-info'

const segment = fc.constantFrom(
  '',
  'api',
  'apis',
  'v1',
  'apps',
  'watch',
  'proxy',
  'namespaces',
  'default',
  'pods',
  'web',
  'status',
  'finalize',
  'log',
)
const path = fc
  .tuple(
    fc.constantFrom('/', '//', ''),
    fc.array(segment, { maxLength: 8 }),
    fc.constantFrom('', '/'),
  )
  .map(([start, segments, end]) => start + segments.join('/') + end)

/** The same result from the list of segments. */
function naive(path: string) {
  const [prefix, ...rest] = path.replace(/^\/+|\/+$/g, '').split('/')
  const none = {
    isResource: false,
    group: '',
    version: '',
    namespace: '',
    inNamespace: false,
    parts: [] as string[],
    legacyWatch: false,
  }
  const isGrouped = prefix === 'apis'
  if ((prefix !== 'api' && !isGrouped) || rest.length < (isGrouped ? 3 : 2)) return none
  const group = isGrouped ? (rest.shift() ?? '') : ''
  const version = rest.shift() ?? ''
  const legacyWatch = rest[0] === 'watch'
  if (legacyWatch || rest[0] === 'proxy') {
    if (rest.length === 1) return undefined
    rest.shift()
  }
  const namespace = rest[0] === 'namespaces' ? (rest[1] ?? '') : ''
  const inNamespace =
    rest[0] === 'namespaces' && rest.length > 2 && rest[2] !== 'status' && rest[2] !== 'finalize'
  return {
    isResource: true,
    group,
    version,
    namespace,
    inNamespace,
    parts: inNamespace ? rest.slice(2) : rest,
    legacyWatch,
  }
}

describe('the path of a request', () => {
  it('matches the parse of its segments', () => {
    fc.assert(
      fc.property(path, (path) => {
        const expected = naive(path)
        if (expected === undefined) expect(() => requestInfo('GET', path)).toThrow(RequestInfoError)
        else {
          const [resource = '', name, third = ''] = expected.parts
          const info = requestInfo('PUT', `${path}?pretty=true`)
          // The rest of a legacy proxy path belongs to the proxied server.
          const subresource = info.verb === 'proxy' ? '' : third
          expect(info).toMatchObject({ ...expected, path, resource, name: name ?? '', subresource })
        }
      }),
      { numRuns: 2000 },
    )
  })

  it.each([
    ['POST', '/api/v1/namespaces/a/pods', 'create'],
    ['GET', '/apis/apps/v1/deployments', 'list'],
    ['GET', '/api/v1/pods?watch=1', 'watch'],
    ['HEAD', '/api/v1/namespaces/a/pods/b', 'get'],
    ['DELETE', '/api/v1/namespaces/a/pods', 'deletecollection'],
    ['GET', '/api/v1/watch/pods', 'watch'],
    ['BREW', '/api/v1/pods', ''],
    ['POST', '/healthz', 'post'],
  ])('%s %s has the verb %j', (method, target, verb) => {
    expect(requestInfo(method, target).verb).toBe(verb)
  })
})
