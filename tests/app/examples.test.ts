/** For every kind that can be made there is an example, and the server accepts it. */
import { describe, expect, it } from 'vitest'
import { parseManifest } from '../../src/app/features/manifests/documents'
import { EXAMPLES, exampleOf } from '../../src/app/features/manifests/examples'
import type { JsonObject } from '../../src/engine/core/object'
import type { ApiServer } from '../../src/engine/server/server'
import { sendRequest, testServer } from '../support/server'

interface Served {
  group: string
  version: string
  resource: string
  kind: string
  namespaced: boolean
  verbs: string[]
}

interface Discovered {
  metadata: { name?: string }
  versions: {
    version: string
    resources: {
      resource: string
      responseKind: { kind: string }
      scope: string
      verbs: string[]
    }[]
  }[]
}

async function servedBy(server: ApiServer): Promise<Served[]> {
  const accept = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList'
  const documents = await Promise.all(
    ['/api', '/apis'].map((path) => sendRequest(server, { path, headers: { accept } })),
  )
  return documents
    .flatMap(({ json }) => json.items as Discovered[])
    .flatMap(({ metadata, versions }) =>
      versions.flatMap(({ version, resources }) =>
        resources.map(({ resource, responseKind, scope, verbs }) => ({
          group: metadata.name ?? '',
          version,
          resource,
          kind: responseKind.kind,
          namespaced: scope === 'Namespaced',
          verbs,
        })),
      ),
    )
    .filter(({ verbs }) => verbs.includes('create'))
}

const pathOf = ({ group, version, resource, namespaced }: Served): string =>
  `${group === '' ? '/api' : `/apis/${group}`}/${version}${namespaced ? '/namespaces/default' : ''}/${resource}`

/** What other examples speak of comes first. */
const FIRST = ['ServiceAccount', 'Pod']

const server = testServer()
const served = (await servedBy(server)).sort(
  (a, b) => FIRST.indexOf(b.kind) - FIRST.indexOf(a.kind),
)
await sendRequest(server, {
  method: 'POST',
  path: '/api/v1/namespaces/default/serviceaccounts',
  body: { metadata: { name: 'default' } },
})

describe('the server accepts the example of', () => {
  it.each(
    served.map((one): [string, Served] => [
      `${one.group || 'core'}/${one.version} ${one.kind}`,
      one,
    ]),
  )('%s', async (_name, one) => {
    const text = exampleOf(one)
    const { documents, problems } = parseManifest(text)
    expect(problems).toEqual([])
    const [document] = documents
    const value = document?.value as JsonObject
    const path = pathOf(one)
    const { name = '' } = (value.metadata ?? {}) as { name?: string }
    // Review kinds are not persisted and cannot be applied.
    const response = one.verbs.includes('patch')
      ? await sendRequest(server, {
          method: 'PATCH',
          path: `${path}/${name}?fieldManager=kubectl&fieldValidation=Strict`,
          body: text,
          headers: { 'content-type': 'application/apply-patch+yaml' },
        })
      : await sendRequest(server, {
          method: 'POST',
          path: `${path}?fieldValidation=Strict`,
          body: value,
        })
    expect([200, 201], response.text).toContain(response.status)
    expect(text, 'an example begins with a comment: see features/manifests/examples').toMatch(/^# /)
  })
})

it('has no unused example', () => {
  const names = new Set(
    served.map(
      ({ group, version, kind }) => `${group === '' ? '' : `${group}/`}${version} ${kind}`,
    ),
  )
  expect(Object.keys(EXAMPLES).filter((name) => !names.has(name))).toEqual([])
})

it('describes the common fields of a custom resource', () => {
  expect(
    exampleOf({ group: 'stable.example.com', version: 'v1', kind: 'CronTab', namespaced: true }),
  ).toBe(
    'apiVersion: stable.example.com/v1\nkind: CronTab\nmetadata:\n  name: example\n  namespace: default\n',
  )
})
