import { beforeEach, describe, expect, test } from 'vitest'
import { SimulatedClock } from '../../src/engine/core/environment'
import { selfSignedCertificate } from '../../src/hosts/node/certificate'
import { type SendRequest, testClient } from '../http/test-client'
import { DEFINITIONS, define, definition, settled } from './widgets'

let sendRequest: SendRequest
let clock: SimulatedClock
beforeEach(() => {
  clock = new SimulatedClock()
  sendRequest = testClient({ clock })
})

async function conditions(name: string): Promise<Record<string, string>> {
  const { json } = await sendRequest(`${DEFINITIONS}/${name}`)
  const { conditions } = json.status as {
    conditions: { type: string; status: string; reason: string }[]
  }
  return Object.fromEntries(
    conditions.map(({ type, status, reason }) => [type, `${status} ${reason}`]),
  )
}

describe('a definition in a group of the community', () => {
  const approved = (given: string) => ({
    ...definition('widgets', 'Widget', { group: 'things.k8s.io' }),
    metadata: {
      name: 'widgets.things.k8s.io',
      annotations: { 'api-approved.kubernetes.io': given },
    },
  })
  const reported = async () => {
    const { json } = await sendRequest(`${DEFINITIONS}/widgets.things.k8s.io`)
    return (
      json.status as {
        conditions: { type: string; status: string; reason: string; message: string }[]
      }
    ).conditions.map(({ type, status, reason, message }) => [type, status, reason, message])
  }

  test('reports first whether it is approved, and again when that changes', async () => {
    await define(sendRequest, approved('https://example.com/approved'))
    const conformant = 'KubernetesAPIApprovalPolicyConformant'
    expect((await reported())[0]).toEqual([
      conformant,
      'True',
      'ApprovedAnnotation',
      'approved in https://example.com/approved',
    ])
    expect((await reported()).map(([type]) => type)).toEqual([
      conformant,
      'NamesAccepted',
      'Established',
    ])
    const headers = { 'content-type': 'application/merge-patch+json' }
    const body = {
      metadata: { annotations: { 'api-approved.kubernetes.io': 'unapproved, an experiment' } },
    }
    await sendRequest(`${DEFINITIONS}/widgets.things.k8s.io`, { method: 'PATCH', headers, body })
    await settled()
    expect((await reported())[0]).toEqual([
      conformant,
      'False',
      'UnapprovedAnnotation',
      'not approved: "unapproved, an experiment"',
    ])
  })
})

describe("a definition in a group of the server's own", () => {
  const LEASES = '/apis/coordination.k8s.io/v1/namespaces/default/leases'
  const taking = (plural: string, kind: string) => ({
    ...definition(plural, kind, { group: 'coordination.k8s.io' }),
    metadata: {
      name: `${plural}.coordination.k8s.io`,
      annotations: { 'api-approved.kubernetes.io': 'unapproved, an experiment' },
    },
  })

  test('takes no place of a resource that is there, neither by coming nor by going', async () => {
    await define(sendRequest, taking('leases', 'Lease'))
    const lease = await sendRequest(LEASES, {
      method: 'POST',
      body: { metadata: { name: 'a' }, spec: { leaseDurationSeconds: 7 } },
    })
    expect(lease.json).toMatchObject({ kind: 'Lease', spec: { leaseDurationSeconds: 7 } })
    await sendRequest(`${DEFINITIONS}/leases.coordination.k8s.io`, { method: 'DELETE' })
    await settled()
    expect((await sendRequest(`${LEASES}/a`)).status).toBe(200)
  })

  test('changes nothing of how the resource is described', async () => {
    const described = async () =>
      (await sendRequest('/openapi/v2')).json.paths as Record<string, unknown>
    const before = (await described())[LEASES.replace('default', '{namespace}')]
    await define(sendRequest, taking('leases', 'Lease'))
    expect((await described())[LEASES.replace('default', '{namespace}')]).toEqual(before)
  })

  test('adds no served resource', async () => {
    await define(sendRequest, taking('widgets', 'Widget'))
    expect((await sendRequest(LEASES.replace('leases', 'widgets'))).status).toBe(404)
  })
})

describe('a definition that is being deleted', () => {
  const held = (plural: string, kind: string) => {
    const body = definition(plural, kind)
    return { ...body, metadata: { ...body.metadata, finalizers: ['example.com/hold'] } }
  }

  test('reports that its objects are gone while a finalizer remains', async () => {
    await define(sendRequest, held('widgets', 'Widget'))
    await sendRequest(`${DEFINITIONS}/widgets.example.com`, { method: 'DELETE' })
    await settled()
    expect((await conditions('widgets.example.com')).Terminating).toBe(
      'False InstanceDeletionCompleted',
    )
    expect((await sendRequest(`${DEFINITIONS}/widgets.example.com`)).json.metadata).toMatchObject({
      finalizers: ['example.com/hold'],
    })
  })

  test('reports that there were none if it was not served', async () => {
    await define(sendRequest, definition('widgets', 'Widget'))
    await define(sendRequest, held('gadgets', 'Widget'))
    await sendRequest(`${DEFINITIONS}/gadgets.example.com`, { method: 'DELETE' })
    await settled()
    expect((await conditions('gadgets.example.com')).Terminating).toBe('False NeverEstablished')
  })
})

