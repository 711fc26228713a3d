import { describe, expect, it } from 'vitest'
import { detailsText, findingsOf } from '../../src/engine/admission/pod-security/evaluate'
import { levelText, policyOf } from '../../src/engine/admission/pod-security/policy'
import type { PodSpec } from '../../src/engine/registry/rules/pods'
import { testServer } from './server'

const label = (name: string) => `pod-security.kubernetes.io/${name}`
const told = (spec: PodSpec, version: number | 'latest' = 'latest') =>
  detailsText(findingsOf({ metadata: {}, spec }, { level: 'restricted', version }))

describe('the policy of a namespace', () => {
  it('warns of what it enforces unless it says otherwise', () => {
    expect(policyOf({ [label('enforce')]: 'baseline', [label('enforce-version')]: 'v1.25' }).policy.warn).toEqual({
      level: 'baseline',
      version: 25,
    })
    expect(policyOf({ [label('enforce')]: 'baseline', [label('warn')]: 'privileged' }).policy.warn.level).toBe('privileged')
  })

  it('enforces the strictest level and warns of nothing when the level is unknown', () => {
    const { policy, errors } = policyOf({ [label('enforce')]: 'strict' })
    expect(levelText(policy.enforce)).toBe('restricted:latest')
    expect(policy.warn.level).toBe('privileged')
    expect(errors).toHaveLength(1)
  })
})

describe('checks by version', () => {
  it('do not ask of an old version what it did not know', () => {
    const plain = { containers: [{ name: 'c' }] }
    expect(told(plain, 0)).toBe('runAsNonRoot != true (pod or container "c" must set securityContext.runAsNonRoot=true)')
    expect(told(plain, 19)).toContain('seccompProfile')
    expect(told(plain, 21)).not.toContain('capabilities')
    expect(told(plain, 22)).toContain('unrestricted capabilities')
  })

  it('know Windows since 1.25', () => {
    const windows = { os: { name: 'windows' }, securityContext: { runAsNonRoot: true }, containers: [{ name: 'c' }] }
    expect(told(windows, 25)).toBe('')
    expect(told(windows, 24)).toContain('allowPrivilegeEscalation')
  })

  it('allow more sysctls as releases go on', () => {
    const spec = { securityContext: { sysctls: [{ name: 'net.ipv4.tcp_keepalive_time' }] }, containers: [] }
    expect(told(spec, 28)).toContain('forbidden sysctls (net.ipv4.tcp_keepalive_time)')
    expect(told(spec, 29)).not.toContain('sysctls')
  })
})

describe('a namespace that gets stricter', () => {
  it('warns once for pods of the same kind', async () => {
    const server = testServer()
    await server.namespace('n')
    for (const name of ['a', 'b', 'c']) await server.pod('n', { hostNetwork: true }, { name })
    const { warnings } = await server.send('PATCH', '/api/v1/namespaces/n', { metadata: { labels: { [label('enforce')]: 'baseline' } } })
    expect(warnings).toContain('existing pods in namespace \\"n\\" violate the new PodSecurity enforce level \\"baseline:latest\\"')
    expect(warnings).toContain('a (and 2 other pods): host namespaces')
  })
})
