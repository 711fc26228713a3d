import { create } from 'zustand'
import { load, store } from '../../state/stored'
import deployment from './samples/deployment.yaml?raw'
import expression from './samples/expression.cel?raw'
import params from './samples/params.yaml?raw'
import schema from './samples/schema.yaml?raw'
import variables from './samples/variables.yaml?raw'

export type BenchText =
  | 'object'
  | 'oldObject'
  | 'params'
  | 'request'
  | 'namespaceObject'
  | 'variables'
  | 'schema'

export interface BenchInput extends Record<BenchText, string> {
  place: string
  /** `stored` expressions may use functions of a newer environment. */
  use: 'new' | 'stored'
  expression: string
  /** Rules: maximum occurrences in an object; undefined: unlimited. */
  count: number | undefined
  isRoot: boolean
}

export const SAMPLE: BenchInput = {
  place: 'validation',
  use: 'new',
  expression: expression.trimEnd(),
  object: deployment,
  oldObject: '',
  params,
  request: '',
  namespaceObject: '',
  variables,
  schema,
  count: 1,
  isRoot: true,
}

interface BenchState {
  input: BenchInput
  change(change: Partial<BenchInput>): void
}

const KEY = 'bench'

export const useBench = create<BenchState>((set, get) => ({
  input: { ...SAMPLE, ...load<Partial<BenchInput>>(KEY, {}) },
  change(change) {
    const input = { ...get().input, ...change }
    set({ input })
    store(KEY, input)
  },
}))
