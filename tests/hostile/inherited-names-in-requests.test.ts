/** Inherited names in a request's method, path, query, headers and reviews mean no more than any other name. */
import { describe, expect, it } from 'vitest'
import { NAME_PAIRS, type SentRequest, ServerPair } from './same-for-any-name'

const PODS = '/api/v1/namespaces/default/pods'
const get = (target: string, headers: Record<string, string> = {}): SentRequest => ({
  method: 'GET',
  target,
  headers,
})
const review = (spec: object): SentRequest => ({
  method: 'POST',
  target: '/apis/authorization.k8s.io/v1/subjectaccessreviews',
  body: { apiVersion: 'authorization.k8s.io/v1', kind: 'SubjectAccessReview', spec },
})

const POSITIONS: [where: string, request: (name: string) => SentRequest][] = [
  ['the method', (name) => ({ method: name, target: PODS })],
  ['the path', (name) => get(`/${name}`)],
  ['a group', (name) => get(`/apis/${name}/v1/pods`)],
  ['a version', (name) => get(`/apis/apps/${name}/deployments`)],
  ['a core version', (name) => get(`/api/${name}/pods`)],
  ['a resource', (name) => get(`/api/v1/${name}`)],
  ['a namespace', (name) => get(`/api/v1/namespaces/${name}/pods`)],
  ['an object', (name) => get(`${PODS}/${name}`)],
  ['a subresource', (name) => get(`${PODS}/a/${name}`)],
  ['a deletion', (name) => ({ method: 'DELETE', target: `${PODS}/${name}` })],
  ['a query parameter', (name) => get(`${PODS}?${name}=${name}`)],
  ['limit', (name) => get(`${PODS}?limit=${name}`)],
  ['continue', (name) => get(`${PODS}?continue=${name}`)],
  ['resourceVersion', (name) => get(`${PODS}?resourceVersion=${name}`)],
  ['resourceVersionMatch', (name) => get(`${PODS}?resourceVersion=0&resourceVersionMatch=${name}`)],
  [
    'fieldValidation',
    (name) => ({ method: 'POST', target: `${PODS}?fieldValidation=${name}`, body: {} }),
  ],
  ['dryRun', (name) => ({ method: 'POST', target: `${PODS}?dryRun=${name}`, body: {} })],
  [
    'fieldManager',
    (name) => ({ method: 'POST', target: `${PODS}?fieldManager=${name}`, body: {} }),
  ],
  [
    'propagationPolicy',
    (name) => ({ method: 'DELETE', target: `${PODS}/a?propagationPolicy=${name}` }),
  ],
  ['a label selector', (name) => get(`${PODS}?labelSelector=${name}%3D${name}`)],
  [
    'a label selector that wants no such label',
    (name) => get(`/api/v1/namespaces?labelSelector=!${name}`),
  ],
  [
    'a label selector of a set',
    (name) => get(`/api/v1/namespaces?labelSelector=${name}%20notin%20(${name})`),
  ],
  ['a field selector', (name) => get(`${PODS}?fieldSelector=${name}%3D${name}`)],
  ['a metadata field selector', (name) => get(`${PODS}?fieldSelector=metadata.${name}%3Da`)],
  ['an OpenAPI path', (name) => get(`/openapi/v3/apis/${name}`)],
  ['a header', (name) => get(PODS, { [name]: name })],
  ['Accept', (name) => get(PODS, { accept: `application/${name}` })],
  ['a media type parameter', (name) => get(PODS, { accept: `application/json;${name}=${name}` })],
  ['as', (name) => get(PODS, { accept: `application/json;as=${name};v=v1;g=meta.k8s.io` })],
  [
    'Content-Type',
    (name) => ({
      method: 'POST',
      target: PODS,
      headers: { 'content-type': `application/${name}` },
      body: {},
    }),
  ],
  [
    'a patch type',
    (name) => ({
      method: 'PATCH',
      target: `${PODS}/a`,
      headers: { 'content-type': name },
      body: {},
    }),
  ],
  ['a token', (name) => get(PODS, { authorization: `Bearer ${name}` })],
  ['an authentication scheme', (name) => get(PODS, { authorization: `${name} a` })],
  ['Impersonate-User', (name) => get(PODS, { 'impersonate-user': name })],
  [
    'Impersonate-Group',
    (name) => get(PODS, { 'impersonate-user': 'a', 'impersonate-group': name }),
  ],
  [
    'Impersonate-Extra',
    (name) =>
      get(PODS, { 'impersonate-user': 'a', [`impersonate-extra-${name.toLowerCase()}`]: name }),
  ],
  [
    'a body of that kind',
    (name) => ({ method: 'POST', target: PODS, body: { apiVersion: name, kind: name } }),
  ],
  [
    'a body of that kind in v1',
    (name) => ({ method: 'POST', target: PODS, body: { apiVersion: 'v1', kind: name } }),
  ],
  [
    'a reviewed user',
    (name) => review({ user: name, resourceAttributes: { resource: 'pods', verb: 'get' } }),
  ],
  [
    'a reviewed verb',
    (name) => review({ user: 'a', resourceAttributes: { resource: 'pods', verb: name } }),
  ],
  [
    'a reviewed resource',
    (name) =>
      review({ user: 'a', resourceAttributes: { resource: name, group: name, verb: 'get' } }),
  ],
  [
    'a reviewed path',
    (name) => review({ user: 'a', nonResourceAttributes: { path: `/${name}`, verb: 'get' } }),
  ],
  [
    'reviewed extra',
    (name) =>
      review({
        user: 'a',
        extra: Object.fromEntries([[name, [name]]]),
        nonResourceAttributes: { path: '/' },
      }),
  ],
]

describe.each(NAME_PAIRS)('%s', (...names) => {
  it('means nothing in any position of a request', async () => {
    const servers = new ServerPair()
    for (const [where, request] of POSITIONS) {
      const { actual, expected } = await servers.send(names, request)
      expect(actual, where).toBe(expected)
    }
  })
})
