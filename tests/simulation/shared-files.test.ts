/** Files that programs, commands and the kubelet change while a pod runs. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Pods, podsOn } from './pods'

let pods: Pods
beforeEach(async () => {
  pods = await podsOn()
})
afterEach(() => pods.cluster.close())

const busybox = (name: string, script: string, mountPath?: string, more: object = {}) => ({
  name,
  image: 'busybox',
  command: ['sh', '-c', script],
  ...(mountPath && { volumeMounts: [{ name: 'v', mountPath, ...more }] }),
})
const emptyDir = { volumes: [{ name: 'v', emptyDir: {} }] }
const SLEEP = 'sleep 1000000'

describe('an emptyDir', () => {
  it('shows what another container of the pod writes, at its time', async () => {
    await pods.pod('p', {
      ...emptyDir,
      restartPolicy: 'Never',
      containers: [
        busybox('main', SLEEP, '/in'),
        busybox('sub', 'sleep 20; echo hello > /out/f', '/out'),
      ],
    })
    expect(await pods.sh('p', 'cat /in/f', 'main')).toContain('No such file')
    await pods.cluster.pass(30)
    expect(await pods.sh('p', 'cat /in/f', 'main')).toBe('hello\n')
  })

  it('is filled by an init container', async () => {
    await pods.pod('p', {
      ...emptyDir,
      initContainers: [busybox('init', 'echo ready > /work/f', '/work')],
      containers: [busybox('main', `cat /data/f; ${SLEEP}`, '/data')],
    })
    await pods.cluster.pass(10)
    expect(await pods.log('p', '?container=main')).toBe('ready\n')
  })

  it('lets a script wait for a file of another container', async () => {
    await pods.pod('p', {
      ...emptyDir,
      restartPolicy: 'Never',
      containers: [
        busybox('main', 'until [ -f /v/go ]; do sleep 1; done; echo went', '/v'),
        busybox('other', 'sleep 40; touch /v/go', '/v'),
      ],
    })
    expect(await pods.log('p', '?container=main')).toBe('')
    await pods.cluster.pass(60)
    expect(await pods.log('p', '?container=main')).toBe('went\n')
    expect((await pods.get('pods/p')).status.phase).toBe('Succeeded')
  })

  it('keeps what commands and earlier runs wrote, unlike the root directory', async () => {
    await pods.pod('p', {
      ...emptyDir,
      containers: [busybox('c', 'echo run >> /v/runs; sleep 30; exit 1', '/v')],
    })
    await pods.sh('p', 'echo kept > /v/f; echo lost > /tmp/f')
    expect(await pods.sh('p', 'cat /v/f /tmp/f')).toBe('kept\nlost\n')
    await pods.cluster.pass(40)
    expect((await pods.get('pods/p')).status.containerStatuses[0].restartCount).toBe(1)
    expect(await pods.sh('p', 'cat /v/f /v/runs; ls /tmp')).toBe('kept\nrun\nrun\n')
  })
})

it('a command can end a loop of the program, and fail a probe', async () => {
  const livenessProbe = {
    exec: { command: ['test', '-f', '/tmp/ok'] },
    periodSeconds: 5,
    failureThreshold: 1,
  }
  await pods.pod('p', {
    containers: [{ ...busybox('c', `touch /tmp/ok; ${SLEEP}`), livenessProbe }],
  })
  await pods.cluster.pass(60)
  expect((await pods.get('pods/p')).status.containerStatuses[0].restartCount).toBe(0)
  await pods.sh('p', 'rm /tmp/ok')
  await pods.cluster.pass(15)
  expect((await pods.get('pods/p')).status.containerStatuses[0].restartCount).toBe(1)

  await pods.pod('q', {
    restartPolicy: 'Never',
    containers: [busybox('c', 'while [ ! -f /tmp/stop ]; do echo a; sleep 10; done; echo end')],
  })
  await pods.cluster.pass(25)
  await pods.sh('q', 'touch /tmp/stop')
  await pods.cluster.pass(25)
  expect(await pods.log('q')).toBe('a\na\na\nend\n')
})

it('pods of a node share its directories', async () => {
  const spec = { volumes: [{ name: 'v', hostPath: { path: '/srv-data/x', type: '' } }] }
  await pods.pod('p', { ...spec, containers: [busybox('c', SLEEP, '/v')] })
  await pods.sh('p', 'echo here > /v/f')
  await pods.pod('q', { ...spec, containers: [busybox('c', `cat /host/f; ${SLEEP}`, '/host')] })
  expect(await pods.log('q')).toBe('here\n')
})

describe('a changed ConfigMap', () => {
  const volumes = [
    { name: 'v', configMap: { name: 'app' } },
    { name: 'maybe', configMap: { name: 'later', optional: true } },
  ]
  const container = {
    ...busybox('c', 'while true; do cat /v/color; sleep 10; done'),
    env: [{ name: 'COLOR', valueFrom: { configMapKeyRef: { name: 'app', key: 'color' } } }],
    volumeMounts: [
      { name: 'v', mountPath: '/v' },
      { name: 'v', mountPath: '/one', subPath: 'color' },
      { name: 'maybe', mountPath: '/maybe' },
    ],
  }

  beforeEach(async () => {
    await pods.create('configmaps', { metadata: { name: 'app' }, data: { color: 'red\n' } })
    await pods.pod('p', { volumes, containers: [container] })
    await pods.cluster.pass(8)
    await pods.patch('configmaps/app', { data: { color: 'blue\n', size: '1' } })
    await pods.create('configmaps', { metadata: { name: 'later' }, data: { k: 'now' } })
  })

  it('replaces the files of a volume when the kubelet syncs the pod', async () => {
    expect(await pods.sh('p', 'ls /v; cat /v/color; ls /maybe')).toBe('color\nred\n')
    await pods.cluster.pass(60)
    expect(await pods.sh('p', 'ls /v; cat /v/color; cat /maybe/k')).toBe('color\nsize\nblue\nnow')
  })

  it('does not change the past log, files of subPath, and the environment', async () => {
    await pods.cluster.pass(80)
    const log = await pods.log('p')
    expect(log).toMatch(/^(red\n){6}(blue\n){3,4}$/)
    expect(await pods.sh('p', 'cat /one; echo -n $COLOR')).toBe('red\nred')
  })

  it('keeps its files when it is deleted, unless it is optional', async () => {
    await pods.cluster.pass(60)
    for (const name of ['app', 'later'])
      await pods.cluster.sendRequest({
        method: 'DELETE',
        path: `/api/v1/namespaces/default/configmaps/${name}`,
      })
    await pods.cluster.pass(80)
    expect(await pods.sh('p', 'cat /v/color; ls /maybe')).toBe('blue\n')
  })
})

it('the files of a node stay when the pod that wrote them is deleted', async () => {
  const script = 'if [ -r /data/mark ]; then echo found; else touch /data/mark; sleep 1000; fi'
  const spec = {
    restartPolicy: 'Never',
    volumes: [{ name: 'data', hostPath: { path: '/data/shop' } }],
    containers: [
      {
        name: 'c',
        image: 'busybox',
        command: ['sh', '-c', script],
        volumeMounts: [{ name: 'data', mountPath: '/data' }],
      },
    ],
  }
  await pods.pod('first', spec)
  const path = '/api/v1/namespaces/default/pods/first'
  await pods.cluster.sendRequest({ method: 'DELETE', path })
  await pods.cluster.pass(5)
  await pods.pod('second', spec)
  await pods.cluster.pass(3)
  expect(await pods.log('second')).toBe('found\n')
})
