/** Availability of aggregated API servers, and requests that are passed on to them. */
import { beforeEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../src/engine/core/object'
import { OutboundError } from '../../src/engine/core/outbound'
import { selfSignedCertificate } from '../../src/hosts/node/certificate'
import {
  aggregated,
  checked,
  clearPassed,
  cluster,
  condition,
  NAME,
  normal,
  outbound,
  passed,
  READINGS,
  register,
  SERVICES,
  serve,
  setUpEachTest,
  startCluster,
} from './aggregated-server'

setUpEachTest()

describe('an APIService that names a service', () => {
  it('is requested at its own port behind an ExternalName, which has no ports', async () => {
    await serve()
    await register({ service: { namespace: 'default', name: 'readings', port: 6443 } })
    expect(await condition()).toMatchObject({ status: 'True' })
    expect(checked()?.url).toBe('https://readings.example.com:6443/apis/metrics.example.com/v1')
  })

  it('is available when the server behind it serves discovery', async () => {
    await serve()
    await register()
    expect(await condition()).toMatchObject({
      status: 'True',
      reason: 'Passed',
      message: 'all checks passed',
    })
    expect(checked()).toMatchObject({
      method: 'GET',
      url: 'https://readings.example.com:443/apis/metrics.example.com/v1',
      service: { namespace: 'default', name: 'readings', port: 443 },
      serverName: 'readings.default.svc',
      insecure: true,
      headers: { 'x-remote-user': 'system:kube-aggregator', 'x-remote-group': ['system:masters'] },
    })
  })

  const reasons: [string, () => Promise<unknown>, JsonObject][] = [
    [
      'there is no such service',
      async () => {},
      { reason: 'ServiceNotFound', message: 'service/readings in "default" is not present' },
    ],
    [
      'it does not listen there',
      () => serve({ ports: [{ port: 80 }] }),
      {
        reason: 'ServicePortError',
        message: 'service/readings in "default" is not listening on port 443',
      },
    ],
    [
      'nothing is known behind it',
      () => serve({ ports: [{ port: 443 }] }),
      {
        reason: 'EndpointsNotFound',
        message: 'cannot find endpoints for service/readings in "default"',
      },
    ],
    [
      'the server does not respond',
      () => {
        aggregated.handler = () => {
          throw new OutboundError('dial tcp 10.0.0.1:443: connect: connection refused')
        }
        return serve()
      },
      {
        reason: 'FailedDiscoveryCheck',
        message:
          'failing or missing response from https://readings.example.com:443/apis/metrics.example.com/v1: Get "https://readings.example.com:443/apis/metrics.example.com/v1": dial tcp 10.0.0.1:443: connect: connection refused',
      },
    ],
    [
      'the server rejects the request',
      () => {
        aggregated.handler = () => ({ status: 403, body: 'no' })
        return serve()
      },
      {
        reason: 'FailedDiscoveryCheck',
        message:
          'failing or missing response from https://readings.example.com:443/apis/metrics.example.com/v1: bad status from https://readings.example.com:443/apis/metrics.example.com/v1: 403',
      },
    ],
  ]
  it.each(reasons)('is not available while %s', async (_, prepare, found) => {
    await prepare()
    await register()
    expect(await condition()).toMatchObject({ status: 'False', ...found })
    expect(await cluster.sendRequest({ path: READINGS })).toMatchObject({
      status: 503,
      text: 'service unavailable\n',
    })
    expect((await cluster.sendRequest({ path: '/metrics' })).text).toContain(
      `aggregator_unavailable_apiservice{name="${NAME}"} 1`,
    )
  })

  it('becomes available when its service comes, and is looked at again while it is', async () => {
    await register()
    expect(await condition()).toMatchObject({ reason: 'ServiceNotFound' })
    await serve()
    expect(await condition()).toMatchObject({ status: 'True' })
    aggregated.handler = () => ({ status: 500, body: 'broken' })
    await cluster.pass(31)
    expect(await condition()).toMatchObject({ status: 'False', reason: 'FailedDiscoveryCheck' })
    aggregated.handler = normal
    await cluster.pass(31)
    expect(await condition()).toMatchObject({ status: 'True' })
  })

  it('whose certificates cannot be read is available, but nothing is passed on to it', async () => {
    await serve()
    const caBundle = btoa('-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n')
    await register({ insecureSkipTLSVerify: false, caBundle })
    expect(await condition()).toMatchObject({ status: 'True' })
    expect(checked()).toMatchObject({ insecure: true })
    clearPassed()
    expect(await cluster.sendRequest({ path: READINGS })).toMatchObject({
      status: 500,
      text: 'unable to load root certificates: failed to parse certificate: x509: malformed certificate\n',
    })
    expect(passed).toEqual([])
  })

  it('is known by its certificates when something is passed on, not when it is looked for', async () => {
    await serve()
    const { cert } = selfSignedCertificate('readings', 0)
    await register({ insecureSkipTLSVerify: false, caBundle: btoa(cert) })
    expect(checked()).not.toHaveProperty('certificates')
    clearPassed()
    await cluster.sendRequest({ path: READINGS })
    expect(passed).toMatchObject([{ certificates: cert }])
  })

  it('needs an address behind a service of the cluster', async () => {
    const { json } = await serve({ ports: [{ port: 443 }] })
    await cluster.sendRequest({
      method: 'POST',
      path: '/api/v1/namespaces/default/endpoints',
      body: {
        metadata: { name: 'readings' },
        subsets: [{ addresses: [{ ip: '10.1.2.3' }], ports: [{ port: 8443 }] }],
      },
    })
    await register()
    expect(await condition()).toMatchObject({ status: 'True' })
    expect(checked()?.url).toBe(`https://${json.spec.clusterIP}:443/apis/metrics.example.com/v1`)
  })
})

describe('requests for an aggregated version', () => {
  beforeEach(async () => {
    await serve()
    await register()
    clearPassed()
  })

  it('are forwarded with the identity of the user, without the credentials', async () => {
    aggregated.handler = () => ({
      status: 201,
      headers: { 'x-own': 'yes' },
      body: { kind: 'Reading' },
    })
    const { status, json, headers } = await cluster.sendRequest({
      method: 'POST',
      path: `${READINGS}?dryRun=All`,
      body: { kind: 'Reading' },
      headers: {
        'impersonate-user': 'bob',
        'impersonate-group': 'system:masters',
        'impersonate-extra-a%2Fb': 'c',
        'x-remote-user': 'mallory',
        accept: 'text/csv',
      },
    })
    expect([status, json, headers.get('x-own')]).toEqual([201, { kind: 'Reading' }, 'yes'])
    const [request] = passed
    expect(request).toMatchObject({
      method: 'POST',
      url: `https://readings.example.com:443${READINGS}?dryRun=All`,
    })
    expect(new TextDecoder().decode(request?.body)).toBe('{"kind":"Reading"}')
    expect(request?.headers).toMatchObject({
      accept: 'text/csv',
      'x-remote-user': 'bob',
      'x-remote-group': ['system:masters', 'system:authenticated'],
      'x-remote-extra-a%2fb': ['c'],
      'x-forwarded-host': 'readings.example.com:443',
      'audit-id': headers.get('audit-id'),
    })
    expect(
      Object.keys(request?.headers ?? {}).filter((name) =>
        /^(authorization|impersonate-)/.test(name),
      ),
    ).toEqual([])
  })

  it('are authorized here first', async () => {
    const { status } = await cluster.sendRequest({ path: READINGS, token: 'alice' })
    expect([status, passed]).toEqual([403, []])
  })

  it('explain why there was no response', async () => {
    aggregated.handler = () => {
      throw new OutboundError('dial tcp 10.0.0.1:443: connect: connection refused')
    }
    expect(await cluster.sendRequest({ path: READINGS })).toMatchObject({
      status: 503,
      text: 'error trying to reach service: dial tcp 10.0.0.1:443: connect: connection refused\n',
    })
  })

  it('are compressed once, by the aggregated or by the own server', async () => {
    await cluster.close()
    await startCluster({
      outbound,
      controllers: [],
      compress: () => Promise.reject(new Error('packed again')),
    })
    await serve()
    await register()
    aggregated.handler = () => ({
      headers: { 'content-encoding': 'gzip' },
      body: 'x'.repeat(200_000),
    })
    const response = await cluster.sendRequest({
      path: READINGS,
      headers: { 'accept-encoding': 'gzip' },
    })
    expect([
      response.status,
      response.headers.get('content-encoding'),
      response.text.length,
    ]).toEqual([200, 'gzip', 200_000])
  })

  it('may be watches', async () => {
    aggregated.handler = () => ({ body: ['one event\n', 'and another\n'] })
    expect((await cluster.sendRequest({ path: `${READINGS}?watch=true` })).text).toBe(
      'one event\nand another\n',
    )
  })

  it('are left to what is served here when the APIService goes', async () => {
    await cluster.sendRequest({ method: 'DELETE', path: `${SERVICES}/${NAME}` })
    expect(await cluster.sendRequest({ path: READINGS })).toMatchObject({
      status: 404,
      text: '404 page not found\n',
    })
  })
})
