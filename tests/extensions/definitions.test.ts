import { beforeEach, describe, expect, test } from 'vitest'
import { SimulatedClock } from '../../src/engine/environment'
import { type Ask, askedServer } from '../http/asking'

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
const WIDGETS = '/apis/example.com/v1/namespaces/default/widgets'

function definition(plural: string, kind: string, more: Record<string, unknown> = {}, version: Record<string, unknown> = {}) {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.example.com` },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural, kind },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: {
            openAPIV3Schema: {
              type: 'object',
              properties: { spec: { type: 'object', properties: { size: { type: 'integer', default: 1 } } }, status: { type: 'object' } },
            },
          },
          ...version,
        },
      ],
      ...more,
    },
  }
}

const widget = (name: string, more: Record<string, unknown> = {}) => ({
  apiVersion: 'example.com/v1',
  kind: 'Widget',
  metadata: { name },
  ...more,
})

const settled = () => new Promise((resolve) => setTimeout(resolve, 5))

let ask: Ask
let clock: SimulatedClock
beforeEach(() => {
  clock = new SimulatedClock()
  ask = askedServer({ clock })
})

async function define(body: unknown): Promise<void> {
  expect((await ask(DEFINITIONS, { method: 'POST', body })).status).toBe(201)
  await settled()
}

async function conditions(name: string): Promise<Record<string, string>> {
  const { json } = await ask(`${DEFINITIONS}/${name}`)
  const { conditions } = json.status as { conditions: { type: string; status: string; reason: string }[] }
  return Object.fromEntries(conditions.map(({ type, status, reason }) => [type, `${status} ${reason}`]))
}

describe('a definition in a group of the community', () => {
  const approved = (given: string) => ({
    ...definition('widgets', 'Widget', { group: 'things.k8s.io' }),
    metadata: { name: 'widgets.things.k8s.io', annotations: { 'api-approved.kubernetes.io': given } },
  })
  const told = async () => {
    const { json } = await ask(`${DEFINITIONS}/widgets.things.k8s.io`)
    return (json.status as { conditions: { type: string; status: string; reason: string; message: string }[] }).conditions.map(
      ({ type, status, reason, message }) => [type, status, reason, message],
    )
  }

  test('says first whether it is approved, and says so again when that changes', async () => {
    await define(approved('https://example.com/approved'))
    const conformant = 'KubernetesAPIApprovalPolicyConformant'
    expect((await told())[0]).toEqual([conformant, 'True', 'ApprovedAnnotation', 'approved in https://example.com/approved'])
    expect((await told()).map(([type]) => type)).toEqual([conformant, 'NamesAccepted', 'Established'])
    const headers = { 'content-type': 'application/merge-patch+json' }
    const body = { metadata: { annotations: { 'api-approved.kubernetes.io': 'unapproved, an experiment' } } }
    await ask(`${DEFINITIONS}/widgets.things.k8s.io`, { method: 'PATCH', headers, body })
    await settled()
    expect((await told())[0]).toEqual([conformant, 'False', 'UnapprovedAnnotation', 'not approved: "unapproved, an experiment"'])
  })
})

describe("a definition in a group of the server's own", () => {
  const LEASES = '/apis/coordination.k8s.io/v1/namespaces/default/leases'
  const taking = (plural: string, kind: string) => ({
    ...definition(plural, kind, { group: 'coordination.k8s.io' }),
    metadata: { name: `${plural}.coordination.k8s.io`, annotations: { 'api-approved.kubernetes.io': 'unapproved, an experiment' } },
  })

  test('takes no place of a resource that is there, neither by coming nor by going', async () => {
    await define(taking('leases', 'Lease'))
    const lease = await ask(LEASES, { method: 'POST', body: { metadata: { name: 'a' }, spec: { leaseDurationSeconds: 7 } } })
    expect(lease.json).toMatchObject({ kind: 'Lease', spec: { leaseDurationSeconds: 7 } })
    await ask(`${DEFINITIONS}/leases.coordination.k8s.io`, { method: 'DELETE' })
    await settled()
    expect((await ask(`${LEASES}/a`)).status).toBe(200)
  })

  test('changes nothing of how the resource is described', async () => {
    const described = async () => (await ask('/openapi/v2')).json.paths as Record<string, unknown>
    const before = (await described())[LEASES.replace('default', '{namespace}')]
    await define(taking('leases', 'Lease'))
    expect((await described())[LEASES.replace('default', '{namespace}')]).toEqual(before)
  })

  test('makes nothing be served beside them', async () => {
    await define(taking('widgets', 'Widget'))
    expect((await ask(LEASES.replace('leases', 'widgets'))).status).toBe(404)
  })
})

describe('a definition', () => {
  test('makes its group, version and resource appear, and takes them with it', async () => {
    expect((await ask('/apis/example.com')).status).toBe(404)
    await define(definition('widgets', 'Widget'))
    expect(await conditions('widgets.example.com')).toEqual({ NamesAccepted: 'True NoConflicts', Established: 'True InitialNamesAccepted' })
    const { json } = await ask('/apis/example.com/v1')
    expect(json.resources).toMatchObject([{ name: 'widgets', singularName: 'widget', kind: 'Widget', namespaced: true }])
    expect((await ask('/openapi/v3')).json.paths as object).toHaveProperty('apis/example.com/v1')
    expect((await ask(WIDGETS)).json.items).toEqual([])

    await ask(`${DEFINITIONS}/widgets.example.com`, { method: 'DELETE' })
    await settled()
    expect((await ask(`${DEFINITIONS}/widgets.example.com`)).status).toBe(404)
    expect(await ask(WIDGETS)).toMatchObject({ status: 404, text: '404 page not found\n' })
    expect((await ask('/apis/example.com')).status).toBe(404)
  })

  test('has names in its status that could be names', async () => {
    await define(definition('widgets', 'Widget'))
    const headers = { 'content-type': 'application/merge-patch+json' }
    const body = { status: { acceptedNames: { kind: 'no_kind' } } }
    const { json } = await ask(`${DEFINITIONS}/widgets.example.com/status`, { method: 'PATCH', headers, body })
    expect(json).toMatchObject({ code: 422, details: { causes: [{ field: 'status.acceptedNames.kind' }] } })
  })

  test('always tells the version in which objects are stored', async () => {
    await define(definition('widgets', 'Widget'))
    const merge = { 'content-type': 'application/merge-patch+json' }
    const at = `${DEFINITIONS}/widgets.example.com/status`
    const { json } = await ask(at, { method: 'PATCH', headers: merge, body: { status: { storedVersions: null } } })
    expect(json).toMatchObject({ status: { storedVersions: ['v1'] } })
  })

  test('is told of in discovery by name, without the version of its storage where that is not served', async () => {
    await define(definition('widgets', 'Widget'))
    const more = { name: 'v2', served: false, storage: true }
    const body = definition('gadgets', 'Gadget', {}, { storage: false })
    body.spec.versions.push({ ...(body.spec.versions[0] as (typeof body.spec.versions)[0]), ...more })
    await define(body)
    const { json } = await ask('/apis/example.com/v1')
    const found = json.resources as { name: string; storageVersionHash?: string }[]
    expect(found.map(({ name, storageVersionHash }) => [name, storageVersionHash !== undefined])).toEqual([
      ['gadgets', false],
      ['widgets', true],
    ])
  })

  test('converts by nobody, or is told so, where it claims to preserve everything', async () => {
    const spec = { preserveUnknownFields: true, conversion: { strategy: 'Webhook' } }
    const { json } = await ask(DEFINITIONS, { method: 'POST', body: definition('widgets', 'Widget', spec) })
    expect(json.message).toContain('spec.preserveUnknownFields: Invalid value: true: must be false in order to use defaults in the schema')
    expect(json.message).toContain('spec.conversion.strategy: Invalid value: "Webhook": must be None if spec.preserveUnknownFields is true')
  })

  test.each([
    [{ additionalProperties: 'x' }, 'boolean or JSON schema expected'],
    [
      { items: [3] },
      'cannot unmarshal number into Go struct field JSONSchemaProps.spec.versions.schema.openAPIV3Schema.items of type v1.JSONSchemaProps',
    ],
  ])('cannot be read where something else stands for a schema', async (word, why) => {
    const openAPIV3Schema = { type: 'object', ...word }
    const { status, json } = await ask(DEFINITIONS, {
      method: 'POST',
      body: definition('widgets', 'Widget', {}, { schema: { openAPIV3Schema } }),
    })
    expect([status, json.message]).toEqual([400, expect.stringContaining(why)])
  })

  test('has no items where their place holds no schema', async () => {
    const openAPIV3Schema = { type: 'object', properties: { a: { type: 'string', items: [] } } }
    await define(definition('widgets', 'Widget', {}, { schema: { openAPIV3Schema } }))
    const { json } = await ask(`${DEFINITIONS}/widgets.example.com`)
    expect(JSON.stringify(json.spec)).not.toContain('"items"')
  })

  test('may name a version twice among those that objects were stored in', async () => {
    await define(definition('widgets', 'Widget'))
    const headers = { 'content-type': 'application/merge-patch+json' }
    const path = `${DEFINITIONS}/widgets.example.com`
    await ask(`${path}/status`, { method: 'PATCH', headers, body: { status: { storedVersions: ['v1', 'v1'] } } })
    expect((await ask(path, { method: 'PATCH', headers, body: { metadata: { labels: { a: 'b' } } } })).status).toBe(200)
  })

  test('waits for a name that another one has, and gets it when that one goes', async () => {
    await define(definition('widgets', 'Widget'))
    await define(definition('gadgets', 'Widget'))
    expect(await conditions('gadgets.example.com')).toEqual({ NamesAccepted: 'False ListKindConflict', Established: 'False NotAccepted' })
    expect((await ask('/apis/example.com/v1/gadgets')).status).toBe(404)
    await ask(`${DEFINITIONS}/widgets.example.com`, { method: 'DELETE' })
    await settled()
    expect((await ask('/apis/example.com/v1/gadgets')).status).toBe(200)
  })

  test('has an API service for every version that is served, as long as one is', async () => {
    const service = '/apis/apiregistration.k8s.io/v1/apiservices/v1.example.com'
    await define(definition('widgets', 'Widget'))
    await define(definition('gadgets', 'Gadget'))
    const { json } = await ask(service)
    expect(json).toMatchObject({
      metadata: { labels: { 'kube-aggregator.kubernetes.io/automanaged': 'true' } },
      spec: { group: 'example.com', version: 'v1', groupPriorityMinimum: 1000, versionPriority: 100 },
      status: { conditions: [{ type: 'Available', status: 'True', reason: 'Local' }] },
    })
    await ask(`${DEFINITIONS}/widgets.example.com`, { method: 'DELETE' })
    await settled()
    expect((await ask(service)).status).toBe(200)
    await ask(`${DEFINITIONS}/gadgets.example.com`, { method: 'DELETE' })
    await settled()
    expect((await ask(service)).status).toBe(404)
  })

  test('has none for a version that it no longer has', async () => {
    const services = '/apis/apiregistration.k8s.io/v1/apiservices'
    const name = `${DEFINITIONS}/widgets.example.com`
    await define(definition('widgets', 'Widget'))
    const versions = ((await ask(name)).json.spec as { versions: Record<string, unknown>[] }).versions
    const statuses = async () => [(await ask(`${services}/v1.example.com`)).status, (await ask(`${services}/v4.example.com`)).status]
    const change = async (now: unknown[]) => {
      await ask(name, { method: 'PATCH', headers: { 'content-type': 'application/merge-patch+json' }, body: { spec: { versions: now } } })
      await settled()
    }
    await change([...versions, { ...versions[0], name: 'v4', storage: false }])
    expect(await statuses()).toEqual([200, 200])
    await change(versions)
    expect(await statuses()).toEqual([200, 404])
  })

  test('is told of, and leads nowhere, in a group that is built into the server', async () => {
    const annotations = { 'api-approved.kubernetes.io': 'unapproved, a test' }
    const body = definition('widgets', 'Widget', { group: 'scheduling.k8s.io' }, { name: 'v1beta7' })
    await define({ ...body, metadata: { name: 'widgets.scheduling.k8s.io', annotations } })
    const { versions } = (await ask('/apis/scheduling.k8s.io')).json as { versions: { version: string }[] }
    expect(versions.map(({ version }) => version)).toEqual(['v1beta7', 'v1'])
    for (const path of ['/apis/scheduling.k8s.io/v1beta7', '/apis/scheduling.k8s.io/v1beta7/widgets'])
      expect((await ask(path)).json.message).toBe('the server could not find the requested resource')
  })

  test('stands in the list of groups by the name of its first API service', async () => {
    for (const [group, version] of [
      ['alpha.example', 'v2'],
      ['beta.example', 'v1'],
    ] as const)
      await define({ ...definition('widgets', 'Widget', { group }, { name: version }), metadata: { name: `widgets.${group}` } })
    const { groups } = (await ask('/apis')).json as { groups: { name: string }[] }
    expect(groups.slice(-2).map(({ name }) => name)).toEqual(['beta.example', 'alpha.example'])
  })

  test('keeps its API services as they are to be, but for those that somebody has made his own', async () => {
    const services = '/apis/apiregistration.k8s.io/v1/apiservices'
    const service = `${services}/v1.example.com`
    const headers = { 'content-type': 'application/merge-patch+json' }
    const change = async (body: Record<string, unknown>) => {
      await ask(service, { method: 'PATCH', headers, body })
      await settled()
      return (await ask(service)).json
    }
    await define(definition('widgets', 'Widget'))
    expect(await change({ spec: { versionPriority: 5 } })).toMatchObject({ spec: { versionPriority: 100 } })
    await ask(service, { method: 'DELETE' })
    await settled()
    expect((await ask(service)).status).toBe(200)
    await change({ metadata: { labels: { 'kube-aggregator.kubernetes.io/automanaged': null } } })
    expect(await change({ spec: { versionPriority: 5 } })).toMatchObject({ spec: { versionPriority: 5 } })
    await ask(`${DEFINITIONS}/widgets.example.com`, { method: 'DELETE' })
    await settled()
    expect((await ask(service)).status).toBe(200)
  })

  test('goes when the last of its objects has gone; meanwhile none may come', async () => {
    await define(definition('widgets', 'Widget'))
    await ask(WIDGETS, { method: 'POST', body: widget('loose') })
    await ask(WIDGETS, { method: 'POST', body: { ...widget('held'), metadata: { name: 'held', finalizers: ['example.com/hold'] } } })
    await ask(`${DEFINITIONS}/widgets.example.com`, { method: 'DELETE' })
    await settled()
    expect((await ask(`${WIDGETS}/loose`)).status).toBe(404)
    expect((await ask(`${WIDGETS}/held`)).json.metadata).toHaveProperty('deletionTimestamp')
    expect((await ask(WIDGETS, { method: 'POST', body: widget('late') })).json).toMatchObject({
      code: 405,
      message: 'create not allowed while custom resource definition is terminating',
    })
    expect((await conditions('widgets.example.com')).Terminating).toBe('True InstanceDeletionInProgress')
    expect((await ask('/apis/example.com/v1')).json.resources).toMatchObject([
      { name: 'widgets', verbs: ['delete', 'deletecollection', 'get', 'list', 'watch'] },
    ])
    const merge = { 'content-type': 'application/merge-patch+json' }
    await ask(`${WIDGETS}/held`, { method: 'PATCH', headers: merge, body: { metadata: { finalizers: null } } })
    clock.advance(5000)
    await settled()
    expect((await ask(`${DEFINITIONS}/widgets.example.com`)).status).toBe(404)
  })
})

describe('watches of custom resources', () => {
  const watched = async () => {
    const answer = ask(`${WIDGETS}?watch=1&timeoutSeconds=60`)
    let text: string | undefined
    answer.then((given) => {
      text = given.text
    })
    await settled()
    return () => text
  }
  const pass = async (milliseconds: number) => {
    clock.advance(milliseconds)
    await settled()
  }

  test('end a moment after the definition became another, and not before', async () => {
    await define(definition('widgets', 'Widget'))
    await ask(WIDGETS, { method: 'POST', body: widget('one') })
    const text = await watched()
    const headers = { 'content-type': 'application/merge-patch+json' }
    const change = (body: Record<string, unknown>) => ask(`${DEFINITIONS}/widgets.example.com`, { method: 'PATCH', headers, body })
    await change({ metadata: { labels: { a: 'b' } } })
    await pass(1000)
    expect(text()).toBeUndefined()
    await change({ spec: { names: { categories: ['all'] } } })
    await pass(999)
    expect(text()).toBeUndefined()
    await pass(1)
    expect(text()).toContain('"type":"ADDED"')
  })

  test('tell that the objects are gone before they end with their definition', async () => {
    await define(definition('widgets', 'Widget'))
    await ask(WIDGETS, { method: 'POST', body: widget('one') })
    const text = await watched()
    await ask(`${DEFINITIONS}/widgets.example.com`, { method: 'DELETE' })
    await settled()
    await pass(1000)
    expect(text()).toContain('"type":"DELETED"')
  })
})

describe('a definition that is being deleted', () => {
  const held = (plural: string, kind: string) => {
    const body = definition(plural, kind)
    return { ...body, metadata: { ...body.metadata, finalizers: ['example.com/hold'] } }
  }

  test('says that its objects are gone while something else holds it', async () => {
    await define(held('widgets', 'Widget'))
    await ask(`${DEFINITIONS}/widgets.example.com`, { method: 'DELETE' })
    await settled()
    expect((await conditions('widgets.example.com')).Terminating).toBe('False InstanceDeletionCompleted')
    expect((await ask(`${DEFINITIONS}/widgets.example.com`)).json.metadata).toMatchObject({ finalizers: ['example.com/hold'] })
  })

  test('says that there never were any where it was not served', async () => {
    await define(definition('widgets', 'Widget'))
    await define(held('gadgets', 'Widget'))
    await ask(`${DEFINITIONS}/gadgets.example.com`, { method: 'DELETE' })
    await settled()
    expect((await conditions('gadgets.example.com')).Terminating).toBe('False NeverEstablished')
  })
})

describe('certificates of a webhook that converts', () => {
  const converted = (caBundle: string) => ({
    conversion: {
      strategy: 'Webhook',
      webhook: { conversionReviewVersions: ['v1'], clientConfig: { url: 'https://127.0.0.1:1/convert', caBundle: btoa(caBundle) } },
    },
  })
  const GOOD = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n'
  const change = (more: Record<string, unknown>) => {
    const headers = { 'content-type': 'application/merge-patch+json' }
    return ask(`${DEFINITIONS}/widgets.example.com`, { method: 'PATCH', headers, body: { spec: more } })
  }

  test('keep the definition from being served as long as nobody can read them', async () => {
    await define(definition('widgets', 'Widget', converted('none')))
    expect((await conditions('widgets.example.com')).Established).toBe('False InvalidCABundle')
    expect((await ask('/apis/example.com/v1')).status).toBe(404)
    expect((await change(converted('neither'))).status).toBe(200)
    await change(converted(GOOD))
    await settled()
    expect((await conditions('widgets.example.com')).Established).toBe('True InitialNamesAccepted')
    expect((await ask('/apis/example.com/v1')).status).toBe(200)
  })

  test('do not become unreadable while it is served', async () => {
    await define(definition('widgets', 'Widget', converted(GOOD)))
    expect((await change(converted('no'))).json).toMatchObject({
      code: 422,
      details: {
        causes: [
          {
            field: 'spec.conversion.webhookClientConfig.caBundle',
            message: 'Invalid value: []byte{0x6e, 0x6f}: unable to load root certificates: unable to parse bytes as PEM block',
          },
        ],
      },
    })
  })
})

describe('custom resources', () => {
  test('are pruned, defaulted and counted by generation', async () => {
    await define(definition('widgets', 'Widget'))
    const created = await ask(WIDGETS, { method: 'POST', body: widget('one', { spec: { other: true } }) })
    expect(created.json).toMatchObject({ spec: { size: 1 }, metadata: { generation: 1 } })
    expect(created.json.spec).not.toHaveProperty('other')
    const merge = { 'content-type': 'application/merge-patch+json' }
    const labelled = await ask(`${WIDGETS}/one`, { method: 'PATCH', headers: merge, body: { metadata: { labels: { a: 'b' } } } })
    expect(labelled.json).toMatchObject({ metadata: { generation: 1 } })
    const grown = await ask(`${WIDGETS}/one`, { method: 'PATCH', headers: merge, body: { spec: { size: 2 } } })
    expect(grown.json).toMatchObject({ metadata: { generation: 2 } })
  })

  test('show themselves in every version, pruned to what it knows', async () => {
    const schema = (names: string[]) => ({
      openAPIV3Schema: {
        type: 'object',
        properties: {
          spec: { type: 'object', properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])) },
        },
      },
    })
    await define(
      definition('widgets', 'Widget', {
        versions: [
          { name: 'v1', served: true, storage: true, schema: schema(['both', 'fresh']) },
          { name: 'v1beta1', served: true, storage: false, deprecated: true, schema: schema(['both', 'old']) },
        ],
      }),
    )
    const beta = '/apis/example.com/v1beta1/namespaces/default/widgets'
    await ask(WIDGETS, { method: 'POST', body: widget('new', { spec: { both: 'x', fresh: 'y' } }) })
    const seen = await ask(`${beta}/new`)
    expect(seen.json).toMatchObject({ apiVersion: 'example.com/v1beta1', spec: { both: 'x' } })
    expect(seen.json.spec).not.toHaveProperty('fresh')
    expect(seen.headers.get('warning')).toBe('299 - "example.com/v1beta1 Widget is deprecated; use example.com/v1 Widget"')
    const old = { ...widget('old', { spec: { both: 'x', old: 'z' } }), apiVersion: 'example.com/v1beta1' }
    expect((await ask(beta, { method: 'POST', body: old })).json).toMatchObject({ apiVersion: 'example.com/v1beta1', spec: { both: 'x' } })
  })

  test('have the defaults of the version that they are stored in, whichever one shows them', async () => {
    const version = (name: string, own: string) => {
      const member = { type: 'string', default: name }
      const properties = { [own]: member, v1: { type: 'string' }, v2: { type: 'string' }, [name]: member }
      const schema = { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties } } } }
      return { name, served: true, storage: name === 'v2', schema, subresources: { status: {} } }
    }
    await define(definition('widgets', 'Widget', { versions: [version('v1', 'first'), version('v2', 'second')] }))
    const { json } = await ask(WIDGETS, { method: 'POST', body: widget('one', { spec: {} }) })
    expect(json.spec).toEqual({ v1: 'v1', v2: 'v2' })
    expect((await ask(WIDGETS.replace('/v1/', '/v2/'))).json.items).toMatchObject([{ spec: { v1: 'v1', v2: 'v2', second: 'v2' } }])
  })

  test('show of objects inside them what can be read, where these were none when they were stored', async () => {
    const schemaOf = (more: object) => {
      const part = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, ...more }
      return { schema: { openAPIV3Schema: { type: 'object', properties: { part } } } }
    }
    await define(definition('widgets', 'Widget', {}, schemaOf({})))
    const metadata = { name: 'inner', labels: { a: 'b' }, annotations: { a: 1 }, color: 'red', creationTimestamp: null }
    const parts = [
      { kind: 'Part', apiVersion: 'v1', metadata, size: 1 },
      { kind: 2, apiVersion: 'v1', metadata: 'none' },
    ]
    for (const [index, part] of parts.entries())
      expect((await ask(WIDGETS, { method: 'POST', body: widget(`w${index}`, { part }) })).status).toBe(201)
    const headers = { 'content-type': 'application/json-patch+json' }
    const { schema } = schemaOf({ 'x-kubernetes-embedded-resource': true })
    const body = [{ op: 'replace', path: '/spec/versions/0/schema', value: schema }]
    expect((await ask(`${DEFINITIONS}/widgets.example.com`, { method: 'PATCH', headers, body })).status).toBe(200)
    await settled()
    const shown = { kind: 'Part', apiVersion: 'v1', metadata: { name: 'inner', labels: { a: 'b' } }, size: 1 }
    const { json } = await ask(WIDGETS)
    expect((json.items as { part: unknown }[]).map(({ part }) => part)).toEqual([shown, { apiVersion: 'v1', metadata: 'none' }])
    const merge = { 'content-type': 'application/merge-patch+json' }
    const labelled = await ask(`${WIDGETS}/w0`, { method: 'PATCH', headers: merge, body: { metadata: { labels: { c: 'd' } } } })
    expect([labelled.status, labelled.json.part]).toEqual([200, shown])
  })

  test('send nobody from a deprecated version to an older one', async () => {
    const version = (name: string, more: Record<string, unknown> = {}) => {
      return { name, served: true, storage: name === 'v1', schema: { openAPIV3Schema: { type: 'object' } }, ...more }
    }
    const versions = [version('v1'), version('v1beta1', { deprecated: true }), version('v2', { deprecated: true })]
    await define(definition('widgets', 'Widget', { versions }))
    const warning = async (name: string) => (await ask(`/apis/example.com/${name}/widgets`)).headers.get('warning')
    expect(await warning('v1beta1')).toBe('299 - "example.com/v1beta1 Widget is deprecated; use example.com/v1 Widget"')
    expect(await warning('v2')).toBe('299 - "example.com/v2 Widget is deprecated"')
  })

  test('are warned of finalizers that say of nobody whose they are, when those come', async () => {
    await define(definition('widgets', 'Widget'))
    const warned = (name: string) =>
      `299 - "metadata.finalizers: \\"${name}\\": prefer a domain-qualified finalizer name to avoid accidental conflicts with other finalizer writers"`
    const held = { ...widget('one'), metadata: { name: 'one', finalizers: ['plain', 'example.com/mine', 'orphan'] } }
    expect((await ask(WIDGETS, { method: 'POST', body: held })).headers.get('warning')).toBe(warned('plain'))
    const headers = { 'content-type': 'application/merge-patch+json' }
    const change = (finalizers: string[]) => ask(`${WIDGETS}/one`, { method: 'PATCH', headers, body: { metadata: { finalizers } } })
    expect((await change(['plain', 'widgets.example.com'])).headers.get('warning')).toBe(warned('widgets.example.com'))
    expect((await change(['plain'])).headers.get('warning')).toBeNull()
  })

  test('may be applied with anything where their schema names nothing, and where it allows an integer or a text', async () => {
    const day = { type: 'string', format: 'date' }
    const spec = { type: 'object', properties: { open: { type: 'object' }, either: { 'x-kubernetes-int-or-string': true }, day } }
    await define(definition('widgets', 'Widget', {}, { schema: { openAPIV3Schema: { type: 'object', properties: { spec } } } }))
    const apply = (body: object) =>
      ask(`${WIDGETS}/one?fieldManager=me`, { method: 'PATCH', headers: { 'content-type': 'application/apply-patch+yaml' }, body })
    expect((await apply(widget('one', { spec: { open: { a: 1 } } }))).json).toMatchObject({ spec: { open: {} } })
    const text = (value: unknown) => apply(widget('one', { spec: { day: value } })).then(({ json }) => json.message)
    expect(await text({ a: 1 })).toMatch(/\.spec\.day: expected any scalar, got &\{map\[a:1\]\}$/)
    expect(await text(true)).toMatch(/spec\.day in body must be of type date: ""$/)
    const { json } = await apply(widget('one', { spec: { either: [] } }))
    expect(json).toMatchObject({
      code: 422,
      message: expect.stringContaining('spec.either in body must be of type integer,string: "array"'),
    })
  })

  test('are asked for their rules only when nothing else is missing, be it a name', async () => {
    const rules = [{ rule: 'has(self.spec)', message: 'say what you want' }]
    await define(
      definition(
        'widgets',
        'Widget',
        {},
        { schema: { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object' } }, 'x-kubernetes-validations': rules } } },
      ),
    )
    const told = async (metadata: object) =>
      ((await ask(WIDGETS, { method: 'POST', body: { ...widget('one'), spec: undefined, metadata } })).json.message as string).replace(
        /^.*? is invalid: /,
        '',
      )
    expect(await told({ name: 'One' })).toMatch(/^\[metadata\.name: Invalid value.*<nil>: Invalid value: "object": say what you want\]$/)
    expect(await told({})).toMatch(
      /^\[metadata\.name: Required value: .*, <nil>: Invalid value: "null": some validation rules were not checked/,
    )
    const annotations = { long: 'x'.repeat(300_000) }
    expect(await told({ name: 'one', annotations })).toMatch(/^\[metadata\.annotations: Too long: .*some validation rules were not checked/)
  })

  test('leave the status to its subresource', async () => {
    await define(definition('widgets', 'Widget', {}, { subresources: { status: {} } }))
    await ask(WIDGETS, { method: 'POST', body: widget('one', { status: {} }) })
    const put = await ask(`${WIDGETS}/one/status`, {
      method: 'PUT',
      body: { ...(await ask(`${WIDGETS}/one`)).json, spec: { size: 9 }, status: {} },
    })
    expect(put.json).toMatchObject({ status: {}, metadata: { generation: 1 } })
    expect(put.json).not.toHaveProperty('spec')
  })

  test('are asked for their whole status, and by all rules, whenever the status is written', async () => {
    const text = (more: object) => ({ type: 'object', properties: { a: { type: 'string', ...more } } })
    const versionOf = (spec: object, status: object) => ({
      schema: { openAPIV3Schema: { type: 'object', properties: { spec: text(spec), status: text(status) } } },
      subresources: { status: {} },
    })
    await define(definition('widgets', 'Widget', {}, versionOf({}, {})))
    await ask(WIDGETS, { method: 'POST', body: widget('one', { spec: { a: 'long' } }) })
    const headers = { 'content-type': 'application/merge-patch+json' }
    const change = (path: string, body: object) => ask(path, { method: 'PATCH', headers, body })
    await change(`${WIDGETS}/one/status`, { status: { a: 'long' } })
    const told = async (schema: ReturnType<typeof versionOf>, subresource: string) => {
      const version = { name: 'v1', served: true, storage: true, ...schema }
      await change(`${DEFINITIONS}/widgets.example.com`, { spec: { versions: [version] } })
      await settled()
      const { status, json } = await change(`${WIDGETS}/one${subresource}`, {
        metadata: { labels: { b: subresource === '' ? 'whole' : 'status' } },
      })
      return status === 200 ? 'taken' : (json.message as string).replace(/^.*is invalid: /, '')
    }
    const short = { maxLength: 1 }
    const rule = { 'x-kubernetes-validations': [{ rule: 'self.size() < 2' }] }
    expect(await told(versionOf(short, short), '')).toBe('taken')
    expect(await told(versionOf(short, short), '/status')).toBe('status.a: Too long: may not be longer than 1')
    expect(await told(versionOf(rule, rule), '')).toBe('taken')
    const failed = (field: string) => `${field}: Invalid value: "string": failed rule: self.size() < 2`
    expect(await told(versionOf(rule, rule), '/status')).toBe(`[${failed('spec.a')}, ${failed('status.a')}]`)
  })

  test('keep what they are when the status that they only showed by default is written', async () => {
    const openAPIV3Schema = { type: 'object', properties: { spec: { type: 'string' }, status: { type: 'integer', default: 0 } } }
    await define(definition('widgets', 'Widget', {}, { schema: { openAPIV3Schema }, subresources: { status: {} } }))
    const { json: before } = await ask(WIDGETS, { method: 'POST', body: widget('one', { spec: 'kept' }) })
    const { resourceVersion, uid } = before.metadata as Record<string, string>
    const body = { ...widget('one', { status: 0 }), metadata: { name: 'one', resourceVersion } }
    await ask(`${WIDGETS}/one/status`, { method: 'PUT', body })
    expect((await ask(`${WIDGETS}/one`)).json).toMatchObject({ spec: 'kept', status: 0, metadata: { uid, generation: 1 } })
  })
})
