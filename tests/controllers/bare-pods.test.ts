/** Simulated containers without a known duration: some run until they are stopped, others exit. */
import { describe, expect, it } from 'vitest'
import { servesByDefault } from '../../src/engine/simulation/program'

const BARE = { alwaysRestarts: false, ofJob: false }
const OF_JOB = { alwaysRestarts: false, ofJob: true }

describe('a container of a bare pod whose restartPolicy is not Always', () => {
  it.each([
    ['nginx', [], []],
    ['registry.k8s.io/pause:3.10', [], []],
    ['registry.k8s.io/e2e-test-images/agnhost:2.53', [], ['netexec']],
    ['example.com/shop/api:1', ['/api', '--port=80'], []],
  ])('keeps running: %s %j %j', (image, command, args) => {
    expect(servesByDefault({ image, command, args }, BARE)).toBe(true)
  })

  it.each([
    ['busybox', [], []],
    ['busybox:1.36', [], ['echo', 'hi']],
    ['nginx', ['echo', 'hi'], []],
    ['perl:5.34', ['perl', '-e', 'print 1'], []],
    ['example.com/tools', ['/bin/sh', '-c', 'echo done'], []],
  ])('exits: %s %j %j', (image, command, args) => {
    expect(servesByDefault({ image, command, args }, BARE)).toBe(false)
  })
})

describe('a container of a job', () => {
  it('keeps running with the command of its image too', () => {
    expect(
      servesByDefault({ image: 'registry.k8s.io/pause:3.10', command: ['/pause'] }, OF_JOB),
    ).toBe(true)
  })

  it.each(['registry.k8s.io/pause:3.10', 'nginx'])(
    'keeps running for a known server image: %s',
    (image) => {
      expect(servesByDefault({ image }, OF_JOB)).toBe(true)
    },
  )

  it.each(['example.com/import', 'busybox'])('exits otherwise: %s', (image) => {
    expect(servesByDefault({ image }, OF_JOB)).toBe(false)
    expect(servesByDefault({ image: 'nginx', command: ['echo', 'done'] }, OF_JOB)).toBe(false)
  })
})

it('a container with restartPolicy Always keeps running', () => {
  expect(
    servesByDefault(
      { image: 'busybox', command: ['date'] },
      { alwaysRestarts: true, ofJob: false },
    ),
  ).toBe(true)
})
