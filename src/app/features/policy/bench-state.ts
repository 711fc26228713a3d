import { create } from 'zustand'
import { load, store } from '../../state/stored'

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
  expression: `object.spec.template.spec.containers.all(c,
  c.image.startsWith(params.registry) && !c.image.endsWith(':latest'))
  && object.spec.replicas <= variables.most`,
  object: `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  namespace: default
spec:
  replicas: 3
  selector:
    matchLabels: { app: web }
  template:
    metadata:
      labels: { app: web }
    spec:
      containers:
        - name: web
          image: registry.example.com/web:1.4
        - name: log
          image: registry.example.com/log:2.0
`,
  oldObject: '',
  params: `registry: registry.example.com/
maxReplicas: 5
`,
  request: '',
  namespaceObject: '',
  variables: `- name: most
  expression: params.maxReplicas * 2
`,
  schema: `type: object
properties:
  spec:
    type: object
    properties:
      names:
        type: array
        maxItems: 10
        items: { type: string, maxLength: 63 }
`,
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
