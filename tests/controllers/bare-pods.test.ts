/** Which containers serve until they are stopped where nothing tells how long they run. */
import { describe, expect, it } from 'vitest'
import { servesByDefault } from '../../src/engine/simulation/program'

const BARE = { alwaysRestarts: false, ofJob: false }
const OF_JOB = { alwaysRestarts: false, ofJob: true }

describe('a container of a bare pod that is not always restarted', () => {
  it.each([
    ['nginx', [], []],
    ['registry.k8s.io/pause:3.10', [], []],
    ['registry.k8s.io/e2e-test-images/agnhost:2.53', [], ['netexec']],
    ['example.com/shop/api:1', ['/api', '--port=80'], []],
  ])('serves: %s %j %j', (image, command, args) => {
    expect(servesByDefault({ image, command, args }, BARE)).toBe(true)
  })

  it.each([
    ['busybox', [], []],
    ['busybox:1.36', [], ['echo', 'hi']],
    ['nginx', ['echo', 'hi'], []],
    ['perl:5.34', ['perl', '-e', 'print 1'], []],
    ['example.com/tools', ['/bin/sh', '-c', 'echo done'], []],
  ])('ends: %s %j %j', (image, command, args) => {
    expect(servesByDefault({ image, command, args }, BARE)).toBe(false)
  })
})

describe('a container of a job', () => {
  it('serves with the command of its image too', () => {
    expect(
      servesByDefault({ image: 'registry.k8s.io/pause:3.10', command: ['/pause'] }, OF_JOB),
    ).toBe(true)
  })

  it.each(['registry.k8s.io/pause:3.10', 'nginx'])(
    'serves if its image is known for it: %s',
    (image) => {
      expect(servesByDefault({ image }, OF_JOB)).toBe(true)
    },
  )

  it.each(['example.com/import', 'busybox'])('ends otherwise: %s', (image) => {
    expect(servesByDefault({ image }, OF_JOB)).toBe(false)
    expect(servesByDefault({ image: 'nginx', command: ['echo', 'done'] }, OF_JOB)).toBe(false)
  })
})

it('a container that is always restarted serves', () => {
  expect(
    servesByDefault(
      { image: 'busybox', command: ['date'] },
      { alwaysRestarts: true, ofJob: false },
    ),
  ).toBe(true)
})
