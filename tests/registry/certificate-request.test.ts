import { describe, expect, it } from 'vitest'
import type { JsonObject, KubeObject } from '../../src/engine/core/object'
import { readRequestSubject } from '../../src/engine/validation/certificate-request'
import { testServer } from './server'

/** CN=jane, O=developers, made with a public tool. */
const REQUEST =
  'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlIZk1JR0dBZ0VBTUNReEV6QVJCZ05WQkFvTUNtUmxkbVZzYjNCbGNuTXhEVEFMQmdOVkJBTU1CR3BoYm1VdwpXVEFUQmdjcWhrak9QUUlCQmdncWhrak9QUU1CQndOQ0FBUzl4eE12YUt3bGtCK0xIUm10SkVxZ0RLR0NRcnUrCjZuWXJnMWkxWXVHZGc1YW9WeXIvam1iUXZMRWI4S2ZyY0gzN3UvbnZBbHEwanlEM2NMamxhMmQwb0FBd0NnWUkKS29aSXpqMEVBd0lEU0FBd1JRSWdPZ3pIZ3ZubVIwWWhEQit5ZHFzV3BLby9HSExkMVZaczVldjFXYStIZ1dNQwpJUURIRy9zbWI1dXZZT2kySDd1aE9KdnJWUEtoR2taWFM3RENFZzJRWnIxZVhnPT0KLS0tLS1FTkQgQ0VSVElGSUNBVEUgUkVRVUVTVC0tLS0tCg=='

describe('the subject of a certificate request', () => {
  it('is read from its PEM block', () => {
    expect(readRequestSubject(REQUEST)).toEqual({
      commonName: 'jane',
      organizations: ['developers'],
    })
  })

  it('is an error for anything else', () => {
    expect(() => readRequestSubject(btoa('hello'))).toThrow(
      'PEM block type must be CERTIFICATE REQUEST',
    )
    const cut = `-----BEGIN CERTIFICATE REQUEST-----\n${btoa('\x30\x82\xff')}\n-----END CERTIFICATE REQUEST-----\n`
    expect(() => readRequestSubject(btoa(cut))).toThrow('asn1: syntax error')
  })
})

