/** Programs that wait for standard input. */
import { describe, expect, it } from 'vitest'
import { readerIn, servesByDefault } from '../../src/engine/simulation/program'

const IN_A_JOB = { alwaysRestarts: false, ofJob: true }

describe('a container with stdin', () => {
  it.each<[object, string[] | undefined]>([
    [{ command: ['cat'] }, ['cat']],
    [{ command: ['/bin/sh'] }, ['/bin/sh']],
    [{ image: 'busybox:1.36' }, ['sh']],
    [{ image: 'busybox', args: ['bash'] }, ['bash']],
    [{ image: 'busybox', command: ['cat'], args: ['-'] }, ['cat', '-']],
    [{ image: 'nginx' }, undefined],
    [{ image: 'python:3' }, undefined],
    [{ image: 'busybox', command: ['sh', '-c', 'date'] }, undefined],
    [{ command: ['cat', '/etc/hosts'] }, undefined],
  ])('%j reads it by %j', (container, reader) => {
    expect(readerIn({ ...container, stdin: true })).toEqual(reader)
    expect(readerIn(container)).toBeUndefined()
    expect(servesByDefault({ ...container, stdin: true }, IN_A_JOB)).toBe(
      reader !== undefined || servesByDefault(container, IN_A_JOB),
    )
  })
})
