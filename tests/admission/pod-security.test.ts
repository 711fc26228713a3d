import { describe, expect, it } from 'vitest'
import { detailsText, findingsOf } from '../../src/engine/admission/pod-security/evaluate'
import { levelText, policyOf } from '../../src/engine/admission/pod-security/policy'
import type { AuditEvent } from '../../src/engine/telemetry/audit/event'
import { parseAuditPolicy } from '../../src/engine/telemetry/audit/policy'
import type { PodSpec } from '../../src/engine/validation/pods'
import { testServer } from './server'

const label = (name: string) => `pod-security.kubernetes.io/${name}`
const reported = (spec: PodSpec, version: number | 'latest' = 'latest') =>
  detailsText(findingsOf({ metadata: {}, spec }, { level: 'restricted', version }))

describe('the policy of a namespace', () => {
  it('warns of its enforced level unless it states a warn level', () => {
    expect(
      policyOf({ [label('enforce')]: 'baseline', [label('enforce-version')]: 'v1.25' }).policy.warn,
    ).toEqual({
      level: 'baseline',
      version: 25,
    })
    expect(
      policyOf({ [label('enforce')]: 'baseline', [label('warn')]: 'privileged' }).policy.warn.level,
    ).toBe('privileged')
  })

  it('enforces the strictest level and never warns if the level is unknown', () => {
    const { policy, errors } = policyOf({ [label('enforce')]: 'strict' })
    expect(levelText(policy.enforce)).toBe('restricted:latest')
    expect(policy.warn.level).toBe('privileged')
    expect(errors).toHaveLength(1)
  })
})

describe('checks by version', () => {
  it('skip checks that an old version did not have', () => {
    const plain = { containers: [{ name: 'c' }] }
    expect(reported(plain, 0)).toBe(
      'runAsNonRoot != true (pod or container "c" must set securityContext.runAsNonRoot=true)',
    )
    expect(reported(plain, 19)).toContain('seccompProfile')
    expect(reported(plain, 21)).not.toContain('capabilities')
    expect(reported(plain, 22)).toContain('unrestricted capabilities')
  })

  it('skip checks of Linux fields in Windows pods since 1.25', () => {
    const windows = {
      os: { name: 'windows' },
      securityContext: { runAsNonRoot: true },
      containers: [{ name: 'c' }],
    }
    expect(reported(windows, 25)).toBe('')
    expect(reported(windows, 24)).toContain('allowPrivilegeEscalation')
  })

  it('name the volume types that a restricted pod must not use, newer ones as unknown', () => {
    const volumes = [{ name: 'v' }, { name: 'w' }, { name: 'x' }].map((volume, at) => ({
      ...volume,
      [['photonPersistentDisk', 'image', 'quobyte'][at] as string]: {},
    }))
    expect(reported({ containers: [], volumes })).toContain(
      'restricted volume types (volumes "v", "w", "x" use restricted volume types "photonPersistentDisk", "quobyte", "unknown")',
    )
  })

  it('allow more sysctls in later releases', () => {
    const spec = {
      securityContext: { sysctls: [{ name: 'net.ipv4.tcp_keepalive_time' }] },
      containers: [],
    }
    expect(reported(spec, 28)).toContain('forbidden sysctls (net.ipv4.tcp_keepalive_time)')
    expect(reported(spec, 29)).not.toContain('sysctls')
  })
})

describe('a namespace with a stricter level', () => {
  it('evaluates pods again for old container annotations, not for those of the pod', async () => {
    const server = testServer()
    await server.namespace('n')
    await server.pod('n')
    await server.send('PATCH', '/api/v1/namespaces/n', {
      metadata: { labels: { [label('enforce')]: 'restricted' } },
    })
    const annotate = async (name: string) => {
      const annotations = {
        [`${name}seccomp.security.alpha.kubernetes.io/${name === '' ? 'pod' : 'c'}`]: 'unconfined',
      }
      return (
        await server.send('PATCH', '/api/v1/namespaces/n/pods/p', { metadata: { annotations } })
      ).status
    }
    expect(await annotate('')).toBe(200)
    expect(await annotate('container.')).toBe(403)
  })

  it('warns once for similar pods', async () => {
    const server = testServer()
    await server.namespace('n')
    for (const name of ['a', 'b', 'c']) await server.pod('n', { hostNetwork: true }, { name })
    const { warnings } = await server.send('PATCH', '/api/v1/namespaces/n', {
      metadata: { labels: { [label('enforce')]: 'baseline' } },
    })
    expect(warnings).toContain(
      'existing pods in namespace \\"n\\" violate the new PodSecurity enforce level \\"baseline:latest\\"',
    )
    expect(warnings).toContain('a (and 2 other pods): host namespaces')
  })
})

describe('the audit event of a pod', () => {
  const audited = () => {
    const events: AuditEvent[] = []
    const policy = parseAuditPolicy(
      '{"apiVersion":"audit.k8s.io/v1","kind":"Policy","rules":[{"level":"Metadata"}]}',
    )
    const reported = () =>
      Object.fromEntries(
        Object.entries(events.at(-1)?.annotations ?? {})
          .filter(([key]) => key.startsWith('pod-security'))
          .map(([key, value]) => [key.split('/')[1], value]),
      )
    return {
      server: testServer({
        audit: { policy, sink: (event: AuditEvent) => void events.push(event) },
      }),
      reported,
    }
  }

  it('records the enforced level and the violations of the audit level', async () => {
    const { server, reported } = audited()
    await server.namespace('n', {
      labels: { [label('enforce')]: 'privileged', [label('audit')]: 'baseline' },
    })
    expect((await server.pod('n', { hostNetwork: true })).status).toBe(201)
    const violation =
      'would violate PodSecurity "baseline:latest": host namespaces (hostNetwork=true)'
    expect(reported()).toEqual({
      'enforce-policy': 'privileged:latest',
      'audit-violations': violation,
    })
    await server.send('PATCH', '/api/v1/namespaces/n/pods/p', { metadata: { labels: { a: 'b' } } })
    expect(reported()).toEqual({})
  })

  it('records a rejected pod too', async () => {
    const { server, reported } = audited()
    await server.namespace('n', {
      labels: { [label('enforce')]: 'baseline', [label('enforce-version')]: 'v1.30' },
    })
    expect((await server.pod('n', { hostNetwork: true })).status).toBe(403)
    expect(reported()).toEqual({ 'enforce-policy': 'baseline:v1.30' })
  })

  it('records the privileged level, and only violations for templates', async () => {
    const { server, reported } = audited()
    await server.namespace('n')
    await server.pod('n')
    expect(reported()).toEqual({ 'enforce-policy': 'privileged:latest' })
    await server.send('PATCH', '/api/v1/namespaces/n', {
      metadata: { labels: { [label('audit')]: 'baseline' } },
    })
    const template = {
      metadata: { labels: { a: 'b' } },
      spec: { hostPID: true, containers: [{ name: 'c', image: 'i' }] },
    }
    const { status, warnings } = await server.send(
      'POST',
      '/apis/apps/v1/namespaces/n/deployments',
      {
        metadata: { name: 'd' },
        spec: { selector: { matchLabels: { a: 'b' } }, template },
      },
    )
    expect([status, warnings]).toEqual([201, ''])
    expect(reported()).toEqual({
      'audit-violations':
        'would violate PodSecurity "baseline:latest": host namespaces (hostPID=true)',
    })
  })
})
