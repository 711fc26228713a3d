// cspell:ignore nonewprivs RTNETLINK
/** What containers see of the kernel and of their node. */
import { expect, it } from 'vitest'
import { outputInPod } from './in-pod'
import { podsOn } from './pods'

const sh = (script: string, securityContext: object = {}) =>
  outputInPod({ command: ['/bin/sh', '-c', script], securityContext })

it('has the parameters of its pod', () => {
  const sysctls = [{ name: 'kernel.shm_rmid_forced', value: '1' }]
  const command = ['/sbin/sysctl', 'kernel.shm_rmid_forced', 'net.ipv4.tcp_syncookies']
  expect(outputInPod({ command }, { securityContext: { sysctls } })).toBe(
    'kernel.shm_rmid_forced = 1\nnet.ipv4.tcp_syncookies = 1\n',
  )
  expect(outputInPod({ command: ['sysctl', '-n', 'kernel.shm_rmid_forced'] })).toBe('0\n')
})

it('does not change the network without the privilege', () => {
  expect(sh('ip link add dummy0 type dummy || true')).toBe(
    'ip: RTNETLINK answers: Operation not permitted\n',
  )
  expect(() => sh('ip link add dummy0 type dummy', { privileged: true })).toThrow('not simulated')
})

it.each([
  [undefined, 0],
  [true, 0],
  [false, 1000],
])('gets the privileges of a program with allowPrivilegeEscalation %s: %s', (allowed, user) => {
  const image = 'registry.k8s.io/e2e-test-images/nonewprivs:1.3'
  const securityContext = {
    runAsUser: 1000,
    ...(allowed !== undefined && { allowPrivilegeEscalation: allowed }),
  }
  expect(outputInPod({ image, securityContext })).toBe(`Effective uid: ${user}\n`)
})

it('names the shell in its messages as it was started', () => {
  const readOnly = { readOnlyRootFilesystem: true }
  expect(sh('echo text >/file', readOnly)).toBe(
    "/bin/sh: can't create /file: Read-only file system\n(1)",
  )
})

it('sees the hosts file of its node', () => {
  const volumes = [{ name: 'hosts', hostPath: { path: '/etc/hosts', type: 'File' } }]
  const volumeMounts = [{ name: 'hosts', mountPath: '/etc/hosts' }]
  const command = ['cat', '/etc/hosts']
  expect(outputInPod({ command, volumeMounts }, { volumes })).toMatch(/^127\.0\.0\.1\tlocalhost\n/)
  expect(outputInPod({ command })).toMatch(/^# Kubernetes-managed hosts file\.\n/)
})

it('keeps the bytes of binary data', async () => {
  const pods = await podsOn()
  await pods.create('configmaps', {
    metadata: { name: 'm' },
    data: { text: 'é\n' },
    binaryData: { dump: '3sr+utD+/w==' },
  })
  await pods.pod('p', {
    volumes: [{ name: 'v', configMap: { name: 'm' } }],
    containers: [
      {
        name: 'c',
        image: 'busybox',
        command: ['sh', '-c', 'hexdump -C /v/dump; hexdump -C /v/text; sleep 100'],
        volumeMounts: [{ name: 'v', mountPath: '/v' }],
      },
    ],
  })
  expect(await pods.log('p')).toBe(
    `00000000  de ca fe ba d0 fe ff${' '.repeat(30)}|.......|\n00000007\n` +
      `00000000  c3 a9 0a${' '.repeat(42)}|...|\n00000003\n`,
  )
  await pods.cluster.close()
})
