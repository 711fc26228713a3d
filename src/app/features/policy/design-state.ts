import { create } from 'zustand'
import { load, store } from '../../state/stored'

export interface DesignInput {
  definition: string
  sample: string
  version: string
}

export const FIRST_DESIGN: DesignInput = {
  definition: `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: backups.example.com
spec:
  group: example.com
  scope: Namespaced
  names: { plural: backups, singular: backup, kind: Backup }
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          required: [spec]
          properties:
            spec:
              type: object
              required: [schedule]
              properties:
                schedule: { type: string, maxLength: 40 }
                keep: { type: integer, minimum: 1, default: 7 }
                mode: { type: string, enum: [full, incremental], default: full }
                targets:
                  type: array
                  maxItems: 20
                  x-kubernetes-list-type: map
                  x-kubernetes-list-map-keys: [name]
                  items:
                    type: object
                    required: [name]
                    properties:
                      name: { type: string, maxLength: 63 }
                      path: { type: string, maxLength: 200, default: / }
              x-kubernetes-validations:
                - rule: "self.mode == 'full' || self.keep > 1"
                  message: incremental backups need more than one kept
                - rule: "!has(self.targets) || self.targets.all(t, t.path.startsWith('/'))"
                  message: paths begin with a slash
`,
  sample: `apiVersion: example.com/v1
kind: Backup
metadata:
  name: nightly
  namespace: default
spec:
  schedule: "0 3 * * *"
  color: blue
  targets:
    - name: home
      path: /home
    - name: etc
`,
  version: 'v1',
}

interface DesignState {
  input: DesignInput
  change(change: Partial<DesignInput>): void
}

const KEY = 'design'

export const useDesign = create<DesignState>((set, get) => ({
  input: { ...FIRST_DESIGN, ...load<Partial<DesignInput>>(KEY, {}) },
  change(change) {
    const input = { ...get().input, ...change }
    set({ input })
    store(KEY, input)
  },
}))
