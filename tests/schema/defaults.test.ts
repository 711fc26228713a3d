import { describe, expect, it } from 'vitest'
import type { KubeObject } from '../../src/engine/core/object'
import { builtinModel } from '../../src/engine/schema/builtin'
import { applyDefaults } from '../../src/engine/schema/defaults'
import type { StructType } from '../../src/engine/schema/model'

function defaulted(
  group: string,
  version: string,
  kind: string,
  members: object,
): Record<string, unknown> {
  const object = structuredClone(members) as KubeObject
  applyDefaults(builtinModel().byKind(group, version, kind) as StructType, object)
  return object
}

describe('defaults that the schemas state', () => {
  it('fill in absent fields, deep inside lists', () => {
    const spec = {
      containers: [
        { name: 'a', ports: [{ containerPort: 80 }, { containerPort: 53, protocol: 'UDP' }] },
      ],
    }
    expect(defaulted('', 'v1', 'Pod', { spec }).spec).toEqual({
      containers: [
        {
          name: 'a',
          ports: [
            { containerPort: 80, protocol: 'TCP' },
            { containerPort: 53, protocol: 'UDP' },
          ],
        },
      ],
    })
  })

  it('apply to unset pointers, and keep explicit empty values', () => {
    const disk = (azureDisk: object) =>
      defaulted('', 'v1', 'PersistentVolume', { spec: { azureDisk } }).spec
    expect(disk({ diskName: 'd' })).toEqual({
      azureDisk: {
        diskName: 'd',
        cachingMode: 'ReadWrite',
        fsType: 'ext4',
        kind: 'Shared',
        readOnly: false,
      },
    })
    expect(disk({ fsType: '', readOnly: true })).toMatchObject({
      azureDisk: { fsType: '', readOnly: true },
    })
  })

  it('do not create absent parents', () => {
    expect(defaulted('', 'v1', 'Pod', { metadata: {} })).toEqual({ metadata: {} })
    expect(defaulted('', 'v1', 'ConfigMap', { data: { a: '1' } })).toEqual({ data: { a: '1' } })
  })
})
