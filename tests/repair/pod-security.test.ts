import { describe, expect, it } from 'vitest'
import type { Cluster } from '../support/cluster'
import { expectRepairs, send } from './support'

const PODS = '/api/v1/namespaces/shop/pods'

const enforcing = (level: string) => async (cluster: Cluster) => {
  const labels = { 'pod-security.kubernetes.io/enforce': level }
  await send(cluster, {
    method: 'POST',
    path: '/api/v1/namespaces',
    body: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop', labels } },
  })
  await cluster.pass(5)
}

const pod = (spec: object, container: object = {}) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'web' },
  spec: { containers: [{ name: 'web', image: 'img', ...container }], ...spec },
})

const labelOf = (repair: { writes: readonly { body: object }[] } | undefined) =>
  JSON.stringify(repair?.writes[0]?.body)

describe('a pod that violates a level', () => {
  it('of restricted gets a security context, or the namespace baseline', async () => {
    const [restrict, relax] = await expectRepairs(
      enforcing('restricted'),
      { method: 'POST', path: PODS, body: pod({}) },
      ['RestrictPod', 'RelaxPodSecurity'],
    )
    const context = ['spec', 'containers', 0, 'securityContext']
    expect(restrict?.edits).toEqual([
      { place: [...context, 'allowPrivilegeEscalation'], value: false },
      { place: [...context, 'capabilities', 'drop'], value: ['ALL'] },
      { place: ['spec', 'securityContext', 'runAsNonRoot'], value: true },
      { place: ['spec', 'securityContext', 'seccompProfile'], value: { type: 'RuntimeDefault' } },
    ])
    expect(labelOf(relax)).toContain('"baseline"')
  })

  it.each([
    ['privileged', pod({}, { securityContext: { privileged: true } })],
    ['host namespaces', pod({ hostNetwork: true, hostPID: true })],
    ['host ports', pod({}, { ports: [{ containerPort: 80, hostPort: 80 }] })],
    [
      'capabilities',
      pod({}, { securityContext: { capabilities: { add: ['SYS_ADMIN', 'CHOWN'] } } }),
    ],
    ['seccomp', pod({ securityContext: { seccompProfile: { type: 'Unconfined' } } })],
  ])('of baseline loses %s, or the namespace becomes privileged', async (_, body) => {
    const [, relax] = await expectRepairs(
      enforcing('baseline'),
      { method: 'POST', path: PODS, body },
      ['RestrictPod', 'RelaxPodSecurity'],
    )
    expect(labelOf(relax)).toContain('"privileged"')
  })

  it('of restricted as root', async () => {
    const body = pod(
      { securityContext: { runAsUser: 0, runAsNonRoot: false } },
      { securityContext: { runAsUser: 0, capabilities: { add: ['NET_BIND_SERVICE', 'KILL'] } } },
    )
    await expectRepairs(enforcing('restricted'), { method: 'POST', path: PODS, body }, [
      'RestrictPod',
      'RelaxPodSecurity',
    ])
  })

  it('with a host path keeps it: only the level of the namespace can change', async () => {
    const body = pod({ volumes: [{ name: 'host', hostPath: { path: '/' } }] })
    await expectRepairs(enforcing('baseline'), { method: 'POST', path: PODS, body }, [
      'RelaxPodSecurity',
    ])
  })
})