describe('what signers read in a CertificateSigningRequest', () => {
  const REQUESTS = '/apis/certificates.k8s.io/v1/certificatesigningrequests'
  const MERGE = 'application/merge-patch+json'
  interface ErrorBody {
    details?: { causes?: { field: string; message: string }[] }
  }
  interface SigningRequest extends KubeObject {
    status: { conditions: JsonObject[] }
  }

  async function approved() {
    const server = testServer()
    const spec = { request: REQUEST, signerName: 'a.example.com/b', usages: ['client auth'] }
    await server.send('POST', REQUESTS, { metadata: { name: 'a' }, spec })
    const conditions = [{ type: 'Approved', status: 'True', reason: 'Known', message: 'before' }]
    const { body } = await server.send<SigningRequest>(
      'PATCH',
      `${REQUESTS}/a/approval`,
      { status: { conditions } },
      MERGE,
    )
    const [approval = {}] = body.status.conditions
    const problems = async (status: JsonObject) => {
      const response = await server.send<ErrorBody>(
        'PATCH',
        `${REQUESTS}/a/status`,
        { status },
        MERGE,
      )
      return (response.body.details?.causes ?? []).map(
        ({ field, message }) => `${field}: ${message}`,
      )
    }
    return { approval, problems }
  }

  it.each([
    ['none', undefined, '[]byte(nil)'],
    ['an empty one', '', '[]byte{}'],
    ['another text', btoa('ab'), '[]byte{0x61, 0x62}'],
  ])('shows the submitted value if it is not a request: %s', async (_, request, shown) => {
    const spec = {
      ...(request === undefined ? {} : { request }),
      signerName: 'a.example.com/b',
      usages: ['client auth'],
    }
    const { body } = await testServer().send<ErrorBody>('POST', REQUESTS, {
      metadata: { name: 'a' },
      spec,
    })
    expect(body.details?.causes?.map(({ message }) => message)).toEqual([
      `Invalid value: ${shown}: PEM block type must be CERTIFICATE REQUEST`,
    ])
  })

  it('reports nothing about the approval except the approver', async () => {
    const { approval, problems } = await approved()
    expect(await problems({ conditions: [{ ...approval, message: 'after' }] })).toEqual([
      [
        'status.conditions: Forbidden: updates may not modify a condition of type "Approved"',
        '  []certificates.CertificateSigningRequestCondition{',
        '  \t{',
        '  \t\tType:               "Approved",',
        '  \t\tStatus:             "True",',
        '  \t\tReason:             "Known",',
        '- \t\tMessage:            "before",',
        '+ \t\tMessage:            "after",',
        '  \t\tLastUpdateTime:     {Time: s"2026-01-01 00:00:00 +0000 UTC"},',
        '  \t\tLastTransitionTime: {Time: s"2026-01-01 00:00:00 +0000 UTC"},',
        '  \t},',
        '  }',
        '',
      ].join('\n'),
    ])
    expect(await problems({ conditions: [approval, { type: 'Failed', status: 'True' }] })).toEqual(
      [],
    )
  })

  it('names every condition once', async () => {
    const { approval, problems } = await approved()
    const nameless = { type: '', status: 'True' }
    expect(await problems({ conditions: [approval, nameless, nameless] })).toEqual([
      'status.conditions[1].type: Required value',
      'status.conditions[2].type: Required value',
      'status.conditions[2].type: Duplicate value: ""',
    ])
  })

  it('requires a certificate, not only its PEM lines', async () => {
    const { problems } = await approved()
    const certificate = btoa('-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----\n')
    expect(await problems({ certificate })).toEqual([
      'status.certificate: Invalid value: "<certificate data>": found CERTIFICATE PEM block containing 0 certificates',
    ])
  })
})

it('reports metadata errors twice through every endpoint', async () => {
  const REQUESTS = '/apis/certificates.k8s.io/v1/certificatesigningrequests'
  const server = testServer()
  const spec = { request: REQUEST, signerName: 'a.example.com/b', usages: ['client auth'] }
  await server.send('POST', REQUESTS, { metadata: { name: 'a' }, spec })
  for (const endpoint of ['', '/status', '/approval']) {
    const change = { metadata: { finalizers: ['own'] } }
    const { body } = await server.send<{ details: { causes: unknown[] } }>(
      'PATCH',
      `${REQUESTS}/a${endpoint}`,
      change,
      'application/merge-patch+json',
    )
    expect(body.details.causes, endpoint).toHaveLength(2)
  }
})

it('accepts only valid domains in signer names', async () => {
  const domain = `${'x.'.repeat(126)}xx`
  const spec = { request: REQUEST, signerName: `${domain}/b`, usages: ['client auth'] }
  const { body } = await testServer().send<{ message: string }>(
    'POST',
    '/apis/certificates.k8s.io/v1/certificatesigningrequests',
    {
      metadata: { name: 'a' },
      spec,
    },
  )
  expect(body.message).toContain('spec.signerName: Too long: must have at most 253 bytes')
})

it('reports an invalid signer path before its length', async () => {
  const spec = {
    request: REQUEST,
    signerName: `a.example.com/${'b'.repeat(600)}`,
    usages: ['client auth'],
  }
  const { body } = await testServer().send<{ message: string }>(
    'POST',
    '/apis/certificates.k8s.io/v1/certificatesigningrequests',
    { metadata: { name: 'a' }, spec },
  )
  expect(body.message).toMatch(
    /spec\.signerName: Invalid value: "b{600}": validating label .* spec\.signerName: Too long: must have at most 571 bytes\]$/,
  )
})
