/** The files of a simulated container: of its image, its volumes and the kubelet. */
// Contents without line breaks. cspell:ignore Vjcm redhi redls redsh secreta
import { describe, expect, it } from 'vitest'
import { imageOf } from '../../src/engine/simulation/images/catalogue'
import type { Seen, SeenContainer, SeenPod } from '../../src/engine/simulation/pod'
import { run } from '../../src/engine/simulation/shell'
import { processOf } from '../../src/engine/simulation/simulated-process'

const seen: Seen = {
  configMap: (name) =>
    name === 'app'
      ? { data: { color: 'red', 'size.txt': '7' }, binaryData: { b: 'aGk=' } }
      : undefined,
  secret: () => ({ data: { password: 'c2VjcmV0' } }),
  services: [],
  podIP: '10.244.1.7',
  hostIP: '192.168.0.1',
  allocatable: {},
}

function inPod(
  command: string,
  volume: object,
  mount: object = {},
  container: Partial<SeenContainer> = {},
) {
  const mounted = {
    name: 'c',
    image: 'busybox:1.36',
    volumeMounts: [{ name: 'v', mountPath: '/v', ...mount }],
    ...container,
  }
  const pod: SeenPod = {
    metadata: { name: 'web', namespace: 'shop', labels: { a: 'b' } },
    spec: { containers: [mounted], volumes: [{ name: 'v', ...volume }] },
    status: { startTime: '2026-01-01T00:00:05Z' },
  }
  const { surroundings } = processOf(pod, mounted, seen)
  const { output, error } = run(['sh', '-c', command], {
    container: 'c',
    surroundings,
    now: 0,
    outputs: [],
  })
  return output + error
}

describe('a volume of a ConfigMap', () => {
  it.each([
    ['ls /v', {}, 'b\ncolor\nsize.txt\n'],
    ['cat /v/color; cat /v/b', {}, 'redhi'],
    ['ls -a /v', {}, '.\n..\n..2026_01_01_00_00_05.000000000\n..data\nb\ncolor\nsize.txt\n'],
    [
      'echo x > /v/color; cat /v/color',
      {},
      "redsh: can't create /v/color: Read-only file system\n",
    ],
    ['rm /v/color', {}, 'rm: /v/color: Read-only file system\n'],
    ['ls /v /v/d', { items: [{ key: 'color', path: 'd/c' }] }, '/v:\nd\n\n/v/d:\nc\n'],
    ['cat /v/none', {}, "cat: can't open '/v/none': No such file or directory\n"],
    ['cat /v', {}, 'cat: read error: Is a directory\n'],
    ['ls /v', { name: 'absent', optional: true }, ''],
  ])('%s', (command, source, expected) => {
    expect(inPod(command, { configMap: { name: 'app', ...source } })).toBe(expected)
  })

  it('has the modes of its items, else its default mode', () => {
    const items = [
      { key: 'color', path: 'c', mode: 0o400 },
      { key: 'b', path: 'b' },
    ]
    const text = inPod('ls -l /v/..data/', {
      configMap: { name: 'app', items, defaultMode: 0o640 },
    })
    expect(text.match(/^\S+/gm)).toEqual(['total', '-rw-r-----', '-r--------'])
  })

  it('mounts one file with subPath, without links', () => {
    const volume = { configMap: { name: 'app' } }
    expect(inPod('cat /etc/c; ls -a /v', volume, { mountPath: '/etc/c', subPath: 'color' })).toBe(
      'redls: /v: No such file or directory\n',
    )
  })
})

describe('other volumes', () => {
  const projected = {
    projected: {
      sources: [
        { secret: { name: 's', items: [{ key: 'password', path: 'p', mode: 0o400 }] } },
        {
          downwardAPI: { items: [{ path: 'labels', fieldRef: { fieldPath: 'metadata.labels' } }] },
        },
        { serviceAccountToken: { path: 'token' } },
      ],
    },
  }
  it.each([
    ['cat /v/p /v/labels', projected, 'secreta="b"\n'],
    ['ls /v', projected, 'labels\np\ntoken\n'],
    ['echo a > /v/x; mkdir -p /v/d/e; ls /v; ls -d /v/d/e', { emptyDir: {} }, 'd\nx\n/v/d/e\n'],
    ['mkdir /v/d/e', { emptyDir: {} }, 'mkdir: /v/d/e: No such file or directory\n'],
  ])('%s', (command, volume, expected) => {
    expect(inPod(command, volume)).toBe(expected)
  })

  it('may be mounted read-only', () => {
    expect(inPod('touch /v/x', { emptyDir: {} }, { readOnly: true })).toBe(
      'touch: /v/x: Read-only file system\n',
    )
  })

  it('report an unknown token', () => {
    expect(inPod('cat /v/token', projected)).toContain('no output is scripted')
  })
})

describe('the root directory', () => {
  const volume = { emptyDir: {} }
  it.each([
    ['cat /etc/hostname', 'web\n'],
    [
      'cat /etc/resolv.conf',
      'search shop.svc.cluster.local svc.cluster.local cluster.local\nnameserver 10.96.0.10\noptions ndots:5\n',
    ],
    ['[ -f /etc/nothing ] || echo absent', 'absent\n'],
    ['ls /', 'bin\ndev\netc\nhome\nproc\nroot\nsys\ntmp\nusr\nv\nvar\n'],
    ['rm /etc', "rm: '/etc' is a directory\n"],
    ['rm -r /etc; ls -d /etc', 'ls: /etc: No such file or directory\n'],
  ])('of a known image: %s', (command, expected) => {
    expect(inPod(command, volume)).toBe(expected)
  })

  it('may be read-only, unlike its volumes', () => {
    const container = { securityContext: { readOnlyRootFilesystem: true } }
    expect(inPod('touch /tmp/x; touch /v/x; ls /v', volume, {}, container)).toBe(
      'x\ntouch: /tmp/x: Read-only file system\n',
    )
  })

  it('of an unknown image is unknown', () => {
    expect(inPod('ls /etc', volume, {}, { image: 'shop/api' })).toContain('no output is scripted')
  })
})

it.each([
  ['nginx', 'nginx'],
  ['docker.io/library/nginx:1.27@sha256:0123', 'nginx'],
  ['registry.k8s.io/e2e-test-images/agnhost:2.53', 'agnhost'],
  ['registry.k8s.io/pause:3.10', 'pause'],
  ['example.com/nginx', undefined],
  ['shop/busybox', undefined],
])('the catalogue of images: %s', (reference, name) => {
  expect(imageOf(reference)?.name).toBe(name)
})
