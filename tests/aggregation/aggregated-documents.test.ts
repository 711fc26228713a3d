/** Discovery and OpenAPI of aggregated versions. */
import { beforeEach, describe, expect, it } from 'vitest'
import {
  aggregated,
  cluster,
  condition,
  NAME,
  passed,
  register,
  SERVICES,
  serve,
  setUpEachTest,
  V3,
} from './aggregated-server'

setUpEachTest()

describe('discovery', () => {
  const aggregatedType = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList'

  it('names the group at its priority, and its resources all at once', async () => {
    await serve()
    await register()
    const { json } = await cluster.sendRequest({ path: '/apis' })
    expect(json.groups.at(-1)).toMatchObject({
      name: 'metrics.example.com',
      preferredVersion: { groupVersion: 'metrics.example.com/v1', version: 'v1' },
    })
    expect((await cluster.sendRequest({ path: '/apis/metrics.example.com' })).json).toMatchObject({
      kind: 'APIGroup',
    })
    const all = await cluster.sendRequest({ path: '/apis', headers: { accept: aggregatedType } })
    expect(all.json.items.at(-1)).toMatchObject({
      metadata: { name: 'metrics.example.com' },
      versions: [
        {
          version: 'v1',
          freshness: 'Current',
          resources: [
            {
              resource: 'readings',
              responseKind: { group: 'metrics.example.com', version: 'v1', kind: 'Reading' },
              scope: 'Namespaced',
              shortNames: ['rd'],
              subresources: [{ subresource: 'status' }],
            },
          ],
        },
      ],
    })
  })

  it('puts a group of a high priority before others', async () => {
    await serve()
    await register({ groupPriorityMinimum: 20_000 })
    const { json } = await cluster.sendRequest({ path: '/apis' })
    expect(json.groups[1].name).toBe('metrics.example.com')
  })

  // Published tests of the real server.
  it('shows the group among the paths of the server, as long as it is there', async () => {
    const paths = async () =>
      (await cluster.sendRequest({ path: '/' })).json.paths.filter((path: string) =>
        path.includes('metrics.example.com'),
      )
    await register()
    expect(await paths()).toEqual(['/apis/metrics.example.com', '/apis/metrics.example.com/v1'])
    await cluster.sendRequest({ method: 'DELETE', path: `${SERVICES}/${NAME}` })
    expect(await paths()).toEqual([])
  })

  it('uses the aggregated discovery of a server', async () => {
    const groupList = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList'
    const responseKind = { group: 'metrics.example.com', version: 'v1', kind: 'Reading' }
    const resource = {
      resource: 'readings',
      responseKind,
      scope: 'Namespaced',
      singularResource: 'reading',
      verbs: ['get'],
      shortNames: ['rd'],
    }
    const versions = [
      {
        version: 'v1',
        resources: [
          { ...resource, subresources: [{ subresource: 'status', responseKind, verbs: ['get'] }] },
        ],
      },
      { version: 'v2', resources: [{ ...resource, resource: 'others' }] },
    ]
    const body = {
      kind: 'APIGroupDiscoveryList',
      items: [{ metadata: { name: 'metrics.example.com' }, versions }],
    }
    // It is reported even if the served path is missing.
    aggregated.handler = ({ headers }, path) =>
      path === '/apis' && String(headers.accept).startsWith(`${groupList},`)
        ? { headers: { 'content-type': groupList }, body }
        : { status: 404, body: 'no' }
    await serve()
    await register()
    await expect.poll(async () => (await condition()).reason).toBe('FailedDiscoveryCheck')
    const { json } = await cluster.sendRequest({ path: '/apis', headers: { accept: groupList } })
    const [found] = json.items.filter(
      ({ metadata }: { metadata: { name: string } }) => metadata.name === 'metrics.example.com',
    )
    expect(found.versions).toEqual([{ ...versions[0], freshness: 'Current' }])
  })

  it('lists the resources of a version for a server without aggregated discovery, as an anonymous aggregator', async () => {
    await serve()
    await register()
    const path = '/apis/metrics.example.com/v1'
    expect(await condition()).toMatchObject({ status: 'True' })
    const requested = passed
      .filter(({ url }) => url.endsWith(path))
      .map(({ headers }) => [headers.accept, headers['x-remote-group']])
    expect(requested.slice(0, 2)).toEqual([
      [undefined, ['system:masters']],
      ['application/json', undefined],
    ])
  })

  it('marks unreachable versions as stale, and keeps the order of the others', async () => {
    const before = (await cluster.sendRequest({ path: '/apis' })).json.groups
    await register()
    const all = await cluster.sendRequest({ path: '/apis', headers: { accept: aggregatedType } })
    expect(all.json.items.at(-1).versions).toEqual([{ version: 'v1', freshness: 'Stale' }])
    expect((await cluster.sendRequest({ path: '/apis' })).json.groups.slice(0, -1)).toEqual(before)
  })
})

describe('OpenAPI', () => {
  beforeEach(async () => {
    await serve()
    await register()
  })

  it('lists the document of the version and fetches it from there', async () => {
    const { json } = await cluster.sendRequest({ path: '/openapi/v3' })
    expect(json.paths['apis/metrics.example.com/v1']).toEqual({
      serverRelativeURL: '/openapi/v3/apis/metrics.example.com/v1?hash=ABC',
    })
    expect(
      (await cluster.sendRequest({ path: '/openapi/v3/apis/metrics.example.com/v1?hash=ABC' }))
        .json,
    ).toEqual(V3)
  })

  it('holds its paths and what they lead to in the document of all, other things under other names', async () => {
    const { json } = await cluster.sendRequest({ path: '/openapi/v2' })
    expect(json.paths['/apis/metrics.example.com/v1/readings']).toBeDefined()
    expect(json.paths['/healthz']).toBeUndefined()
    expect(json.definitions['com.example.Reading'].properties.metadata.$ref).toBe(
      '#/definitions/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta_v2',
    )
    expect(json.definitions['io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta_v2'].description).toBe(
      'another one',
    )
    expect(json.definitions.unused).toBeUndefined()
    expect(json.parameters['window-AAAAAAAA']).toMatchObject({ name: 'window' })
    expect(json.definitions['com.example.Query']).toEqual({ type: 'string' })
    expect(Object.keys(json.parameters)).toContain('namespace-vgWSWtn3')
    expect(json.parameters['unused-CCCCCCCC']).toBeUndefined()
  })
})
