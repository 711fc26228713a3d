import { SourceMap } from 'node:module'
import { expect, it } from 'vitest'
import { type CpuProfile, shares } from './cpu-profile'

/** One line of the bundle, which is the whole of one source. */
const map = new SourceMap({
  version: 3,
  file: 'server.mjs',
  sources: ['../src/engine/apply/merge.ts'],
  sourcesContent: [''],
  names: [],
  mappings: 'AAAA',
  sourceRoot: '',
})
const frame = (functionName: string, url = '') => ({
  functionName,
  url,
  lineNumber: 0,
  columnNumber: 0,
})
const profile: CpuProfile = {
  nodes: [
    { id: 1, callFrame: frame('merge', 'file:///somewhere/server.mjs') },
    { id: 2, callFrame: frame('(garbage collector)') },
    { id: 3, callFrame: frame('(idle)') },
    { id: 4, callFrame: frame('emit', 'node:events') },
  ],
  startTime: 1000,
  samples: [1, 1, 2, 3, 4, 1],
  timeDeltas: [100, 100, 50, 700, 50, 100],
}

it('counts the time between samples by folder and by function, and none of the idle time', () => {
  const { microseconds, directories, functions } = shares(profile, '/somewhere/server.mjs', map)
  expect(microseconds).toBe(400)
  expect(directories).toEqual([
    ['`src/engine/apply`', 0.75],
    ['garbage collection', 0.125],
    ['Node itself', 0.125],
  ])
  expect(functions[0]).toEqual(['`merge`, src/engine/apply/merge.ts', 0.75])
})

it('counts only what was sampled between two moments', () => {
  const { microseconds, directories } = shares(
    { ...profile, from: 1150, to: 1300 },
    '/somewhere/server.mjs',
    map,
  )
  expect(microseconds).toBe(150)
  expect(directories[0]).toEqual(['`src/engine/apply`', 100 / 150])
})