describe('certificates of a webhook that converts', () => {
  const converted = (caBundle: string) => ({
    conversion: {
      strategy: 'Webhook',
      webhook: {
        conversionReviewVersions: ['v1'],
        clientConfig: { url: 'https://127.0.0.1:1/convert', caBundle: btoa(caBundle) },
      },
    },
  })
  const { cert: GOOD } = selfSignedCertificate('converter', 0)
  const NO_CERTIFICATE = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n'
  const change = (more: Record<string, unknown>) => {
    const headers = { 'content-type': 'application/merge-patch+json' }
    return sendRequest(`${DEFINITIONS}/widgets.example.com`, {
      method: 'PATCH',
      headers,
      body: { spec: more },
    })
  }

  test('prevent serving while they cannot be parsed', async () => {
    await define(sendRequest, definition('widgets', 'Widget', converted('none')))
    expect((await conditions('widgets.example.com')).Established).toBe('False InvalidCABundle')
    expect((await sendRequest('/apis/example.com/v1')).status).toBe(404)
    expect((await change(converted(NO_CERTIFICATE))).status).toBe(200)
    await settled()
    expect((await conditions('widgets.example.com')).Established).toBe('False InvalidCABundle')
    await change(converted(GOOD))
    await settled()
    expect((await conditions('widgets.example.com')).Established).toBe('True InitialNamesAccepted')
    expect((await sendRequest('/apis/example.com/v1')).status).toBe(200)
  })

  test('do not become unreadable while it is served', async () => {
    await define(sendRequest, definition('widgets', 'Widget', converted(GOOD)))
    expect((await change(converted('no'))).json).toMatchObject({
      code: 422,
      details: {
        causes: [
          {
            field: 'spec.conversion.webhookClientConfig.caBundle',
            message:
              'Invalid value: []byte{0x6e, 0x6f}: unable to load root certificates: unable to parse bytes as PEM block',
          },
        ],
      },
    })
    expect(String((await change(converted(NO_CERTIFICATE))).json.message)).toContain(
      'unable to load root certificates: failed to parse certificate: x509: malformed certificate',
    )
  })
})

describe('a schema with `additionalProperties` that is true or false', () => {
  const rejected = async (part: object, version: object = {}) => {
    const properties = { a: { type: 'object', ...part } }
    const openAPIV3Schema = { type: 'object', properties, ...version }
    const { selectableFields } = version as { selectableFields?: object[] }
    const body = definition(
      'widgets',
      'Widget',
      {},
      { schema: { openAPIV3Schema }, ...(selectableFields && { selectableFields }) },
    )
    const { status, json } = await sendRequest(`${DEFINITIONS}?dryRun=All`, {
      method: 'POST',
      body,
    })
    const { causes = [] } = (json.details ?? {}) as {
      causes?: { field: string; message: string }[]
    }
    return [status, ...causes.map(({ field, message }) => `${field}: ${message}`)]
  }
  const rule = (fieldPath: string) => ({
    'x-kubernetes-validations': [{ rule: 'true', fieldPath }],
  })

  test.each([true, false])('lets the path of a rule end below it: %j', async (value) => {
    const open = { additionalProperties: value }
    expect(await rejected(open, rule('.a.b'))).toEqual([201])
    expect(await rejected(open, rule('.a.b.c'))).toEqual([
      422,
      expect.stringContaining('fieldPath must be a valid path'),
    ])
  })

  test.each([true, false])('has no type that could be selected: %j', async (value) => {
    const fields = { selectableFields: [{ jsonPath: '.a.b' }] }
    expect((await rejected({ additionalProperties: value }, fields))[1]).toContain(
      'must point to a field of type string, boolean or integer',
    )
  })

  test('forbids members of a default where it is false', async () => {
    const at = 'spec.validation.openAPIV3Schema.properties[a].default'
    const value = { b: 1 }
    expect(await rejected({ additionalProperties: true, default: value })).toEqual([201])
    expect(await rejected({ additionalProperties: false, default: value })).toEqual([
      422,
      `${at}: Invalid value: "b": .b in body is a forbidden property`,
    ])
  })
})

test.each([
  [
    'array',
    { maxItems: -1, items: { type: 'integer' }, default: [1] },
    'Too many: 1: has too many items',
  ],
  [
    'array',
    { maxItems: 0, items: { type: 'integer' }, default: [1] },
    'Too many: 1: must have at most 0 items',
  ],
  ['string', { maxLength: -1, default: 'a' }, 'Too long: value is too long'],
  ['string', { maxLength: 0, default: 'a' }, 'Too long: may not be longer than 0'],
  ['object', { maxProperties: -1, default: {} }, 'Too many: 0: has too many items'],
])('a negative maximum is not printed: %s %j', async (type, limits, why) => {
  const openAPIV3Schema = { type: 'object', properties: { a: { type, ...limits } } }
  const body = definition('widgets', 'Widget', {}, { schema: { openAPIV3Schema } })
  const { json } = await sendRequest(DEFINITIONS, { method: 'POST', body })
  expect(json.message).toContain(`properties[a].default: ${why}`)
})
